//! Tests of books.

use super::buckets::{MAX_CLASS, VERSION};
use super::write::class_of;
use super::*;
use crate::split_mix::split_mix;

fn some_book() -> (Vec<Position>, Vec<u8>) {
    let position = |number: u64| {
        let count = 1 + number as usize % MAX_MOVES;
        let first = 16 << (number % 18);
        Position {
            key: split_mix(number),
            moves: (0..count).map(|i| ((i * 3) as u8, first >> i | 4)).collect(),
            rest: if number.is_multiple_of(3) { 100 } else { 0 },
        }
    };
    let positions: Vec<Position> = (0..3000).map(position).collect();
    let bytes = write_book(positions.clone());
    (positions, bytes)
}

#[test]
fn what_is_written_is_found() {
    let (positions, bytes) = some_book();
    let book = Book::from_bytes(bytes).unwrap();
    for position in &positions {
        let entry = book.find(position.key).unwrap();
        let found: Vec<(usize, u32)> = entry.moves().collect();
        let places: Vec<usize> = position.moves.iter().map(|&(place, _)| place.into()).collect();
        assert_eq!(found.iter().map(|&(place, _)| place).collect::<Vec<_>>(), places);
        for (&(_, count), &(_, sixteenths)) in found.iter().zip(&position.moves) {
            // half octaves: a quarter of an octave away, and small counts rounded
            let ratio = f64::from(count) * 4.0 / f64::from(sixteenths);
            assert!((0.6..1.5).contains(&ratio), "{count} for {sixteenths}");
        }
        assert_eq!(entry.rest(), if position.rest == 0 { 0 } else { 16 });
        assert_eq!(book.find(position.key ^ 1 << 40), None);
    }
}

#[test]
fn counts_grow_by_half_octaves() {
    let counts: Vec<u32> = (0..=MAX_CLASS).map(count_of).collect();
    assert_eq!(counts[..8], [1, 1, 2, 3, 4, 6, 8, 11]);
    assert_eq!(counts[40], 1 << 20);
    assert_eq!((class_of(0), class_of(4), class_of(16), class_of(u32::MAX)), (0, 0, 4, 40));
}

#[test]
fn an_empty_book_has_nothing() {
    let book = Book::from_bytes(write_book(vec![])).unwrap();
    assert_eq!(book.find(0), None);
    assert_eq!(book.find(u64::MAX), None);
}

#[test]
fn damaged_books_are_refused_or_harmless() {
    let (positions, bytes) = some_book();
    let mut cut = bytes.clone();
    cut.truncate(bytes.len() - 1);
    let mut longer = bytes.clone();
    longer.push(0);
    for damaged in [vec![], vec![VERSION], vec![2; bytes.len()], cut, longer] {
        assert!(matches!(Book::from_bytes(damaged), Err(Error::Model(_))));
    }
    assert!(Book::from_bytes(vec![VERSION; MAX_SIZE + 1]).is_err());
    let mut refused = 0;
    for seed in 0..300 {
        let random = split_mix(seed);
        let mut damaged = bytes.clone();
        let place = random as usize % damaged.len();
        damaged[place] ^= 1 << (random >> 60 & 7);
        match Book::from_bytes(damaged) {
            Err(error) => {
                assert!(matches!(error, Error::Model(_)));
                refused += 1;
            }
            Ok(book) => {
                for position in &positions {
                    if let Some(entry) = book.find(position.key) {
                        assert!(entry.moves().count() <= MAX_MOVES);
                    }
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn the_book_that_is_built_in_has_the_first_moves() {
    let book = Book::built_in();
    assert_eq!(book.buckets, Book::from_bytes(BUILT_IN).unwrap().buckets);
    let entry = book.find(crate::chess::position_key(&shakmaty::Chess::default())).unwrap();
    assert!(entry.moves().count() >= 8);
}
