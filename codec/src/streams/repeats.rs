//! Repeats: games whose moves another game of the block has had before.
//!
//! Collections overlap, and many games stand in two of them: with the same tags, or with names that are spelled
//! otherwise. Of such a game the columns say which one it repeats: the moves of its main line, and perhaps its tags, and
//! all of its comments and variations. Its page has the rest.

use crate::entropy::{BitModel, Coder, Decoder, Encoder, NumberModel};
use crate::pgn::Game;
use crate::{Error, Result};

/// What a game repeats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repeat {
    /// The number in the block, from 0 on, of an earlier game that repeats none. It has the same moves.
    pub of: usize,
    /// Whether the tags are the same, too, but for the values that wait for the moves.
    pub has_tags: bool,
    /// Whether variations, comments and all else that stands between the moves are the same, too.
    pub has_tokens: bool,
}

/// The tags `FEN` and `Variant`.
pub type Start<'a> = [Option<&'a [u8]>; 2];

/// What tells the position that a game begins with: the same in games that repeat each other.
pub fn start(game: &Game) -> Start<'_> {
    ["FEN", "Variant"].map(|name| game.tag(name))
}

/// Codes what games repeat; nothing if none does.
///
/// # Errors
/// None that valid repeats can cause.
pub fn encode(repeats: &[Option<Repeat>]) -> Result<Vec<u8>> {
    if repeats.iter().all(Option::is_none) {
        return Ok(vec![]);
    }
    let mut encoder = Encoder::new();
    let mut model = Model::default();
    for (number, &repeat) in repeats.iter().enumerate() {
        model.code(&mut encoder, number, repeat)?;
    }
    Ok(encoder.finish())
}

/// What so many games repeat, as [`encode`] was given it; nothing at all if `bytes` are empty.
///
/// # Errors
/// [`Error::Damaged`] if a game repeats one that is not there.
pub fn decode(bytes: &[u8], games: usize) -> Result<Vec<Option<Repeat>>> {
    if bytes.is_empty() {
        return Ok(vec![]);
    }
    let mut decoder = Decoder::new(bytes);
    let mut model = Model::default();
    (0..games).map(|number| model.code(&mut decoder, number, None)).collect()
}

/// What tells which game is repeated.
#[derive(Debug, Default)]
struct Model {
    /// Whether a game repeats another, by whether the two before it did.
    repeats: [BitModel; 4],
    /// Whether it is the game behind the one that was repeated last, by whether that one was.
    follows: [BitModel; 2],
    /// Whether it is not far behind it; and how far.
    is_near: BitModel,
    distance: NumberModel,
    /// Whether the tags are the same, and the tokens, by whether they were the last time.
    has_tags: [BitModel; 2],
    has_tokens: [BitModel; 2],
    /// The numbers of the games that repeat none, which are counted here.
    originals: Vec<usize>,
    /// The place among them of the one behind that which was repeated last.
    next: usize,
    history: usize,
    has_followed: bool,
    last: Repeat,
}

/// Games that are not passed over one by one.
const NEAR: usize = 64;

impl Model {
    /// Codes what game `number` repeats.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        number: usize,
        repeat: Option<Repeat>,
    ) -> Result<Option<Repeat>> {
        let is_repeat = self.repeats[self.history].code(coder, repeat.is_some())?;
        self.history = self.history << 1 & 3 | usize::from(is_repeat);
        if !is_repeat {
            self.originals.push(number);
            return Ok(None);
        }
        let Repeat { of, has_tags, has_tokens } = repeat.unwrap_or_default();
        let place = self.originals.binary_search(&of).unwrap_or(0);
        let place = self.place(coder, place)?;
        let none = || Error::damaged("a game that repeats none");
        let of = *self.originals.get(place).ok_or_else(none)?;
        self.next = place + 1;
        let tags = &mut self.has_tags[usize::from(self.last.has_tags)];
        let has_tags = tags.code(coder, has_tags)?;
        let tokens = &mut self.has_tokens[usize::from(self.last.has_tokens)];
        let has_tokens = tokens.code(coder, has_tokens)?;
        self.last = Repeat { of, has_tags, has_tokens };
        Ok(Some(self.last))
    }

    /// Codes a place among the originals.
    fn place<C: Coder>(&mut self, coder: &mut C, place: usize) -> Result<usize> {
        let model = &mut self.follows[usize::from(self.has_followed)];
        self.has_followed = model.code(coder, place == self.next)?;
        if self.has_followed {
            return Ok(self.next);
        }
        let ahead = place.wrapping_sub(self.next);
        if self.is_near.code(coder, (1..=NEAR).contains(&ahead))? {
            let ahead = self.distance.code(coder, ahead as u64)?;
            let place = usize::try_from(ahead).ok().and_then(|ahead| self.next.checked_add(ahead));
            return place.ok_or_else(|| Error::damaged("a game that repeats one far behind it"));
        }
        let last = self.originals.len().saturating_sub(1);
        let mut read = 0;
        for bit in (0..usize::BITS - last.leading_zeros()).rev() {
            read = read << 1 | usize::from(coder.bit(1 << 15, place >> bit & 1 != 0)?);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::Below;
    use crate::split_mix::SplitMix;

    fn round_trip(repeats: &[Option<Repeat>]) -> usize {
        let bytes = encode(repeats).unwrap();
        assert_eq!(decode(&bytes, repeats.len()).unwrap(), repeats);
        bytes.len()
    }

    #[test]
    fn a_collection_that_stands_twice_costs_next_to_nothing() {
        let repeat = |of| Some(Repeat { of, has_tags: true, has_tokens: false });
        let twice: Vec<Option<Repeat>> =
            vec![None; 1500].into_iter().chain((0..1500).map(repeat)).collect();
        assert!(round_trip(&twice) < 30);
        // With a third of its games, in their order.
        let part = vec![None; 1500]
            .into_iter()
            .chain((0..1500).step_by(3).map(repeat))
            .collect::<Vec<_>>();
        assert!(round_trip(&part) < 150, "{}", round_trip(&part));
    }

    #[test]
    fn games_in_any_order_cost_a_number() {
        let mut random = SplitMix(7);
        let mut repeats: Vec<Option<Repeat>> = vec![None; 1000];
        let mut originals: Vec<usize> = (0..1000).collect();
        for number in 1000..3000 {
            let repeat = random.one_in(2).then(|| Repeat {
                of: originals[random.below(originals.len())],
                has_tags: random.one_in(2),
                has_tokens: random.one_in(2),
            });
            if repeat.is_none() {
                originals.push(number);
            }
            repeats.push(repeat);
        }
        let bits = 8 * round_trip(&repeats);
        assert!(bits < 1000 * 16 + 2000, "{bits}");
        assert_eq!(encode(&[None; 100]).unwrap(), []);
        assert_eq!(decode(&[], 100).unwrap(), []);
    }

    #[test]
    fn garbage_repeats_earlier_games_or_is_damaged() {
        let (mut sound, mut damaged) = (0, 0);
        for seed in 0..500 {
            let mut random = SplitMix(seed);
            let bytes: Vec<u8> = (0..1 + random.below(40)).map(|_| random.next() as u8).collect();
            match decode(&bytes, 60) {
                Err(Error::Damaged(_)) => damaged += 1,
                Err(error) => panic!("{error}"),
                Ok(repeats) => {
                    sound += 1;
                    let is_original = |of: usize| repeats[of].is_none();
                    let mut all = repeats.iter().enumerate();
                    assert!(all.all(|(number, repeat)| {
                        repeat.is_none_or(|repeat| repeat.of < number && is_original(repeat.of))
                    }));
                }
            }
        }
        assert!(sound > 50 && damaged > 50, "{sound} {damaged}");
    }
}
