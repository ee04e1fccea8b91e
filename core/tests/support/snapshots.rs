//! A recorded search against the live one. The fuzzers use this file too.

use orbitscope_core::product::NodeId;
use orbitscope_core::search::Search;
use orbitscope_core::search::log::{Log, Snapshot};

/// Compares the frames and the stack of a rebuilt state with the live ones.
pub(crate) fn compare_stacks(log: &Log, shot: &Snapshot, search: &Search<'_>) {
    assert_eq!(shot.frames.len(), search.frames().len());
    for (shot, live) in shot.frames.iter().zip(search.frames()) {
        let entry = &log.entries()[shot.dfnum as usize];
        assert_eq!(entry.node, live.node);
        assert_eq!(log.perm(entry.perm), search.perm(live.node));
        assert_eq!(shot.next as usize, live.next);
        assert_eq!(*log.partition(shot.partition), live.partition);
        assert_eq!(log.fair_points(shot.fair), live.fair);
        assert_eq!((shot.marks, shot.inner), (live.marks, live.inner));
    }
    assert_eq!(shot.visited.len() as u32, search.visited());
    let stack: Vec<NodeId> = shot.stack().map(|dfnum| shot.visited[dfnum as usize].node).collect();
    assert_eq!(stack, search.stack());
}
