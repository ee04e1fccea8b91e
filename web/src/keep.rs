//! Texts that the browser keeps as one types: every visit of the page has a place of its own, so that tabs never write
//! over each other, and a text that is opened later never writes over an earlier one.

use crate::engine::{Model, groups};
use crate::session::{OPENED, OWN, Opening, SHARED};
use crate::share;

/// The names of places start with this.
pub const PREFIX: &str = "orbitscope-work-";
/// The most texts that are kept; the oldest goes first.
pub const MOST: usize = 20;

/// Where texts are kept: the browser's storage.
pub trait Store {
    /// The names of everything in it.
    fn names(&self) -> Vec<String>;
    /// The value with this name.
    fn get(&self, name: &str) -> Option<String>;
    /// Gives it this value; false where there is no room, or no storage.
    fn set(&self, name: &str, value: &str) -> bool;
    /// Removes it.
    fn remove(&self, name: &str);
}

/// A text that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its place.
    pub place: String,
    /// When it was written, in milliseconds since 1970.
    pub time: f64,
    /// The name of the model that it started from.
    pub origin: String,
    /// The text with its settings.
    pub content: String,
}

impl Kept {
    /// The text at a place, if it is a kept one.
    pub fn at(store: &impl Store, place: &str) -> Option<Kept> {
        let value = store.get(place)?;
        let (head, content) = value.split_once('\n')?;
        let (time, origin) = head.split_once(' ')?;
        let time = time.parse().ok().filter(|time: &f64| time.is_finite())?;
        Some(Kept { place: place.to_owned(), time, origin: origin.to_owned(), content: content.to_owned() })
    }

    /// The model that it started from.
    pub fn model(&self) -> Option<Model> {
        let known = groups().iter().flat_map(|group| group.models).chain(&[SHARED, OPENED, OWN]);
        known.into_iter().find(|model| model.name == self.origin).copied()
    }

    /// Opens it in a session. It is kept already: nothing has to be written.
    pub fn opening(&self) -> Opening {
        Opening { by_link: true, ..share::read_kept(&self.content, self.model()) }
    }

    /// A few words about it: the model that it started from, and the first line of the text that says something.
    pub fn title(&self) -> String {
        let opening = self.opening();
        let own = opening.origin.fingerprint.is_none();
        let edited = !own && !opening.origin.has_text(&opening.question.source);
        let text = opening.question.source.lines().map(|line| line.trim_start_matches(['/', ' ']));
        let first: String =
            text.filter(|line| !line.is_empty()).take(1).flat_map(str::chars).take(60).collect();
        let title = opening.origin.title;
        match (edited, own) {
            (true, _) => format!("{title}, edited: {first}"),
            (false, true) => format!("{title}: {first}"),
            (false, false) => title.to_owned(),
        }
    }
}

/// All that is kept, the latest first.
pub fn all(store: &impl Store) -> Vec<Kept> {
    let names = store.names().into_iter().filter(|name| name.starts_with(PREFIX));
    let mut all: Vec<Kept> = names.filter_map(|name| Kept::at(store, &name)).collect();
    all.sort_by(|a, b| b.time.total_cmp(&a.time).then_with(|| a.place.cmp(&b.place)));
    all
}

/// The place of a visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    name: String,
    /// The place of this tab before it was loaded anew: what is there is taken over.
    before: Option<String>,
    /// The text that was written last, or was there at the start and need not be written.
    written: String,
}

impl Place {
    /// A place with this name, after the tab's earlier one; `content` is what needs not be written.
    pub fn new(name: &str, before: Option<String>, content: String) -> Place {
        Place { name: format!("{PREFIX}{name}"), before, written: content }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether this content is not kept yet.
    pub fn is_news(&self, content: &str) -> bool {
        self.written != content
    }

    /// Keeps the content; false where that is not possible.
    pub fn write(&mut self, store: &impl Store, time: f64, origin: &str, content: String) -> bool {
        if !self.is_news(&content) {
            return true;
        }
        if !store.set(&self.name, &format!("{time} {origin}\n{content}")) {
            return false;
        }
        self.written = content;
        if let Some(before) = self.before.take() {
            store.remove(&before);
        }
        for old in all(store).into_iter().skip(MOST).filter(|kept| kept.place != self.name) {
            store.remove(&old.place);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::models;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Memory {
        values: RefCell<BTreeMap<String, String>>,
        room: Option<usize>,
    }

    impl Store for Memory {
        fn names(&self) -> Vec<String> {
            self.values.borrow().keys().cloned().collect()
        }
        fn get(&self, name: &str) -> Option<String> {
            self.values.borrow().get(name).cloned()
        }
        fn set(&self, name: &str, value: &str) -> bool {
            let fits = self.room.is_none_or(|room| value.len() <= room);
            if fits {
                self.values.borrow_mut().insert(name.into(), value.into());
            }
            fits
        }
        fn remove(&self, name: &str) {
            self.values.borrow_mut().remove(name);
        }
    }

    fn contents(store: &Memory) -> Vec<String> {
        all(store).into_iter().map(|kept| kept.content).collect()
    }

    #[test]
    fn two_tabs_do_not_write_over_each_other() {
        let store = Memory::default();
        let mut one = Place::new("1", None, String::new());
        let mut two = Place::new("2", None, String::new());
        for number in 0..20 {
            assert!(one.write(&store, f64::from(number), "own", format!("one {number}")));
            assert!(two.write(&store, f64::from(number) + 0.5, "own", format!("two {number}")));
        }
        assert_eq!(contents(&store), ["two 19", "one 19"]);
        assert_eq!(store.values.borrow().len(), 2);
    }

    #[test]
    fn a_tab_that_is_loaded_anew_takes_its_place_over_when_it_writes() {
        let store = Memory::default();
        let mut first = Place::new("1", None, String::new());
        first.write(&store, 1.0, "own", "a\n\nb\n".into());
        let mut second = Place::new("2", Some(first.name().into()), "a\n\nb\n".into());
        assert!(second.write(&store, 2.0, "own", "a\n\nb\n".into()), "nothing is new");
        assert_eq!(all(&store)[0].place, first.name());
        second.write(&store, 3.0, "own", "c".into());
        let all = all(&store);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].place.as_str(), all[0].content.as_str()), (second.name(), "c"));
    }

    #[test]
    fn the_oldest_goes_first_and_others_are_left_alone() {
        let store = Memory::default();
        store.set("orbitscope-theme", "dark");
        store.set("orbitscope-work-strange", "not a text");
        for number in 0..30 {
            let mut place = Place::new(&number.to_string(), None, String::new());
            place.write(&store, f64::from(number), "own", number.to_string());
        }
        let kept: Vec<String> = (10..30).rev().map(|number| number.to_string()).collect();
        assert_eq!(contents(&store), kept);
        assert_eq!(store.get("orbitscope-theme").as_deref(), Some("dark"));
        assert!(store.get("orbitscope-work-strange").is_some());
    }

    #[test]
    fn where_there_is_no_room_the_last_that_fitted_stays() {
        let store = Memory { room: Some(20), ..Memory::default() };
        let mut place = Place::new("1", None, String::new());
        assert!(place.write(&store, 1.0, "own", "short".into()));
        assert!(!place.write(&store, 2.0, "own", "much longer than there is room".into()));
        assert_eq!(contents(&store), ["short"]);
        assert!(place.is_news("much longer than there is room"));
        assert!(place.write(&store, 3.0, "own", "shorter".into()));
    }

    #[test]
    fn a_text_knows_the_model_that_it_started_from() {
        let store = Memory::default();
        Place::new("1", None, String::new()).write(&store, 1.0, models()[2].name, "x".into());
        Place::new("2", None, String::new()).write(&store, 2.0, "file", "y".into());
        let models_of: Vec<Option<Model>> = all(&store).iter().map(Kept::model).collect();
        assert_eq!(models_of, [Some(OPENED), Some(models()[2])]);
        let titles: Vec<String> = all(&store).iter().map(Kept::title).collect();
        assert_eq!(titles, ["Model from a file: y".to_owned(), format!("{}, edited: x", models()[2].title)]);
    }
}
