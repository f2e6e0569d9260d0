//! Columns: what all games of a block are coded by together, before any of their moves.
//!
//! Which items are games, the tags that do not wait for the moves, and what is no PGN. Tags repeat from game to game,
//! so they are coded over the whole block; with them known, each page of games decodes alone.

use std::ops::Range;

use super::parts::{join, split};
use crate::pgn::{Game, Item};
use crate::streams::layout::LayoutPrior;
use crate::streams::repeats::Repeat;
use crate::streams::tags::EarlyTags;
use crate::streams::{repeats, tags, text};
use crate::{Error, Interrupt, Result};

/// The streams: items, tags, names of new players, lengths of texts, texts, what the pages' layouts begin with, repeats.
const PARTS: usize = 7;

/// Bytes of the streams of the columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnSizes {
    pub tags: u64,
    pub layout: u64,
    pub text: u64,
}

/// The columns of a block, decoded.
#[derive(Debug, Clone)]
pub struct Columns {
    /// The block's items: texts, and games of which only the tags that do not wait for the moves are known.
    pub items: Vec<Item>,
    /// The state that the layouts of its pages begin with.
    pub layout: LayoutPrior,
    /// For each game what it repeats; empty if none repeats anything.
    pub repeats: Vec<Option<Repeat>>,
}

/// Codes the columns of `items`; `layout` is the coded [`LayoutPrior`], and `repeats` says what games repeat.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted) if `interrupt` ends it.
pub(super) fn encode(
    items: &[Item],
    layout: &[u8],
    repeats: &[Option<Repeat>],
    interrupt: &Interrupt,
) -> Result<(Vec<u8>, ColumnSizes)> {
    let kinds = text::encode_items(items)?;
    let games: Vec<&Game> = items.iter().filter_map(Item::game).collect();
    let EarlyTags { tags, new_players } = match games.is_empty() {
        true => EarlyTags { tags: vec![], new_players: vec![] },
        false => tags::encode_early(&games, repeats, interrupt)?,
    };
    let texts = text::encode(items.iter().filter_map(Item::text))?;
    let repeats = repeats::encode(repeats)?;
    let sizes = ColumnSizes {
        tags: (tags.len() + new_players.len() + repeats.len()) as u64,
        layout: layout.len() as u64,
        text: (kinds.len() + texts.lengths.len() + texts.bytes.len()) as u64,
    };
    let columns = join::<PARTS>([
        &kinds,
        &tags,
        &new_players,
        &texts.lengths,
        &texts.bytes,
        layout,
        &repeats,
    ]);
    Ok((columns, sizes))
}

/// The columns of a block of `games` games; `limit` is how many bytes the block's original has.
///
/// # Errors
/// [`Error::Damaged`] if `columns` is not what [`encode`] writes for so many games, [`Error::Limit`] if they hold more
/// than `limit`.
pub fn decode_columns(columns: &[u8], games: u64, limit: usize) -> Result<Columns> {
    decode_columns_until(columns, games, limit, u64::MAX)
}

/// Decodes columns as [`decode_columns`] does, but tags only of the games before number `end`, counted from 0. The others
/// get none, and what is wrong with theirs is not found. Tags are coded game by game, and take most of the time.
///
/// ```
/// use plyzip_codec::Model;
/// use plyzip_codec::block::{decode_columns_until, encode_block};
///
/// let pgn = b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n";
/// let block = encode_block(pgn, &Model::none(), 192)?;
/// let columns = decode_columns_until(&block.columns, 2, pgn.len(), 1)?;
/// let tags: Vec<usize> = columns.items.iter().map(|item| item.game().unwrap().tags.len()).collect();
/// assert_eq!(tags, [1, 0]);
/// # Ok::<(), plyzip_codec::Error>(())
/// ```
///
/// # Errors
/// Those of [`decode_columns`].
pub fn decode_columns_until(columns: &[u8], games: u64, limit: usize, end: u64) -> Result<Columns> {
    let [kinds, tags, new_players, lengths, texts, layout, repeats] = split::<PARTS>(columns)?;
    let mut items = text::decode_items(kinds, games, limit)?;
    let (coded, mut repeats) = (repeats, vec![]);
    let mut known: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    if !known.is_empty() {
        repeats = repeats::decode(coded, known.len())?;
        tags::decode_early(EarlyTags { tags, new_players }, &mut known, &repeats, limit, end)?;
        check_starts(&known, &repeats, end)?;
    } else if !tags.is_empty() || !new_players.is_empty() || !coded.is_empty() {
        return Err(Error::damaged("tags of no game"));
    }
    let texts = text::EncodedTexts { lengths, bytes: texts };
    text::decode(texts, items.iter_mut().filter_map(Item::text_mut), limit)?;
    let layout = match layout {
        [] => LayoutPrior::usual()?,
        coded => LayoutPrior::decode(coded, limit)?,
    };
    Ok(Columns { items, layout, repeats })
}

/// Makes sure that games before number `end` begin like those whose moves they have.
fn check_starts(games: &[&mut Game], repeats: &[Option<Repeat>], end: u64) -> Result<()> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    for (game, repeat) in games.iter().zip(repeats).take(end) {
        if let Some(Repeat { of, has_tags: false, .. }) = repeat
            && repeats::start(game) != repeats::start(games[*of])
        {
            return Err(Error::damaged("a game that repeats one with another start"));
        }
    }
    Ok(())
}

/// Cuts items into pages of `page_games` games: the ranges of their items. A page begins with its first game, the first
/// page with the first item; without games there is one page.
pub fn page_ranges(items: &[Item], page_games: u64) -> Vec<Range<usize>> {
    let starts = (0u64..)
        .zip(items.iter().enumerate().filter(|(_, item)| item.game().is_some()))
        .filter(|(game, _)| *game > 0 && game % page_games == 0)
        .map(|(_, (index, _))| index);
    let starts: Vec<usize> = [0].into_iter().chain(starts).collect();
    let ends = starts.iter().skip(1).copied().chain([items.len()]);
    starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
}
