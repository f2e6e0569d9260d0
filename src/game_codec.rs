//! One game in a few bytes, for those who keep games in a database.

use shakmaty::{Chess, Move};

use crate::entropy::{Decoder, Encoder};
use crate::features::GameContext;
use crate::predict::{Model, Player, Predictor};
use crate::streams::moves::{LineJob, code};
use crate::{Error, Result};

/// Encodes single games: the moves and the end, nothing else.
///
/// Whoever decodes must know the start position and the [`GameContext`] that the game was
/// encoded with, and have the same model. Nothing is remembered from game to
/// game, so each decodes alone; an [archive](crate::archive) of many games is denser.
///
/// ```
/// use plyzip::{GameCodec, GameContext, Model};
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
/// let codec = GameCodec::new(Model::embedded()?);
/// let context = GameContext::default(); // no ratings, no result
/// let bytes = codec.encode(&Chess::default(), &moves, &context)?;
/// assert!(bytes.len() < 20); // 33 moves
/// assert_eq!(codec.decode(&Chess::default(), &bytes, &context)?, moves);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GameCodec {
    model: Model,
}

/// Most moves that [`GameCodec::decode`] returns: no game on record comes near.
pub const MAX_MOVES: usize = 20_000;

impl GameCodec {
    /// A codec that predicts with `model`.
    pub fn new(model: Model) -> GameCodec {
        GameCodec { model }
    }

    /// The bytes of a game of at most [`MAX_MOVES`] moves.
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal or there are too many, [`Error::Model`] if the
    /// network fails.
    pub fn encode(&self, start: &Chess, moves: &[Move], context: &GameContext) -> Result<Vec<u8>> {
        if moves.len() > MAX_MOVES {
            return Err(Error::Usage(format!("a game of more than {MAX_MOVES} moves")));
        }
        let mut encoder = Encoder::new();
        let mut jobs =
            [LineJob::new(start.clone(), *context, [Player::default(); 2], moves.to_vec())];
        code(&mut encoder, &mut Predictor::new(&self.model), &mut jobs, 0)?;
        Ok(encoder.finish())
    }

    /// The moves of a game that [`GameCodec::encode`] wrote with the same start, context and model.
    /// Other bytes give other moves or an error.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes are not of a game, [`Error::Model`] if the network fails.
    pub fn decode(&self, start: &Chess, bytes: &[u8], context: &GameContext) -> Result<Vec<Move>> {
        let mut jobs = [LineJob::new(start.clone(), *context, [Player::default(); 2], vec![])];
        code(&mut Decoder::new(bytes), &mut Predictor::new(&self.model), &mut jobs, MAX_MOVES)?;
        let [job] = jobs;
        Ok(job.moves)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;
    use tract_onnx::pb::TensorProto;

    use super::*;
    use crate::chess::{legal_moves, position_key};
    use crate::predict::book::{Position, write_book};
    use crate::predict::test_models::{model_with, tensor};

    #[test]
    fn a_book_makes_its_games_shorter() {
        // a game of the least likely sort, and a book that has it
        let (mut position, mut moves, mut known) = (Chess::default(), vec![], vec![]);
        for ply in 0..40 {
            let legal = legal_moves(&position);
            let place = ply * 7 % legal.len();
            let beyond = if ply % 3 == 0 { 255 } else { u8::from(place == 0) };
            known.push(Position {
                key: position_key(&position),
                moves: vec![(place as u8, 160), (beyond, 40)],
                rest: 16 * (ply as u32 % 2),
            });
            moves.push(legal[place]);
            position.play_unchecked(legal[place]);
        }
        let context = GameContext::default();
        let sizes = [None, Some(tensor(write_book(known)))].map(|book| {
            let codec = GameCodec::new(model_with(book).unwrap());
            let bytes = codec.encode(&Chess::default(), &moves, &context).unwrap();
            assert_eq!(codec.decode(&Chess::default(), &bytes, &context).unwrap(), moves);
            bytes.len()
        });
        assert!(sizes[1] * 3 < sizes[0], "{sizes:?}");
    }

    #[test]
    fn a_book_of_moves_that_do_not_exist_changes_nothing() {
        // as if another position had the same key
        let start = Chess::default();
        let key = position_key(&start);
        let book = write_book(vec![Position { key, moves: vec![(63, 160), (20, 16)], rest: 0 }]);
        let moves = [legal_moves(&start)[3]];
        let context = GameContext::default();
        let [with, without] = [Some(tensor(book)), None].map(|book| {
            GameCodec::new(model_with(book).unwrap()).encode(&start, &moves, &context).unwrap()
        });
        assert_eq!(with, without);
    }

    #[test]
    fn a_repertoire_makes_the_games_of_its_player_shorter() {
        // White plays what is unlikely, and is known for it.
        let champion = Player::named(b"Champion,A");
        let (mut position, mut moves, mut known) = (Chess::default(), vec![], vec![]);
        for ply in 0..40 {
            let legal = legal_moves(&position);
            let place = ply * 7 % legal.len();
            if ply % 2 == 0 {
                known.push(Position {
                    key: position_key(&position) ^ champion.repertoire().unwrap(),
                    moves: vec![(place as u8, 160)],
                    rest: 0,
                });
            }
            moves.push(legal[place]);
            position.play_unchecked(legal[place]);
        }
        let repertoires =
            TensorProto { name: "plyzip.repertoires".into(), ..tensor(write_book(known)) };
        let model = model_with(Some(repertoires)).unwrap();
        let other = Player::named(b"Other,A");
        let [whites, blacks, nobodys] =
            [[champion, other], [other, champion], [Player::default(); 2]].map(|players| {
                let context = GameContext::default();
                let job = |moves: &[Move]| {
                    LineJob::new(Chess::default(), context, players, moves.to_vec())
                };
                let (mut encoder, mut jobs) = (Encoder::new(), [job(&moves)]);
                code(&mut encoder, &mut Predictor::new(&model), &mut jobs, 0).unwrap();
                let bytes = encoder.finish();
                let mut decoder = Decoder::new(&bytes);
                let mut jobs = [job(&[])];
                code(&mut decoder, &mut Predictor::new(&model), &mut jobs, moves.len()).unwrap();
                assert_eq!(jobs[0].moves, moves);
                bytes.len()
            });
        assert!(whites * 3 < nobodys * 2, "{whites} {nobodys}");
        assert_eq!(blacks, nobodys);
    }
}
