//! Bytes on their way into blocks: where one block ends and the next begins.

use plyzip_codec::block::prefix_within;

use super::options::WriterOptions;

use crate::pgn::game_starts;

/// What a block may weigh once it is read, in tokens (see [`prefix_within`]); a block of 32 MiB of real games weighs
/// less. Bounds the memory that a block of nothing but marks and tiny games takes.
const MAX_WEIGHT: usize = 12 << 20;

/// Bytes that are in no block yet.
#[derive(Debug, Default)]
pub struct Pending {
    bytes: Vec<u8>,
    /// Where the next block begins in `bytes`; what is before is written.
    begin: usize,
    /// Whether the bytes may hold a block.
    look: bool,
}

impl Pending {
    /// Takes bytes from `rest`, as many as fit a block.
    pub fn fill(&mut self, rest: &mut &[u8], options: &WriterOptions) {
        self.bytes.drain(..self.begin);
        self.begin = 0;
        let room = options.block_bytes - self.bytes.len();
        let (taken, left) = rest.split_at(rest.len().min(room));
        self.bytes.extend(taken);
        *rest = left;
        self.look = self.bytes.len() == options.block_bytes;
    }

    /// From now on no more bytes come.
    pub fn close(&mut self) {
        self.look = true;
    }

    /// The bytes of the next block: those before the game that is one too many. If there is
    /// no such game, those before the last game, when there is no room for more bytes, and all,
    /// when no `more` come. Fewer, if these would take too much memory.
    ///
    /// Looks only at bytes that fill a block, or at the last ones, so that where blocks
    /// are cut does not depend on how the original is pushed.
    pub fn next_block(&mut self, more: bool, options: &WriterOptions) -> Option<&[u8]> {
        if !self.look {
            return None;
        }
        let bytes = &self.bytes[self.begin..];
        let full = bytes.len() == options.block_bytes;
        let games = usize::try_from(options.block_games).unwrap_or(usize::MAX);
        let after = |start: &usize| *start > 0;
        let cut = game_starts(bytes).nth(games).or_else(|| match more {
            true if full => Some(game_starts(bytes).filter(after).last().unwrap_or(bytes.len())),
            true => None,
            false => Some(bytes.len()).filter(after),
        });
        self.look = cut.is_some();
        let block = &bytes[..cut?];
        let light = prefix_within(block, MAX_WEIGHT);
        if light == block.len() {
            return Some(block);
        }
        let cut = game_starts(&block[..light]).filter(after).last().unwrap_or(light);
        Some(&block[..cut])
    }

    /// Forgets the next block, whose length is `length`.
    pub fn remove(&mut self, length: usize) {
        self.begin += length;
    }
}

/// The length of the first game in `bytes`, with everything before the second.
pub fn first_game(bytes: &[u8]) -> usize {
    game_starts(bytes).find(|&start| start > 0).unwrap_or(bytes.len())
}

/// Whether `bytes` are one game, and what follows them another.
pub fn is_one_game(bytes: &[u8]) -> bool {
    let followed = [bytes, b"[Event \"\"]"].concat();
    game_starts(&followed).eq([0, bytes.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Limits;

    #[test]
    fn one_game_is_cut_off_on_both_sides() {
        for game in ["[A \"\"]\n\n*\n\n", "[A \"\"]\n\n*\n", "[A \"\"]\r\n\r\n*\r\n\r\n"] {
            assert!(is_one_game(game.as_bytes()), "{game:?}");
        }
        for other in
            ["", "*\n\n", "[A \"\"]\n\n*", "[A \"\"]\n\n*\n[A \"\"]\n\n*\n", "\n[A \"\"]\n*\n"]
        {
            assert!(!is_one_game(other.as_bytes()), "{other:?}");
        }
    }

    #[test]
    fn what_precedes_the_first_game_is_in_its_block() {
        let options = WriterOptions::new().block_games(1);
        let mut pending = Pending::default();
        let text = b"\xEF\xBB\xBF[A \"\"]\n\n*\n\n[B \"\"]\n\n*\n";
        pending.fill(&mut &text[..], &options);
        assert_eq!(pending.next_block(true, &options), None);
        pending.close();
        assert_eq!(pending.next_block(false, &options), Some(&text[..14]));
        pending.remove(14);
        assert_eq!(pending.next_block(false, &options), Some(&text[14..]));
        pending.remove(10);
        assert_eq!(pending.next_block(false, &options), None);
    }

    #[test]
    fn a_block_has_no_more_games_than_readers_take() {
        let options = WriterOptions::default();
        let most = Limits::default().block_games as usize;
        // Without tags, and behind a game with tags.
        for head in ["", "[A \"\"]\n*\n\n[A \"\"]\n"] {
            let text = [head.as_bytes(), &b"e4*".repeat(most + 1)].concat();
            let mut pending = Pending::default();
            pending.fill(&mut &text[..], &options);
            pending.close();
            let mut rest = &text[..];
            while let Some(block) = pending.next_block(false, &options) {
                assert!(rest.starts_with(block) && !block.is_empty());
                assert!(block.iter().filter(|&&byte| byte == b'*').count() < most);
                rest = &rest[block.len()..];
                let length = block.len();
                pending.remove(length);
            }
            assert!(rest.is_empty());
        }
    }
}
