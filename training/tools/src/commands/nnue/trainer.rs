//! The network in floating-point numbers, its gradients and its optimizer.
//!
//! Weights of the first layer lie in blocks of [`LANES`] units, all rows of a block together, so that a block's sums
//! stay in registers while the rows of a position are added. A network with king buckets learns a row that all buckets
//! share and what each of them adds to it.

use pulp::{Arch, Simd, WithSimd};

use super::record::{self, Features, SIZE};
use super::shape::{FEATURES, OUTPUT_BUCKETS, Shape};

/// Units of a block.
const LANES: usize = 64;
type Block = [f32; LANES];

/// Positions that go through the layers together.
const CHUNK: usize = 64;

/// Centipawns to the unit of log-odds of winning.
pub const LOG_ODDS: f32 = 180.0;
/// Centipawns for an output of 1, as in the program.
const CENTIPAWNS: f32 = 400.0;

/// Bounds of the program's integers: of weights, biases of the first layer, weights of outputs, biases of outputs.
const MAX_WEIGHT: f32 = 127.0 / 255.0;
const MAX_BIAS: f32 = 504.0 / 255.0;
const MAX_OUTPUT: f32 = 127.0 / 64.0;
const MAX_OUTPUT_BIAS: f32 = 1.98;

/// Numbers of one kind, with their gradients and what Adam remembers of them.
struct Parameters {
    values: Vec<Block>,
    gradients: Vec<Block>,
    means: Vec<Block>,
    squares: Vec<Block>,
}

impl Parameters {
    fn new(values: Vec<Block>) -> Parameters {
        let zeros = vec![[0.0; LANES]; values.len()];
        Parameters { values, gradients: zeros.clone(), means: zeros.clone(), squares: zeros }
    }

    /// A step of AdamW. `bound` limits the values.
    fn step(&mut self, rate: f32, decay: f32, step: i32, bound: f32) {
        let corrections = [1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step)];
        Arch::new().dispatch(Step { of: self, rate, decay, corrections, bound });
    }
}

struct Step<'a> {
    of: &'a mut Parameters,
    rate: f32,
    decay: f32,
    corrections: [f32; 2],
    bound: f32,
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Step { of, rate, decay, corrections, bound } = self;
        let all = of
            .values
            .iter_mut()
            .zip(&mut of.gradients)
            .zip(of.means.iter_mut().zip(&mut of.squares));
        for ((values, gradients), (means, squares)) in all {
            for i in 0..LANES {
                let gradient = gradients[i];
                means[i] += (gradient - means[i]) * 0.1;
                squares[i] += (gradient * gradient - squares[i]) * 0.001;
                let change =
                    means[i] / corrections[0] / ((squares[i] / corrections[1]).sqrt() + 1e-8);
                values[i] = (values[i] - rate * (change + decay * values[i])).clamp(-bound, bound);
                gradients[i] = 0.0;
            }
        }
    }
}

/// What the parts of a batch add up: gradients of the weights in use, of biases and of outputs.
struct Gradients {
    rows: Vec<Block>,
    biases: Vec<Block>,
    outputs: Vec<Block>,
    output_biases: [f32; OUTPUT_BUCKETS],
    loss: f64,
}

/// A network that learns.
pub struct Trainer {
    pub shape: Shape,
    /// Blocks of a perspective.
    blocks: usize,
    /// Rows of a block.
    rows: usize,
    /// Row `r` of block `b` at `b * FEATURES + r`.
    shared: Parameters,
    /// What each king bucket adds: row `r` of block `b` at `b * rows + r`; empty with one bucket.
    own: Parameters,
    biases: Parameters,
    /// Of output bucket `k`: the blocks of the side to move, then those of the other.
    outputs: Parameters,
    output_biases: Parameters,
    /// The weights in use, shared and own together.
    weights: Vec<Block>,
    gradients: Vec<Gradients>,
    steps: i32,
}

impl Trainer {
    /// A network with random weights.
    pub fn new(shape: Shape, threads: usize, mut random: impl FnMut() -> f32) -> Trainer {
        let blocks = shape.width / LANES;
        let rows = shape.king_buckets() * FEATURES;
        let mut randoms = |count: usize, scale: f32| -> Vec<Block> {
            (0..count).map(|_| std::array::from_fn(|_| random() * scale)).collect()
        };
        let shared = Parameters::new(randoms(blocks * FEATURES, 0.08));
        let own = if rows > FEATURES { blocks * rows } else { 0 };
        let output = randoms(2 * blocks, 0.05);
        let gradients = || Gradients {
            rows: vec![[0.0; LANES]; blocks * rows],
            biases: vec![[0.0; LANES]; blocks],
            outputs: vec![[0.0; LANES]; OUTPUT_BUCKETS * 2 * blocks],
            output_biases: [0.0; OUTPUT_BUCKETS],
            loss: 0.0,
        };
        let mut trainer = Trainer {
            shape,
            blocks,
            rows,
            shared,
            own: Parameters::new(vec![[0.0; LANES]; own]),
            biases: Parameters::new(vec![[0.2; LANES]; blocks]),
            outputs: Parameters::new(
                output.iter().copied().cycle().take(OUTPUT_BUCKETS * 2 * blocks).collect(),
            ),
            output_biases: Parameters::new(vec![[0.0; LANES]]),
            weights: vec![[0.0; LANES]; blocks * rows],
            gradients: (0..threads).map(|_| gradients()).collect(),
            steps: 0,
        };
        trainer.combine();
        trainer
    }

    /// Learns from a batch of records; its mean loss. `own_decay` is the weight decay of what king buckets add.
    pub fn learn(
        &mut self,
        batch: &[&[u8; SIZE]],
        result_share: f32,
        rate: f32,
        own_decay: f32,
    ) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let size = batch.len().div_ceil(gradients.len()).next_multiple_of(CHUNK);
        std::thread::scope(|scope| {
            let mut parts = gradients.iter_mut().zip(batch.chunks(size));
            let first = parts.next();
            for (gradients, part) in parts {
                let trainer = &*self;
                scope.spawn(move || trainer.pass(part, result_share, Some(gradients)));
            }
            if let Some((gradients, part)) = first {
                self.pass(part, result_share, Some(gradients));
            }
        });
        let scale = 1.0 / batch.len() as f32;
        let mut loss = 0.0;
        for part in &mut gradients {
            loss += part.loss;
            part.loss = 0.0;
            for block in 0..self.blocks {
                for row in 0..self.rows {
                    let from = &mut part.rows[block * self.rows + row];
                    let shared = &mut self.shared.gradients[block * FEATURES + row % FEATURES];
                    if self.rows > FEATURES {
                        let own = &mut self.own.gradients[block * self.rows + row];
                        (0..LANES).for_each(|i| own[i] += from[i] * scale);
                    }
                    for i in 0..LANES {
                        shared[i] += from[i] * scale;
                        from[i] = 0.0;
                    }
                }
            }
            let pairs = [
                (&mut self.biases.gradients, &mut part.biases),
                (&mut self.outputs.gradients, &mut part.outputs),
            ];
            for (into, from) in pairs {
                for (into, from) in into.iter_mut().zip(from.iter_mut()) {
                    (0..LANES).for_each(|i| into[i] += from[i] * scale);
                    *from = [0.0; LANES];
                }
            }
            for (into, from) in
                self.output_biases.gradients[0].iter_mut().zip(&mut part.output_biases)
            {
                *into += *from * scale;
                *from = 0.0;
            }
        }
        self.gradients = gradients;
        self.steps += 1;
        let step = self.steps;
        self.shared.step(rate, 0.0, step, MAX_WEIGHT);
        self.own.step(rate, own_decay, step, MAX_WEIGHT);
        self.biases.step(rate, 0.0, step, MAX_BIAS);
        self.outputs.step(rate, 0.0, step, MAX_OUTPUT);
        self.output_biases.step(rate, 0.0, step, MAX_OUTPUT_BIAS);
        self.combine();
        loss / batch.len() as f64
    }

    /// The mean loss of records.
    pub fn loss(&self, records: &[&[u8; SIZE]], result_share: f32) -> f64 {
        self.pass(records, result_share, None) / records.len() as f64
    }

    /// The weights in use, after shared and own ones have changed.
    fn combine(&mut self) {
        let (rows, own) = (self.rows, &mut self.own.values);
        for block in 0..self.blocks {
            for row in 0..rows {
                let at = block * rows + row;
                let shared = &self.shared.values[block * FEATURES + row % FEATURES];
                self.weights[at] = *shared;
                if let Some(own) = own.get_mut(at) {
                    for i in 0..LANES {
                        let weight = (shared[i] + own[i]).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                        own[i] = weight - shared[i];
                        self.weights[at][i] = weight;
                    }
                }
            }
        }
    }

    /// Runs records through the network and, with `gradients`, back; the sum of losses.
    fn pass(
        &self,
        records: &[&[u8; SIZE]],
        result_share: f32,
        gradients: Option<&mut Gradients>,
    ) -> f64 {
        Arch::new().dispatch(Pass { trainer: self, records, result_share, gradients })
    }

    /// The integers that the program reads (`codec/src/engine/nnue`).
    pub fn numbers(&self) -> Vec<i16> {
        let blocks = self.blocks;
        let mut numbers = self.shape.header();
        let mut add = |block: &Block, one: f32| {
            numbers.extend(block.iter().map(|value| (value * one).round() as i16));
        };
        for row in 0..self.rows {
            (0..blocks).for_each(|block| add(&self.weights[block * self.rows + row], 255.0));
        }
        self.biases.values.iter().for_each(|block| add(block, 255.0));
        self.outputs.values.iter().for_each(|block| add(block, 64.0));
        let biases = &self.output_biases.values[0][..OUTPUT_BUCKETS];
        numbers.extend(biases.iter().map(|value| (value * 255.0 * 64.0).round() as i16));
        numbers
    }

    /// All values, to go on from: `f32` in the order of the fields.
    pub fn state(&self) -> Vec<u8> {
        let all = [&self.shared, &self.own, &self.biases, &self.outputs, &self.output_biases];
        all.iter()
            .flat_map(|part| part.values.iter().flatten())
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }

    /// Goes on from a network of the same shape: its state, or the integers that the program reads, of which what king
    /// buckets share is taken for their mean. What Adam remembers begins anew.
    pub fn restore(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let header = self.shape.header();
        let header: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
        let width = LANES * self.blocks;
        let count = self.rows * width + width + OUTPUT_BUCKETS * (2 * width + 1);
        if bytes.len() == header.len() + 2 * count && bytes.starts_with(&header) {
            self.restore_numbers(&bytes[header.len()..]);
            return Ok(());
        }
        let numbers: Vec<f32> =
            bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let all = [
            &mut self.shared,
            &mut self.own,
            &mut self.biases,
            &mut self.outputs,
            &mut self.output_biases,
        ];
        let wanted: usize = all.iter().map(|part| part.values.len() * LANES).sum();
        anyhow::ensure!(numbers.len() == wanted, "the network to go on from is of another shape");
        let mut from = numbers.chunks_exact(LANES);
        for part in all {
            for (block, from) in part.values.iter_mut().zip(&mut from) {
                block.copy_from_slice(from);
            }
        }
        self.combine();
        Ok(())
    }

    /// Goes on from as many integers as [`numbers`](Trainer::numbers) has after its header.
    fn restore_numbers(&mut self, bytes: &[u8]) {
        let mut numbers =
            bytes.as_chunks().0.iter().map(|bytes| f32::from(i16::from_le_bytes(*bytes)));
        let mut next = |one: f32| numbers.next().unwrap_or(0.0) / one;
        let (rows, buckets) = (self.rows, (self.rows / FEATURES) as f32);
        self.shared.values.fill([0.0; LANES]);
        for row in 0..rows {
            for block in 0..self.blocks {
                let weights: Block = std::array::from_fn(|_| next(255.0));
                let shared = &mut self.shared.values[block * FEATURES + row % FEATURES];
                (0..LANES).for_each(|i| shared[i] += weights[i] / buckets);
                if let Some(own) = self.own.values.get_mut(block * rows + row) {
                    *own = weights;
                }
            }
        }
        if !self.own.values.is_empty() {
            for block in 0..self.blocks {
                for row in 0..rows {
                    let own = &mut self.own.values[block * rows + row];
                    let shared = &self.shared.values[block * FEATURES + row % FEATURES];
                    (0..LANES).for_each(|i| own[i] -= shared[i]);
                }
            }
        }
        self.biases.values.as_flattened_mut().fill_with(|| next(255.0));
        self.outputs.values.as_flattened_mut().fill_with(|| next(64.0));
        self.output_biases.values[0][..OUTPUT_BUCKETS].fill_with(|| next(255.0 * 64.0));
        self.combine();
    }
}

/// [`Trainer::pass`], compiled once for each set of vector instructions.
struct Pass<'a> {
    trainer: &'a Trainer,
    records: &'a [&'a [u8; SIZE]],
    result_share: f32,
    gradients: Option<&'a mut Gradients>,
}

impl WithSimd for Pass<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let Pass { trainer, records, result_share, mut gradients } = self;
        let (blocks, rows) = (trainer.blocks, trainer.rows);
        let mut indices = vec![[[0u32; 32]; 2]; CHUNK];
        let mut counts = [0; CHUNK];
        let mut hidden = vec![[0.0f32; LANES]; CHUNK * 2 * blocks];
        let mut total = 0.0;
        for chunk in records.chunks(CHUNK) {
            for ((record, indices), count) in chunk.iter().zip(&mut indices).zip(&mut counts) {
                let mut features: Features = [[0; 32]; 2];
                *count = record::features(record, &mut features);
                for (indices, features) in indices.iter_mut().zip(&features) {
                    trainer.shape.rows(&features[..*count], &mut indices[..*count]);
                }
            }
            for block in 0..blocks {
                let weights = &trainer.weights[block * rows..][..rows];
                for position in 0..chunk.len() {
                    for (side, indices) in indices[position].iter().enumerate() {
                        let mut sums = trainer.biases.values[block];
                        for &row in &indices[..counts[position]] {
                            let weights = &weights[row as usize];
                            for i in 0..LANES {
                                sums[i] += weights[i];
                            }
                        }
                        hidden[(position * 2 + side) * blocks + block] = sums;
                    }
                }
            }
            for (position, record) in chunk.iter().enumerate() {
                let hidden = &mut hidden[position * 2 * blocks..][..2 * blocks];
                let bucket = counts[position].saturating_sub(2) / 4;
                let bucket = bucket.min(OUTPUT_BUCKETS - 1);
                let outputs = &trainer.outputs.values[bucket * 2 * blocks..][..2 * blocks];
                let mut parts = [0.0f32; LANES];
                for (hidden, weights) in hidden.iter().zip(outputs) {
                    for i in 0..LANES {
                        let active = hidden[i].clamp(0.0, 1.0);
                        parts[i] += active * active * weights[i];
                    }
                }
                let output = trainer.output_biases.values[0][bucket] + parts.iter().sum::<f32>();
                let found = sigmoid(output * (CENTIPAWNS / LOG_ODDS));
                let mut target = sigmoid(f32::from(record::value(record)) / LOG_ODDS);
                if record[26] < record::NO_RESULT {
                    target += (f32::from(record[26]) / 2.0 - target) * result_share;
                }
                let error = found - target;
                total += f64::from(error * error);
                let Some(gradients) = &mut gradients else { continue };
                let slope = 2.0 * error * found * (1.0 - found) * (CENTIPAWNS / LOG_ODDS);
                gradients.output_biases[bucket] += slope;
                let into = &mut gradients.outputs[bucket * 2 * blocks..][..2 * blocks];
                for ((hidden, weights), into) in hidden.iter_mut().zip(outputs).zip(into) {
                    for i in 0..LANES {
                        let active = hidden[i].clamp(0.0, 1.0);
                        into[i] += slope * active * active;
                        let moves = if hidden[i] < 1.0 { 2.0 * slope } else { 0.0 };
                        hidden[i] = moves * active * weights[i];
                    }
                }
            }
            let Some(gradients) = &mut gradients else { continue };
            for block in 0..blocks {
                let into = &mut gradients.rows[block * rows..][..rows];
                let biases = &mut gradients.biases[block];
                for position in 0..chunk.len() {
                    for (side, indices) in indices[position].iter().enumerate() {
                        let slopes = hidden[(position * 2 + side) * blocks + block];
                        for &row in &indices[..counts[position]] {
                            let into = &mut into[row as usize];
                            for i in 0..LANES {
                                into[i] += slopes[i];
                            }
                        }
                        for i in 0..LANES {
                            biases[i] += slopes[i];
                        }
                    }
                }
            }
        }
        if let Some(gradients) = gradients {
            gradients.loss += total;
        }
        total
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;

    fn records() -> Vec<[u8; SIZE]> {
        let fens = [
            ("r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPPQBPPP/R4RK1 w - - 0 11", 40),
            ("8/5pk1/6p1/8/3R4/6P1/r4PK1/8 b - - 0 40", -30),
            ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", -150),
        ];
        let pack = |&(fen, value): &(&str, i16)| {
            let fen: Fen = fen.parse().unwrap();
            let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            record::pack(&position, value, record::NO_RESULT)
        };
        fens.iter().map(pack).collect()
    }

    fn trainer(kings: &str) -> Trainer {
        let mut seed = 1u64;
        Trainer::new(Shape::new(128, kings).unwrap(), 2, || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f32 / f32::from(1u16 << 15) / 256.0 - 1.0
        })
    }

    const LAYOUT: &str = "00112222333333334444444444444444";

    #[test]
    fn a_network_learns_its_positions_and_the_program_evaluates_them_alike() {
        use plyzip::unstable::engine::Nnue;
        let records = records();
        let batch: Vec<&[u8; SIZE]> = records.iter().collect();
        for kings in ["plain", LAYOUT] {
            let mut trainer = trainer(kings);
            let before = trainer.loss(&batch, 0.0);
            (0..200).for_each(|_| _ = trainer.learn(&batch, 0.0, 2e-3, 0.1));
            let after = trainer.loss(&batch, 0.0);
            assert!(after < 1e-4 && after < before / 4.0, "{before} {after}");
            assert!(Nnue::new(&trainer.numbers()).is_some());
        }
    }

    /// The slopes of the loss are those of small changes.
    #[test]
    fn gradients_are_those_of_the_loss() {
        let records = records();
        let batch: Vec<&[u8; SIZE]> = records.iter().collect();
        let mut trainer = trainer(LAYOUT);
        let mut gradients = std::mem::take(&mut trainer.gradients);
        trainer.pass(&batch, 0.0, Some(&mut gradients[0]));
        let row = (0..trainer.rows)
            .max_by(|&a, &b| {
                gradients[0].rows[a][5].abs().total_cmp(&gradients[0].rows[b][5].abs())
            })
            .unwrap();
        let slope = gradients[0].rows[row][5];
        let step = 1e-2;
        let mut loss = |change: f32| {
            trainer.weights[row][5] += change;
            let loss = trainer.loss(&batch, 0.0) * batch.len() as f64;
            trainer.weights[row][5] -= change;
            loss
        };
        let measured = ((loss(step) - loss(-step)) / f64::from(2.0 * step)) as f32;
        assert!((measured - slope).abs() < 0.05 * slope.abs() + 1e-6, "{measured} {slope}");
    }

    #[test]
    fn a_network_goes_on_from_its_state_and_from_its_numbers() {
        let records = records();
        let batch: Vec<&[u8; SIZE]> = records.iter().collect();
        for kings in ["plain", LAYOUT] {
            let mut first = trainer(kings);
            (0..20).for_each(|_| _ = first.learn(&batch, 0.0, 2e-3, 0.1));
            let numbers: Vec<u8> = first.numbers().into_iter().flat_map(i16::to_le_bytes).collect();
            for bytes in [first.state(), numbers] {
                let mut second = trainer(kings);
                assert_ne!(second.numbers(), first.numbers());
                second.restore(&bytes).unwrap();
                assert_eq!(second.numbers(), first.numbers());
                assert!(second.restore(&bytes[2..]).is_err());
            }
        }
    }
}
