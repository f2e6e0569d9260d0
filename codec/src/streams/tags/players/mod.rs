//! Model of the pairings of an event: its players, and who of them plays next.

mod order;

use self::order::{Order, View};
use shakmaty::Color;

use crate::Result;
use crate::entropy::{Coder, ContextMixer, hash};
use crate::streams::values::{HashMap, Id};

/// The players of every event, and when they played.
#[derive(Debug, Clone)]
pub(super) struct Players {
    mixing: ContextMixer,
    /// The players of an event, the most recent first.
    events: HashMap<Id, Vec<Entrant>>,
    /// Pairs that have met in an event: event, White, Black.
    met: HashMap<(Id, Id, Id), u32>,
    /// The players of the last two games, the last first.
    last: [[Id; 2]; 2],
    /// Whether players were found among those of their event, the last in bit 0.
    found: u32,
    order: Order,
}

/// A player in an event.
#[derive(Debug, Clone, Copy)]
struct Entrant {
    player: Id,
    games: u32,
    side: Color,
    last_round: i64,
    /// Twice the points in the event.
    points: i32,
    /// The first 64 rounds as bits.
    rounds: u64,
    /// The rating in the last game.
    elo: Option<i64>,
}

/// The facts of a game that are known when its players are coded.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pairing {
    /// The event, as a value's number or a hash.
    pub event: Id,
    /// The first number of the round, 0 if it has none.
    pub round: i64,
    /// White, if coded already.
    pub white: Option<Id>,
    /// The last rating of that player.
    pub white_elo: Option<i64>,
}

impl Pairing {
    /// White, among the players of the event.
    fn white_among(self, entrants: &[Entrant]) -> Option<&Entrant> {
        self.white.and_then(|white| entrants.iter().find(|entrant| entrant.player == white))
    }
}

/// Most players of an event that are tried.
const MOST_TRIED: usize = 160;

const AMONG: usize = 0;
const WHO: usize = 1;

impl Players {
    /// A model that has seen nothing.
    pub fn new(slot_bits: u32) -> Players {
        Players {
            mixing: ContextMixer::new(slot_bits, 8, 4, 256),
            events: HashMap::default(),
            met: HashMap::default(),
            last: [[Id::MAX; 2]; 2],
            found: 0,
            order: Order::new(),
        }
    }

    /// The mixer, for its warm start.
    pub fn mixer(&mut self) -> &mut ContextMixer {
        &mut self.mixing
    }

    /// Codes `player` if it is one of those who have played in the event; `None` if it
    /// is not, or not among the most recent ones.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Color,
        pairing: Pairing,
        player: Option<Id>,
    ) -> Result<Option<Id>> {
        if !self.events.contains_key(&pairing.event) {
            return Ok(None);
        }
        // White is coded first, and knows nothing of Black.
        let white = pairing.white.filter(|_| side == Color::Black);
        let pairing = Pairing { white, white_elo: white.and(pairing.white_elo), ..pairing };
        match self.among(coder, side, pairing, player)? {
            true => self.who(coder, side, pairing, player),
            false => Ok(None),
        }
    }

    /// Codes whether `player` is among those who have played in the event of late.
    fn among<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Color,
        pairing: Pairing,
        player: Option<Id>,
    ) -> Result<bool> {
        let tried = self.events.get(&pairing.event).map_or(&[][..], |entrants| tried(entrants));
        let among =
            tried.iter().any(|entrant| Some(entrant.player) == player && pairing.white != player);
        let size = size(tried);
        let white_entrant = pairing.white_among(tried);
        let white_kind = match (side, white_entrant) {
            (Color::White, _) => 0,
            (Color::Black, None) => 1,
            (Color::Black, Some(entrant)) => {
                2 + u32::from(self.last[0].contains(&entrant.player)) + entrant.games.min(3) * 2
            }
        };
        let games: u32 = tried.iter().map(|entrant| entrant.games).sum();
        let fullness = games * 4 / tried.len().max(1) as u32;
        let contexts = [
            hash(size, white_kind),
            hash(self.found & 15, white_kind),
            hash(pairing.event, white_kind.min(2)),
            hash(fullness.min(40), white_kind),
            hash(self.found & 3, hash(size, fullness.min(16))),
            hash(hash(pairing.event, pairing.round as u32), white_kind.min(2)),
            hash(games.min(255), white_kind.min(2)),
            hash(free_class(tried, pairing.round), hash(white_kind, pairing.round.min(20) as u32)),
        ];
        let among = self.mixing.code(coder, &contexts, AMONG, white_kind as usize, among)?;
        self.found = self.found << 1 | u32::from(among);
        Ok(among)
    }

    /// Codes which of the players of the event it is.
    fn who<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Color,
        pairing: Pairing,
        player: Option<Id>,
    ) -> Result<Option<Id>> {
        let white = pairing.white;
        let tried = self.events.get(&pairing.event).map_or(&[][..], |entrants| tried(entrants));
        let size = size(tried);
        let round_bit = round_bit(pairing.round);
        let white_elo = pairing.white_elo;
        // A player whose points are not those of others is not their opponent, as a rule; the leaders come first.
        let free = tried.iter().filter(|entrant| entrant.rounds & round_bit == 0);
        let most = free.map(|entrant| entrant.points).max().unwrap_or(0);
        let measure = pairing.white_among(tried).map_or(most, |entrant| entrant.points);
        let view = View { side, round: pairing.round, points: measure, elo: white_elo };
        let white_place = tried.iter().position(|entrant| white == Some(entrant.player));
        let mut left = self.order.chances(&view, tried, white_place);
        let mut passed = Vec::new();
        while let Some(chance) = left.pop() {
            let rank = passed.len();
            let entrant = tried[chance.recency()];
            let Some(next) = left.peek() else {
                self.order.learn(side, &passed, &chance, &left);
                return Ok(Some(entrant.player));
            };
            // How much likelier than the next, and how likely among all, the entrant looks.
            let lead = (chance.score - next.score).min(1023);
            let recent = |game: [Id; 2]| match entrant.player {
                player if player == game[0] => 1,
                player if player == game[1] => 2,
                _ => 0,
            };
            let place = recent(self.last[0]) * 3 + recent(self.last[1]);
            let white_place = white.map_or(0, |white| {
                1 + u32::from(self.last[0].contains(&white))
                    + 2 * u32::from(self.last[1].contains(&white))
            });
            let playing = u32::from(entrant.rounds & round_bit != 0);
            let gap = (pairing.round - entrant.last_round).clamp(-3, 3) as u32;
            let colour = u32::from(entrant.side == side);
            let meetings = white.map_or(0, |white| {
                let met = |a, b| self.met.get(&(pairing.event, a, b)).copied().unwrap_or(0).min(2);
                1 + met(white, entrant.player) + 3 * met(entrant.player, white)
            });
            let difference = match (white_elo, entrant.elo) {
                (Some(white), Some(black)) => ((black - white) / 40).clamp(-12, 12) as u32,
                _ => 99,
            };
            let behind = (measure - entrant.points).clamp(-6, 12) as u32;
            let state = hash(place << 8 | playing << 7 | colour << 6, white_place);
            let contexts = [
                hash(state, gap),
                hash(rank.min(40) as u32, hash(playing, hash(size, behind))),
                hash(entrant.player, white.unwrap_or(0)),
                hash(meetings, hash(playing, gap)),
                hash(difference, hash(playing, meetings)),
                hash(pairing.event, hash(playing, meetings)),
                hash(
                    behind,
                    hash(colour << 1 | playing, hash(meetings, difference.wrapping_add(2) / 4)),
                ),
                hash(rank.min(20) as u32, hash((lead / 64) as u32, (chance.score / 128) as u32)),
            ];
            let hit = Some(entrant.player) == player;
            let detail = (rank.min(15) << 1 | playing as usize) * 2 + usize::from(side.is_black());
            let family = WHO + usize::from(side.is_black());
            if self.mixing.code(coder, &contexts, family, detail, hit)? {
                self.order.learn(side, &passed, &chance, &left);
                return Ok(Some(entrant.player));
            }
            passed.push(chance);
        }
        Ok(None)
    }

    /// Learns from a game: White and Black, their last ratings, and the index of the result.
    pub fn learn(
        &mut self,
        pairing: Pairing,
        players: [Id; 2],
        elos: [Option<i64>; 2],
        result: Option<usize>,
    ) {
        let points = match result {
            Some(0) => [2, 0],
            Some(1) => [0, 2],
            Some(2) => [1, 1],
            _ => [0, 0],
        };
        let entrants = self.events.entry(pairing.event).or_default();
        for (place, side) in [Color::White, Color::Black].into_iter().enumerate() {
            let player = players[place];
            let mut entrant = match entrants.iter().position(|entrant| entrant.player == player) {
                Some(index) => entrants.remove(index),
                None => Entrant {
                    player,
                    games: 0,
                    side,
                    last_round: pairing.round,
                    rounds: 0,
                    points: 0,
                    elo: None,
                },
            };
            entrant.games += 1;
            entrant.points += points[place];
            entrant.side = side;
            entrant.last_round = pairing.round;
            entrant.rounds |= round_bit(pairing.round);
            entrant.elo = elos[place];
            entrants.insert(0, entrant);
        }
        entrants.truncate(MOST_TRIED);
        *self.met.entry((pairing.event, players[0], players[1])).or_default() += 1;
        self.last = [players, self.last[0]];
    }

    /// Number of players of an event who have no game in a round yet, in classes.
    pub fn free(&self, event: Id, round: i64) -> u32 {
        self.events.get(&event).map_or(99, |entrants| free_class(entrants, round))
    }
}

/// Those of the players of an event that are tried.
fn tried(entrants: &[Entrant]) -> &[Entrant] {
    &entrants[..entrants.len().min(MOST_TRIED)]
}

/// The binary digits of how many there are.
fn size(entrants: &[Entrant]) -> u32 {
    32 - (entrants.len() as u32).leading_zeros()
}

/// How many of some players have no game in a round yet, in classes; 99 for rounds without a number.
fn free_class(entrants: &[Entrant], round: i64) -> u32 {
    let bit = round_bit(round);
    if bit == 0 {
        return 99;
    }
    let free = entrants.iter().filter(|entrant| entrant.rounds & bit == 0).count() as u32;
    match free {
        0..=8 => free,
        _ => 6 + free.ilog2(),
    }
}

fn round_bit(round: i64) -> u64 {
    if (1..64).contains(&round) { 1 << round } else { 0 }
}
