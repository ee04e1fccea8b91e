//! Strongly connected components, by one depth-first search.

use super::Product;

const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of a part that have an edge inside (Tarjan).
pub(super) fn components(product: &Product, part: &[usize]) -> Vec<Vec<usize>> {
    let mut inside = vec![false; product.len()];
    for &node in part {
        inside[node] = true;
    }
    let (mut count, mut number, mut low) = (0, vec![UNSEEN; product.len()], vec![0; product.len()]);
    // The nodes that are in no component yet, in the order in which they were found.
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for &root in part {
        if number[root] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at == 0 && number[node] == UNSEEN {
                (number[node], low[node]) = (count, count);
                count += 1;
                open.push(node);
            }
            if let Some(&next) = product.next(node).get(*at) {
                *at += 1;
                if inside[next] && number[next] == UNSEEN {
                    path.push((next, 0));
                } else if inside[next] {
                    low[node] = low[node].min(number[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == number[node] {
                let first = open.iter().rposition(|&other| other == node).expect("it is open");
                let component = open.split_off(first);
                for &member in &component {
                    // Whoever leads here later does not lead back.
                    inside[member] = false;
                }
                if component.len() > 1 || product.next(node).contains(&node) {
                    found.push(component);
                }
            }
        }
    }
    found
}
