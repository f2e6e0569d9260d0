//! Games whose length stands in front, and games whose end is one more possibility.

use plyzip_codec::{Error, Result};
use shakmaty::{Chess, Move};

use super::Robison;
use crate::ordinal::code::Player;
use crate::ordinal::order::{Walk, ordinal};
use crate::ordinal::symbols::{Sink, Source};

impl Robison {
    /// The game without and with its end as a possibility.
    pub(super) fn write(&self, start: &Chess, moves: &[Move]) -> Result<(Sink, Result<Sink>)> {
        let mut walk = Walk::new(start, &self.order);
        let mut counted = Sink::new(self.symbols);
        let mut ended = Ok(Sink::new(self.symbols));
        // Forced moves since the last choice.
        let mut forced = 0;
        for &played in moves {
            let ranked = walk.ranked()?;
            let (which, legal) =
                (ordinal(&ranked.moves, played)? as u32, ranked.moves.len() as u32);
            if legal == 1 && self.forced_is_free() {
                forced += 1;
            } else {
                put_forced(&mut counted, &mut forced)?;
                self.put(&mut counted, which, legal, ranked.reasonable)?;
            }
            ended = ended.and_then(|mut sink| {
                self.put(&mut sink, which, legal + 1, ranked.reasonable).map(|()| sink)
            });
            walk.play(played);
        }
        put_forced(&mut counted, &mut forced)?;
        let ranked = walk.ranked()?;
        let legal = ranked.moves.len() as u32;
        if legal > 0 {
            ended = ended.and_then(|mut sink| {
                self.put(&mut sink, legal, legal + 1, ranked.reasonable).map(|()| sink)
            });
        }
        Ok((counted, ended))
    }

    /// Reads a game with its length in front.
    pub(super) fn read_counted(&self, start: &Chess, source: &mut Source) -> Result<Vec<Move>> {
        let mut player = Player::new(start, &self.order);
        while !source.is_empty() {
            let ranked = player.ranked()?;
            let legal = ranked.moves.len() as u32;
            if legal == 1 && self.forced_is_free() {
                let both = source.take(2)? == 1;
                player.play(&ranked.moves, 0)?;
                if both {
                    let reply = player.ranked()?.moves;
                    if reply.len() != 1 {
                        return Err(Error::damaged("a forced move where there is a choice"));
                    }
                    player.play(&reply, 0)?;
                }
            } else {
                let which = self.take(source, legal, ranked.reasonable)?;
                player.play(&ranked.moves, which as usize)?;
            }
        }
        Ok(player.into_moves())
    }

    /// Reads a game that tells its end.
    pub(super) fn read_ended(&self, start: &Chess, source: &mut Source) -> Result<Vec<Move>> {
        let mut player = Player::new(start, &self.order);
        loop {
            let ranked = player.ranked()?;
            let legal = ranked.moves.len() as u32;
            if legal == 0 {
                break;
            }
            let which = self.take(source, legal + 1, ranked.reasonable)?;
            if which == legal {
                break;
            }
            player.play(&ranked.moves, which as usize)?;
        }
        Ok(player.into_moves())
    }
}

/// Writes a run of forced moves: 1 for a forced move of each player, 0 for a last one.
fn put_forced(sink: &mut Sink, forced: &mut u32) -> Result<()> {
    for _ in 0..*forced / 2 {
        sink.put(1, 2)?;
    }
    if *forced % 2 == 1 {
        sink.put(0, 2)?;
    }
    *forced = 0;
    Ok(())
}
