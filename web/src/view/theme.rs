//! Light or dark.

/// The colours that a person asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's choice.
    #[default]
    System,
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

impl Theme {
    /// All choices, in the order in which the toggle goes through them.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// The name in the page's attribute, its storage and its toggle.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of that name; the system's where there is none.
    pub fn from_name(name: &str) -> Theme {
        Theme::ALL.into_iter().find(|theme| theme.name() == name).unwrap_or_default()
    }

    /// The next choice of the toggle.
    #[must_use]
    pub fn next(self) -> Theme {
        Theme::ALL[(self as usize + 1) % Theme::ALL.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toggle_goes_through_all_choices_and_names_are_read_back() {
        let mut theme = Theme::default();
        for expected in [Theme::Light, Theme::Dark, Theme::System] {
            theme = theme.next();
            assert_eq!(theme, expected);
            assert_eq!(Theme::from_name(theme.name()), theme);
        }
        assert_eq!(Theme::from_name("sepia"), Theme::System);
    }
}
