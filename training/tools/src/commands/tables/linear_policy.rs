//! `linear-policy`: the weights of the linear policy, `codec/tables/policy.bin`.
//!
//! Stochastic gradient descent on the cross-entropy of the move played. The step of each weight is divided by the root of
//! the sum of its squared gradients so far (Duchi, Hazan, Singer: "Adaptive Subgradient Methods", 2011), and falls linearly
//! to 2 % of the first step. Threads share the weights without locks (Niu, Recht, Ré, Wright: "Hogwild!", 2011).

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use clap::Args;
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::features::{MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS, move_features};
use plyzip::unstable::predict::linear_policy::{
    ATTRIBUTES, POLICY_SIZE, PROPERTIES, WEIGHT_BITS, attributes, properties, stage,
};
use shakmaty::Chess;

use crate::packed::{self, Game};

/// Learn what the model `none` knows beforehand: codec/tables/policy.bin
#[derive(Args)]
pub struct Arguments {
    /// Packed games to learn from, in random order (plyzip-training pack)
    packed: PathBuf,

    /// The file to write: one i8 a weight, in units of 2^-5 nat
    out: PathBuf,

    /// Learn from so many games, or as many as there are
    #[arg(long, default_value_t = usize::MAX)]
    games: usize,

    /// With one thread the same games give the same file
    #[arg(long, default_value_t = 1)]
    threads: usize,

    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// First and least step of a weight, in nats, before the division.
const STEPS: [f32; 2] = [0.07, 0.0014];

/// Gradients below these are skipped: of pairs, of features.
const NEGLIGIBLE: [f32; 2] = [1e-3, 1e-4];

/// Games from which a thread picks the next position at random.
const POOL: usize = 128;

/// Positions between two lines of progress.
const REPORT: u64 = 500_000;

/// A weight in nats and one plus the sum of its squared gradients, both `f32`.
#[derive(Debug)]
struct Weight([AtomicU32; 2]);

impl Weight {
    fn get(&self) -> f32 {
        f32::from_bits(self.0[0].load(Relaxed))
    }

    fn learn(&self, error: f32, step: f32) {
        let squares = f32::from_bits(self.0[1].load(Relaxed)) + error * error;
        self.0[1].store(squares.to_bits(), Relaxed);
        let moved = self.get() + step * error / squares.sqrt();
        self.0[0].store(moved.to_bits(), Relaxed);
    }
}

/// A generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * bound as u128) >> 64) as usize
    }
}

/// A position to learn from: its properties, and for each legal move the attributes and features.
struct Example {
    properties: Vec<u16>,
    attributes: Vec<[usize; 3]>,
    features: Vec<MoveIndices>,
    /// Index of the first weight of the features.
    stage: usize,
}

impl Example {
    fn logits(&self, weights: &[Weight]) -> Vec<f32> {
        let logits = self.attributes.iter().zip(&self.features).map(|(attributes, features)| {
            let row = |&property: &u16| &weights[usize::from(property) * ATTRIBUTES..];
            let rows = self.properties.iter().map(row);
            let pairs: f32 =
                rows.map(|row| attributes.iter().map(|&a| row[a].get()).sum::<f32>()).sum();
            let features = features[..PLAIN_SLOTS].iter();
            pairs + features.map(|&f| weights[self.stage + usize::from(f)].get()).sum::<f32>()
        });
        logits.collect()
    }

    /// Learns that move `played` was played; its cost in bits.
    fn learn(&self, weights: &[Weight], played: usize, step: f32) -> f64 {
        let mut shares = self.logits(weights);
        let largest = shares.iter().copied().fold(f32::MIN, f32::max);
        shares.iter_mut().for_each(|logit| *logit = (*logit - largest).exp());
        let sum: f32 = shares.iter().sum();
        let mut of_attributes = vec![0f32; ATTRIBUTES];
        for (index, (attributes, features)) in
            self.attributes.iter().zip(&self.features).enumerate()
        {
            let error = f32::from(u8::from(index == played)) - shares[index] / sum;
            attributes.iter().for_each(|&attribute| of_attributes[attribute] += error);
            if error.abs() > NEGLIGIBLE[1] {
                for &feature in &features[..PLAIN_SLOTS] {
                    weights[self.stage + usize::from(feature)].learn(error, step);
                }
            }
        }
        of_attributes.iter_mut().filter(|e| e.abs() <= NEGLIGIBLE[0]).for_each(|e| *e = 0.0);
        let errors: Vec<(usize, f32)> =
            of_attributes.into_iter().enumerate().filter(|&(_, error)| error != 0.0).collect();
        for &property in &self.properties {
            let row = &weights[usize::from(property) * ATTRIBUTES..][..ATTRIBUTES];
            errors.iter().for_each(|&(attribute, error)| row[attribute].learn(error, step));
        }
        f64::from(-(shares[played] / sum).max(1e-9).log2())
    }
}

/// A game that is being replayed.
struct Replay<'a> {
    history: History,
    game: &'a Game<'a>,
    ply: usize,
}

impl Replay<'_> {
    /// The position on the board, if there is more than one move, and the move played there.
    fn example(&self) -> (Option<Example>, usize) {
        let played = usize::from(self.game.moves[self.ply]);
        let legal = legal_moves(self.history.position());
        if legal.len() < 2 {
            return (None, played);
        }
        let mut features = vec![];
        move_features(&self.history, &legal, None, &mut features);
        let example = Example {
            properties: properties(&self.history, &self.game.context()),
            attributes: features.iter().map(attributes).collect(),
            stage: PROPERTIES * ATTRIBUTES + stage(self.history.ply()) * PLAIN_FEATURES,
            features,
        };
        (Some(example), played)
    }
}

/// Learns from `order`ed games until `next` is at their end.
fn learn(
    weights: &[Weight],
    games: &[Game],
    order: &[usize],
    next: &AtomicUsize,
    mut random: Random,
) {
    let mut pool: Vec<Replay> = vec![];
    let (mut cost, mut positions) = (0.0, 0);
    loop {
        while pool.len() < POOL
            && let Some(&game) = order.get(next.fetch_add(1, Relaxed))
        {
            let history = History::new(Chess::default());
            pool.push(Replay { history, game: &games[game], ply: 0 });
        }
        if pool.is_empty() {
            return;
        }
        let place = random.below(pool.len());
        let replay = &mut pool[place];
        if replay.ply == replay.game.moves.len() {
            pool.swap_remove(place);
            continue;
        }
        let (example, played) = replay.example();
        if let Some(example) = example {
            let done = next.load(Relaxed).min(order.len()) as f32 / order.len() as f32;
            cost += example.learn(weights, played, (STEPS[0] * (1.0 - done)).max(STEPS[1]));
            positions += 1;
            if positions % REPORT == 0 {
                eprintln!("{:.1} %, {:.4} bits/move", 100.0 * done, cost / REPORT as f64);
                cost = 0.0;
            }
        }
        let legal = legal_moves(replay.history.position());
        replay.history.play(legal[played]);
        replay.ply += 1;
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let &Arguments { games: count, threads, seed, .. } = arguments;
    let generator =
        |stream: u64| Random((seed ^ stream << 32 | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut random = generator(0);
    let mut order: Vec<usize> = (0..games.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    order.truncate(count);

    let new = || Weight([0f32, 1.0].map(|value| AtomicU32::new(value.to_bits())));
    let weights: Vec<Weight> = (0..POLICY_SIZE).map(|_| new()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads.max(1) {
            let (weights, games, order, next) = (&weights, &games, &order, &next);
            let random = generator(1 + thread as u64);
            scope.spawn(move || learn(weights, games, order, next, random));
        }
    });
    let scale = (1 << WEIGHT_BITS) as f32;
    let rounded = |weight: &Weight| (weight.get() * scale).round().clamp(-127.0, 127.0) as i8 as u8;
    std::fs::write(&arguments.out, weights.iter().map(rounded).collect::<Vec<u8>>())?;
    Ok(())
}
