//! Games of an archive by their numbers.

use std::ops::Range;
use std::sync::Arc;

use plyzip::archive::{Selection, Verdict};
use plyzip::pgn::{Game, Tag};

/// Numbers of games, from 0 on, in the order in which they are asked for.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// The numbers that places stand for; `None` if each stands for itself.
    list: Option<Arc<[u64]>>,
    first: usize,
    step: isize,
    length: usize,
}

impl Numbers {
    /// All of so many games.
    pub fn all(length: usize) -> Numbers {
        Numbers { list: None, first: 0, step: 1, length }
    }

    /// These, which ascend.
    pub fn of(list: Vec<u64>) -> Numbers {
        let length = list.len();
        Numbers { list: Some(list.into()), first: 0, step: 1, length }
    }

    pub fn length(&self) -> usize {
        self.length
    }

    fn place(&self, place: usize) -> usize {
        self.first.wrapping_add_signed(self.step.wrapping_mul(place as isize))
    }

    /// The number at this place.
    pub fn at(&self, place: usize) -> Option<u64> {
        let place = (place < self.length).then(|| self.place(place))?;
        match &self.list {
            Some(list) => list.get(place).copied(),
            None => Some(place as u64),
        }
    }

    /// `length` of them, from place `first` on, `step` places from one to the next.
    pub fn slice(&self, first: usize, step: isize, length: usize) -> Numbers {
        Numbers {
            list: self.list.clone(),
            first: self.place(first),
            step: self.step.wrapping_mul(step),
            length,
        }
    }

    /// Whether later places have lower numbers.
    pub fn descend(&self) -> bool {
        self.step < 0
    }

    /// The numbers in ascending order.
    pub fn ascending(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..self.length).filter_map(|place| self.at(place)).collect();
        if self.descend() {
            numbers.reverse();
        }
        numbers
    }
}

/// The games of these numbers, which ascend.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a>(pub &'a [u64]);

impl Selection for Chosen<'_> {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        let next = self.0.partition_point(|number| *number < numbers.start);
        self.0.get(next).is_some_and(|number| *number < numbers.end)
    }

    fn reads_tags(&self) -> bool {
        false
    }

    fn by_tags(&self, number: u64, _: &[Tag]) -> Verdict {
        self.0.binary_search(&number).is_ok().into()
    }

    fn by_game(&self, number: u64, _: &Game) -> bool {
        self.0.binary_search(&number).is_ok()
    }
}
