//! The header of a single game: the facts that writer and reader know without its bytes.

use shakmaty::{ByColor, Chess};

use crate::features::GameContext;
use crate::pgn::Game;
use crate::predict::Player;

/// The side information of a single game: facts that writer and reader both know without its bytes.
///
/// The more of it is known, the fewer bytes a game takes; but the reader must give exactly what the writer gave.
/// The default is a game from the initial position of which nothing is known.
///
/// ```
/// use plyzip::{GameHeader, Pace, Player};
///
/// let pgn = b"[Event \"Blitz\"]\n[White \"Morphy, P\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
/// let game = &plyzip::pgn::parse(pgn).items[0];
/// let header = GameHeader::from_tags(game.game().unwrap()).unwrap();
/// assert_eq!(header.start, shakmaty::Chess::default());
/// assert_eq!(header.context.pace, Some(Pace::Blitz));
/// assert_eq!(header.players.white, Player::named(b"Morphy, P"));
/// assert_eq!(header, GameHeader::new().context(header.context).players(header.players));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameHeader {
    /// The position before the first move. The number that its next move has does not matter.
    pub start: Chess,
    /// Ratings, result, year and pace.
    pub context: GameContext,
    /// The players. Spellings of a name that share [`Player::repertoire`] are as good as each other.
    pub players: ByColor<Player>,
}

impl GameHeader {
    /// A game from the initial position of which nothing is known.
    pub fn new() -> GameHeader {
        GameHeader::default()
    }

    /// The same, from this position.
    #[must_use]
    pub fn start(self, start: Chess) -> GameHeader {
        GameHeader { start, ..self }
    }

    /// The same, of which this is known.
    #[must_use]
    pub fn context(self, context: GameContext) -> GameHeader {
        GameHeader { context, ..self }
    }

    /// The same, between these players.
    #[must_use]
    pub fn players(self, players: ByColor<Player>) -> GameHeader {
        GameHeader { players, ..self }
    }

    /// What a game's tags say; `None` if they name no start that plyzip knows ([`Game::start`]).
    pub fn from_tags(game: &Game) -> Option<GameHeader> {
        let player = |side| Player::named(game.tag(side).unwrap_or_default());
        Some(GameHeader {
            start: game.start()?,
            context: GameContext::from_tags(game),
            players: ByColor { white: player("White"), black: player("Black") },
        })
    }
}
