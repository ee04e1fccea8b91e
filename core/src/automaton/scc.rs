//! Strongly connected components: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2),
//! 1972, with an explicit stack.

use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;

/// The components of a graph, each numbered after all that it can reach.
pub(crate) struct Components {
    /// The number of each node's component.
    pub(crate) of: Vec<u32>,
    /// The nodes of each component.
    pub(crate) members: Vec<Vec<u32>>,
}

const UNSEEN: u32 = u32::MAX;

/// The components of the graph with nodes `0..count`.
pub(crate) fn components<I: Iterator<Item = u32>>(count: usize, successors: impl Fn(u32) -> I) -> Components {
    let mut order = vec![UNSEEN; count];
    let mut lowlink = vec![0; count];
    let mut of = vec![UNSEEN; count];
    let mut members = Vec::new();
    let (mut stack, mut frames, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(v) = entering.take() {
                order[v as usize] = next;
                lowlink[v as usize] = next;
                next += 1;
                stack.push(v);
                frames.push((v, successors(v)));
            }
            let Some((v, rest)) = frames.last_mut() else { break };
            let v = *v;
            match rest.next() {
                Some(w) if order[w as usize] == UNSEEN => entering = Some(w),
                // A node whose component is known is no longer on the stack.
                Some(w) if of[w as usize] == UNSEEN => {
                    lowlink[v as usize] = lowlink[v as usize].min(order[w as usize]);
                }
                Some(_) => {}
                None => {
                    frames.pop();
                    if let Some(&(parent, _)) = frames.last() {
                        lowlink[parent as usize] = lowlink[parent as usize].min(lowlink[v as usize]);
                    }
                    if lowlink[v as usize] == order[v as usize] {
                        let start = stack.iter().rposition(|&w| w == v).unwrap_or(0);
                        let mut component = stack.split_off(start);
                        component.arrange();
                        for &w in &component {
                            of[w as usize] = members.len() as u32;
                        }
                        members.push(component);
                    }
                }
            }
        }
    }
    Components { of, members }
}
