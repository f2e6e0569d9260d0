//! The opening books of a model.

use std::sync::Arc;

use super::{Book, Entry};

/// The opening books of a model. The counts of a position are those of the first book that has it, so that a model's
/// own book may have no more than what the one that is built in lacks.
#[derive(Debug, Clone)]
pub struct Books {
    books: Vec<Arc<Book>>,
}

impl Books {
    /// These books, in the order in which they are asked.
    pub fn new(books: impl IntoIterator<Item = Arc<Book>>) -> Books {
        Books { books: books.into_iter().collect() }
    }

    /// [`Book::prefetch`] of each book.
    pub fn prefetch(&self, keys: [u64; 2]) {
        self.books.iter().for_each(|book| book.prefetch(keys));
    }

    /// The entry of the position with this key in the first book that has it.
    pub fn find(&self, key: u64) -> Option<Entry<'_>> {
        self.books.iter().find_map(|book| book.find(key))
    }

    /// Whether there is no book.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }
}
