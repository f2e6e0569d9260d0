//! Which games of a block are worth repeating: a choice of the writer.

use shakmaty::Move;

use crate::pgn::{Game, Tag, Token};
use crate::streams::repeats::{Repeat, Start, start};
use crate::streams::tags::is_late;
use crate::streams::values::HashMap;

/// The fewest plies of a game that is said to repeat another. Fewer cost no more than to say so.
const LEAST_PLIES: usize = 16;

/// A block says what it repeats if one in so many games does: readers of version 1.0.0 do not understand it.
const RARE: usize = 64;

/// For each of `games` what it repeats; nothing at all if that is not worth saying.
pub(super) fn find_repeats(games: &[&Game]) -> Vec<Option<Repeat>> {
    let mut first: HashMap<(&[Move], Start<'_>), usize> = HashMap::default();
    let mut repeats = Vec::with_capacity(games.len());
    for (number, game) in games.iter().enumerate() {
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        if moves.len() < LEAST_PLIES {
            repeats.push(None);
            continue;
        }
        let of = *first.entry((moves, start(game))).or_insert(number);
        repeats.push((of != number).then(|| Repeat {
            of,
            has_tags: same_early(&game.tags, &games[of].tags),
            has_tokens: !is_plain(game) && same_tokens(game, games[of]),
        }));
    }
    let count = repeats.iter().flatten().count();
    if count * RARE >= games.len() && count > 0 { repeats } else { vec![] }
}

/// Whether the tags are the same, but for values that wait for the moves.
fn same_early(one: &[Tag], other: &[Tag]) -> bool {
    let same = |(one, other): (&Tag, &Tag)| {
        one.name == other.name && (one.value == other.value || is_late(&one.name))
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Whether a game has nothing but moves: that is next to free, and takes no other page.
fn is_plain(game: &Game) -> bool {
    let is_plain = |token: &Token| matches!(token, Token::Move | Token::Outcome(_));
    game.lines.len() == 1 && game.tokens.iter().all(is_plain)
}

/// Whether variations are the same, and what stands between the moves.
fn same_tokens(one: &Game, other: &Game) -> bool {
    one.lines == other.lines && one.tokens == other.tokens
}
