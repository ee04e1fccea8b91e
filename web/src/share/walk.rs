//! A walk as a word of a link: the values of its first state, a colon, the numbers of its steps, a colon, and a fingerprint of
//! its states. Links of earlier versions have no fingerprint.

use crate::engine::{MAX_WALK, Start, Walk};
use crate::session::Session;

/// The walk that is shown.
pub(super) fn written(session: &Session) -> Option<String> {
    let walked = session.play.walking.as_ref().filter(|_| session.is_walking())?.known()?;
    let Start::State(values) = &walked.walk.start else { return None };
    let values: Vec<String> = values.iter().map(i32::to_string).collect();
    let picks: Vec<String> = walked.walk.picks.iter().map(u32::to_string).collect();
    let seen = walked.walk.seen.map_or_else(String::new, |seen| format!(":{seen}"));
    Some(format!("{}:{}{seen}", values.join(","), picks.join(",")))
}

/// The walk that a word says; none where it says none.
pub(super) fn read(text: &str) -> Option<Walk> {
    let (values, rest) = text.split_once(':')?;
    let (picks, seen) = rest.split_once(':').map_or((rest, None), |(picks, seen)| (picks, Some(seen)));
    let seen = match seen {
        Some(seen) => Some(seen.parse().ok()?),
        None => None,
    };
    let start = Start::State(numbers(values)?);
    let picks = numbers(picks).filter(|picks| picks.len() <= MAX_WALK)?;
    Some(Walk { start, picks, seen })
}

fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_walk_is_not_read() {
        let walk = |text: &str| read(text).map(|walk| (walk.start, walk.picks, walk.seen));
        assert_eq!(walk("0,-1,2:3,0"), Some((Start::State(vec![0, -1, 2]), vec![3, 0], None)));
        assert_eq!(walk("0,-1,2:3,0:77"), Some((Start::State(vec![0, -1, 2]), vec![3, 0], Some(77))));
        assert_eq!(walk("0:"), Some((Start::State(vec![0]), Vec::new(), None)));
        for bad in [
            "",
            "1",
            "1,2",
            "1,:2",
            "a:1",
            "1:-1",
            "1:2:",
            "1:2:-3",
            "1:2:3:4",
            "1:2:4294967296",
            "99999999999:1",
        ] {
            assert_eq!(walk(bad), None, "{bad}");
        }
        assert_eq!(walk(&format!("0:0{}", ",0".repeat(MAX_WALK))), None);
    }
}
