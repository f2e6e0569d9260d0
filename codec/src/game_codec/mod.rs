//! One game in a few bytes, for those who keep games in a database.

mod check;
mod class;
mod forecast;
mod header;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use shakmaty::Move;

use self::check::check;
use self::class::{check_first_byte, first_byte};
pub use self::forecast::Forecast;
pub use self::header::GameHeader;
use crate::entropy::{Coder, Encoder, Recoder};
use crate::predict::{Model, Predictor, Run};
use crate::streams::moves::{self, EvidenceUse, LineJob};
use crate::{Error, Interrupt, Result};

/// Encodes single games: the moves and the end.
///
/// Whoever decodes must know the [`GameHeader`] that the game was encoded with, and have the same model. Nothing is
/// remembered from game to game, so each decodes alone; an archive of many games is denser.
///
/// # What the bytes tell
///
/// The first byte names the generation of the predictor and the class of the model: 0x10 for a model without a
/// network, 0x11 with a network, 0x12 with a network and a search. All other values are reserved for later
/// generations. A check of the model, the header and the game fills what is left of the last byte, 10 to 18 bits, and
/// nothing is decoded that is not exactly what [`GameCodec::encode`] writes. Together that takes some 19.5 bits a game.
///
/// So bytes that are damaged, or are read with another model or header, give an error. Where the class of the model is
/// wrong, that is certain. Otherwise a wrong game comes out of 1 in some 150,000. With another header that changes no
/// probability, as many headers do without a network, the right game comes out of 1 in some 5,700. docs/single-games.md
/// has the details.
///
/// # Example
///
/// ```
/// use plyzip::{GameCodec, GameHeader, Model};
/// use shakmaty::{Chess, Position, san::San};
///
/// // Paul Morphy's game in the Paris opera, 1858
/// let text = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 \
///             cxb5 Bxb5 Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7 Nxd7 Qb8 Nxb8 Rd8";
/// let mut position = Chess::default();
/// let mut moves = vec![];
/// for san in text.split_whitespace() {
///     let played = san.parse::<San>()?.to_move(&position)?;
///     position.play_unchecked(played);
///     moves.push(played);
/// }
///
/// let codec = GameCodec::new(Model::none());
/// let header = GameHeader::default(); // the initial position, unknown players
/// let bytes = codec.encode(&header, &moves)?; // 33 moves
/// assert_eq!(bytes, [16, 202, 234, 204, 235, 58, 241, 34, 106, 137, 113, 183, 34]);
/// assert_eq!(codec.decode(&header, &bytes)?, moves);
///
/// let standard = GameCodec::new(Model::embedded()?);
/// assert!(standard.decode(&header, &bytes).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GameCodec {
    run: Run,
}

/// Most moves of a game that [`GameCodec`] encodes or decodes: no game on record comes near.
pub const MAX_MOVES: usize = 20_000;

impl GameCodec {
    /// A codec that predicts with `model`.
    pub fn new(model: Model) -> GameCodec {
        GameCodec { run: Run::new(model) }
    }

    /// The same codec, for work that gives [`Error::Interrupted`] once `interrupt` is set.
    #[must_use]
    pub fn interrupted_by(self, interrupt: &Interrupt) -> GameCodec {
        GameCodec { run: self.run.interrupted_by(interrupt) }
    }

    /// What predicts.
    pub fn model(&self) -> &Model {
        self.run.model()
    }

    /// The bytes of a game of at most [`MAX_MOVES`] moves.
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal or there are too many, [`Error::Model`] if the
    /// network fails.
    pub fn encode(&self, header: &GameHeader, moves: &[Move]) -> Result<Vec<u8>> {
        if moves.len() > MAX_MOVES {
            return Err(Error::Usage(format!("a game of more than {MAX_MOVES} moves")));
        }
        let first = first_byte(self.model());
        let mut encoder = Encoder::new();
        self.code(&mut encoder, header, moves.to_vec())?;
        let check = check(first, self.model(), header, moves);
        Ok([&[first][..], &encoder.finish_with_check(check)].concat())
    }

    /// The moves of a game that [`GameCodec::encode`] wrote with the same header and model.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the bytes are of a later generation, [`Error::Model`] if they are of another
    /// class of model or the network fails, [`Error::Damaged`] if they are not of a game with this header and model.
    pub fn decode(&self, header: &GameHeader, bytes: &[u8]) -> Result<Vec<Move>> {
        let (&first, rest) = bytes.split_first().ok_or_else(|| Error::damaged("no byte"))?;
        check_first_byte(first, self.model())?;
        let mut recoder = Recoder::new(rest);
        let moves = self.code(&mut recoder, header, vec![])?;
        if recoder.finish(check(first, self.model(), header, &moves)) {
            Ok(moves)
        } else {
            Err(Error::damaged("not a game with this header and model"))
        }
    }

    /// [`GameCodec::encode`] of many games, on all threads of the present rayon pool. The bytes of a game do not depend
    /// on the others nor on the number of threads.
    pub fn encode_batch(&self, games: &[(GameHeader, Vec<Move>)]) -> Vec<Result<Vec<u8>>> {
        games.par_iter().map(|(header, moves)| self.encode(header, moves)).collect()
    }

    /// [`GameCodec::decode`] of many games, on all threads of the present rayon pool.
    ///
    /// ```
    /// use plyzip::{GameCodec, GameHeader, Model};
    ///
    /// let codec = GameCodec::new(Model::none());
    /// let header = GameHeader::default();
    /// let empty = codec.encode(&header, &[])?;
    /// let games = codec.decode_batch(&[(header.clone(), empty), (header, vec![7])]);
    /// assert!(games[0].as_ref().is_ok_and(Vec::is_empty));
    /// assert!(games[1].is_err());
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    pub fn decode_batch(&self, games: &[(GameHeader, Vec<u8>)]) -> Vec<Result<Vec<Move>>> {
        games.par_iter().map(|(header, bytes)| self.decode(header, bytes)).collect()
    }

    /// Codes a game's moves and its end; all its moves.
    fn code<C: Coder>(
        &self,
        coder: &mut C,
        header: &GameHeader,
        moves: Vec<Move>,
    ) -> Result<Vec<Move>> {
        let GameHeader { start, context, players } = header;
        let mut job = LineJob::new(start.clone(), *context, *players, moves);
        let (predictor, jobs) = (&mut Predictor::new(&self.run), std::slice::from_mut(&mut job));
        moves::code(coder, predictor, jobs, MAX_MOVES, None, EvidenceUse::Once)?;
        Ok(job.moves)
    }
}
