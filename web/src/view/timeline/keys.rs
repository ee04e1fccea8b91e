//! The keys of the player, which belong to whoever has the focus first.

use crate::session::{Play, PlayState};

/// The number of steps in a page.
const PAGE: u32 = 10;

/// Elements that use keys themselves: those in which one types or chooses.
const TYPED_IN: &[&str] = &["INPUT", "TEXTAREA", "SELECT"];
/// Roles of elements in which the arrows go from part to part.
const GONE_THROUGH: &[&str] = &[
    "tab", "tablist", "grid", "gridcell", "listbox", "option", "menu", "menuitem", "radio", "tree",
    "treeitem",
];

/// The action of a key on the player.
pub fn of_key(key: &str, player: PlayState) -> Option<Play> {
    Some(match key {
        " " => Play::Toggle,
        "ArrowRight" => Play::Forward,
        "ArrowLeft" => Play::Back,
        "PageDown" => Play::Seek(player.step.saturating_add(PAGE)),
        "PageUp" => Play::Seek(player.step.saturating_sub(PAGE)),
        "Home" => Play::Seek(0),
        "End" => Play::Seek(player.len),
        "n" => Play::ToHalt,
        _ => return None,
    })
}

/// The action on the player of a key that was pressed anywhere: none where the element that has the focus, given by its
/// tag and its role, uses the key itself.
pub fn of_key_at(key: &str, tag: &str, role: Option<&str>, player: PlayState) -> Option<Play> {
    let pressed = key == " " && (matches!(tag, "BUTTON" | "A" | "SUMMARY") || role == Some("button"));
    let goes_through = role.is_some_and(|role| GONE_THROUGH.contains(&role));
    // A panel that scrolls is scrolled by pages; the line of time has the keys for itself.
    let scrolls = key.starts_with("Page");
    if TYPED_IN.contains(&tag) || goes_through || pressed || scrolls || role == Some("slider") {
        return None;
    }
    of_key(key, player)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_the_player() {
        let player = PlayState::new(40).after(Play::Seek(5));
        let after = |key| of_key(key, player).map(|play| player.after(play).step);
        assert_eq!(after("ArrowRight"), Some(6));
        assert_eq!(after("ArrowLeft"), Some(4));
        assert_eq!(after("PageDown"), Some(15));
        assert_eq!(after("PageUp"), Some(0));
        assert_eq!((after("Home"), after("End"), after("a")), (Some(0), Some(40), None));
        assert_eq!(of_key(" ", player), Some(Play::Toggle));
    }

    #[test]
    fn keys_are_not_taken_from_those_who_use_them() {
        let taken = |key, tag, role| of_key_at(key, tag, role, PlayState::new(9)).is_some();
        assert!(taken(" ", "BODY", None) && taken("ArrowLeft", "BUTTON", None));
        assert!(!taken(" ", "BUTTON", None) && !taken("ArrowLeft", "TEXTAREA", None));
        assert!(!taken("End", "INPUT", None) && !taken("PageDown", "DIV", None));
        assert!(!taken("ArrowLeft", "BUTTON", Some("tab")) && !taken(" ", "g", Some("button")));
    }
}
