//! The words of the inspector.

use crate::engine::{Spot, Watched};
use crate::session::{Item, Session};
use crate::view::explore::node_name;

/// Something that is watched, along a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// How many states there are.
    pub columns: u32,
    /// From which state on it has which value.
    pub pieces: Vec<(u32, Watched)>,
    /// The least and the greatest number.
    range: (i64, i64),
}

/// The values along a run, those that follow each other and are the same as one.
pub fn timeline(values: &[Watched]) -> Timeline {
    let mut pieces: Vec<(u32, Watched)> = Vec::new();
    for (column, &value) in (0..).zip(values) {
        if pieces.last().is_none_or(|(_, last)| *last != value) {
            pieces.push((column, value));
        }
    }
    let numbers = || {
        values.iter().filter_map(|value| match value {
            Watched::Number(number) => Some(*number),
            _ => None,
        })
    };
    let range = (numbers().min().unwrap_or(0).min(0), numbers().max().unwrap_or(0));
    Timeline { columns: values.len() as u32, pieces, range }
}

impl Timeline {
    /// How high a value stands, from 0 to 1.
    pub fn height(&self, value: Watched) -> f64 {
        match value {
            Watched::Truth(holds) => f64::from(u8::from(holds)),
            Watched::Number(number) => {
                let (low, high) = self.range;
                if high == low { 0.0 } else { (number - low) as f64 / (high - low) as f64 }
            }
            Watched::Wrong => 1.0,
        }
    }

    /// The timeline in words.
    pub fn words(&self) -> String {
        let word = |&(from, value): &(u32, Watched)| match value {
            Watched::Truth(holds) => format!("{holds} from state {from}"),
            Watched::Number(number) => format!("{number} from state {from}"),
            Watched::Wrong => format!("an error from state {from}"),
        };
        self.pieces.iter().take(40).map(word).collect::<Vec<_>>().join(", ")
    }
}

/// Which state is looked at.
pub fn title(session: &Session) -> String {
    match (session.spot(), session.pointer.selected) {
        (Some(Spot::Column(_, 0)), _) => "The first state of the run".into(),
        (Some(Spot::Column(_, column)), _) => {
            let words = session.lanes().and_then(|run| run.steps.get(column as usize - 1));
            format!("After step {column}: {}", words.map_or("", |step| &step.words))
        }
        (Some(Spot::Node(of, node)), Some(Item::Node(..))) => node_name(of, node),
        (Some(Spot::Node(of, node)), _) if session.film().is_some() => {
            format!("{}, where the search is", node_name(of, node))
        }
        (Some(Spot::Node(of, node)), _) => node_name(of, node),
        (None, _) => "No state is chosen, or its values are too many to be kept".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_has_a_piece_for_each_change() {
        let numbers = [1, 1, 3, 3, 2].map(Watched::Number);
        let line = timeline(&numbers);
        assert_eq!((line.columns, line.pieces.len()), (5, 3));
        assert_eq!(line.pieces[1], (2, Watched::Number(3)));
        assert!((line.height(Watched::Number(3)) - 1.0).abs() < 1e-9);
        assert!((line.height(Watched::Number(0)) - 0.0).abs() < 1e-9);
        assert_eq!(line.words(), "1 from state 0, 3 from state 2, 2 from state 4");
        let truths = timeline(&[Watched::Truth(false), Watched::Truth(true)]);
        assert_eq!((truths.height(Watched::Truth(true)), truths.pieces.len()), (1.0, 2));
        assert_eq!(timeline(&[]).pieces, []);
    }
}
