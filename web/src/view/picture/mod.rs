//! Pictures of graphs on the page: what is drawn is [`orbitscope_core::draw::Picture`], made once by the worker; here is what
//! changes over it, the marks of a search and the part that is visible.

pub mod export;
pub mod glyph;
pub mod marks;
pub mod minimap;
pub mod places;
pub mod viewport;
pub mod walk;
pub mod zoom;

use crate::view::text::count;

/// How many states a node stands for, in words; `digits` may have any length.
pub fn stands_for(digits: &str) -> String {
    match digits.parse::<u64>() {
        Ok(1) => "stands for itself alone".into(),
        Ok(number) if digits.len() <= 9 => format!("stands for {} states", count(number)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let tenth = rest.get(..1).unwrap_or("0");
            format!("stands for about {first}.{tenth} × 10{} states", raised(digits.len() - 1))
        }
    }
}

fn raised(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_told_roughly() {
        assert_eq!(stands_for("1"), "stands for itself alone");
        assert_eq!(stands_for("4851"), "stands for 4,851 states");
        assert_eq!(stands_for("504460671139560"), "stands for about 5.0 × 10¹⁴ states");
        assert_eq!(stands_for(&"9".repeat(400)), "stands for about 9.9 × 10³⁹⁹ states");
    }
}
