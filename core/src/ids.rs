//! Typed `u32` ids and vectors indexed by them.
//!
//! Every table of the engine is an [`IdVec`], so that a process cannot be used where a state is meant.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

/// A typed index: a `u32` that says what it counts.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// The id of the element at `index`.
    fn from_index(index: usize) -> Self;
    /// The position of the element.
    fn index(self) -> usize;
}

/// Defines a `u32` newtype that implements [`Id`].
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[allow(unreachable_pub, reason = "an id may be private to its module")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::ids::Id for $name {
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("a table has fewer than 2^32 entries"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}

/// A vector whose elements are addressed by ids of type `K`.
///
/// ```
/// use orbitscope_core::{define_id, ids::IdVec};
/// define_id!(/// A planet.
///     Planet);
/// let mut names: IdVec<Planet, &str> = IdVec::new();
/// let earth = names.push("Earth");
/// assert_eq!(names[earth], "Earth");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// An empty vector.
    pub const fn new() -> Self {
        IdVec { items: Vec::new(), key: PhantomData }
    }

    /// Appends a value and returns its id.
    pub fn push(&mut self, value: V) -> K {
        let id = K::from_index(self.items.len());
        self.items.push(value);
        id
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The id that the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> K {
        K::from_index(self.items.len())
    }

    /// The element, if the id is in range.
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }

    /// The values in order.
    pub fn iter(&self) -> core::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// The values in order, mutably.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// Ids and values in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::from_index(i), v))
    }

    /// The values as a slice.
    pub fn as_slice(&self) -> &[V] {
        &self.items
    }

    /// The elements as a slice that can be changed.
    pub fn as_mut_slice(&mut self) -> &mut [V] {
        &mut self.items
    }
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V> From<Vec<V>> for IdVec<K, V> {
    fn from(items: Vec<V>) -> Self {
        IdVec { items, key: PhantomData }
    }
}

impl<K: Id, V> FromIterator<V> for IdVec<K, V> {
    fn from_iter<T: IntoIterator<Item = V>>(iter: T) -> Self {
        iter.into_iter().collect::<Vec<V>>().into()
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;
    fn index(&self, id: K) -> &V {
        &self.items[id.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.items[id.index()]
    }
}

impl<'a, K: Id, V> IntoIterator for &'a IdVec<K, V> {
    type Item = &'a V;
    type IntoIter = core::slice::Iter<'a, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, K: Id, V> IntoIterator for &'a mut IdVec<K, V> {
    type Item = &'a mut V;
    type IntoIter = core::slice::IterMut<'a, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

impl<K, V: fmt::Debug> fmt::Debug for IdVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}
