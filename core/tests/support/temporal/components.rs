//! Strongly connected components, by two depth-first searches.

use super::Product;

/// The strongly connected components of a part that have an edge inside: two depth-first searches (Kosaraju).
pub(super) fn components(product: &Product, part: &[usize]) -> Vec<Vec<usize>> {
    let mut inside = vec![false; product.next.len()];
    for &n in part {
        inside[n] = true;
    }
    let mut order = Vec::new();
    let mut seen = vec![false; product.next.len()];
    for &root in part {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, at)) = stack.last_mut() {
            if let Some(&next) = product.next[*node].get(*at) {
                *at += 1;
                if inside[next] && !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, 0));
                }
            } else {
                order.push(*node);
                stack.pop();
            }
        }
    }
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); product.next.len()];
    for &node in part {
        for &next in product.next[node].iter().filter(|&&n| inside[n]) {
            back[next].push(node);
        }
    }
    let mut found = Vec::new();
    for &root in order.iter().rev() {
        if !seen[root] {
            continue;
        }
        let mut component = Vec::new();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node], false) {
                component.push(node);
                stack.extend(back[node].iter().filter(|&&n| seen[n]));
            }
        }
        if component.len() > 1 || product.next[component[0]].contains(&component[0]) {
            found.push(component);
        }
    }
    found
}
