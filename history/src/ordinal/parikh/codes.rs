//! Reading the choices of a game.

use std::ops::Range;

use plyzip_codec::{Error, Result};
use shakmaty::MoveList;

use super::Form;
use super::choice::Choice;
use crate::bits::{BitReader, BitString};
use crate::ordinal::symbols::whole_bits;

/// The moves of each piece: ranges of ordinals.
pub fn pieces(legal: &MoveList) -> Vec<Range<u32>> {
    let mut start = 0;
    let groups = legal.chunk_by(|one, next| one.from() == next.from());
    groups
        .map(|group| {
            let range = start..start + group.len() as u32;
            start = range.end;
            range
        })
        .collect()
}

/// Reading codes.
#[derive(Debug)]
pub struct Codes {
    pub form: Form,
    /// The first bit of the next code, if the code before told it.
    pub first: Option<bool>,
    /// The payload so far.
    pub hidden: BitString,
}

impl Codes {
    /// The ordinal of the next move.
    pub fn take(&mut self, legal: &MoveList, reader: &mut BitReader) -> Result<usize> {
        if self.form == Form::PieceThenMove {
            let pieces = pieces(legal);
            let piece = self.choice(pieces.len() as u32, reader)? as usize;
            let group = pieces.get(piece).cloned().unwrap_or_default();
            let which = self.choice(group.end - group.start, reader)?;
            return Ok((group.start + which) as usize);
        }
        Ok(self.choice(legal.len() as u32, reader)? as usize)
    }

    fn choice(&mut self, of: u32, reader: &mut BitReader) -> Result<u32> {
        if of < 2 {
            return Ok(0);
        }
        let width = whole_bits(of);
        let code = match self.first.take() {
            Some(first) => u64::from(first) << (width - 1) | reader.bits(width - 1)?,
            None => reader.bits(width)?,
        };
        let (choice, lucky) = Choice::from_code(code as u32, of);
        match self.form {
            Form::Lucky => lucky.into_iter().for_each(|bit| self.hidden.push(bit)),
            Form::Stack => self.first = lucky,
            Form::Ordinal | Form::PieceThenMove if lucky == Some(true) => {
                return Err(Error::damaged("a code that stands for no move"));
            }
            Form::Ordinal | Form::PieceThenMove => {}
        }
        Ok(choice.which)
    }
}
