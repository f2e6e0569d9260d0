//! `board-weights`: the weights with which a board network's outputs join those of the network of features.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use plyzip::pgn::Game;
use plyzip::unstable::predict::{BoardPolicy, Pipeline, SCALE_FILE_BITS, STAGES, stage};
use plyzip::{GameContext, ModelStore};

use crate::commands::pgn_games::PgnGames;
use crate::commands::positions::prepared;
use crate::commands::softmax::{nats, softmax};

/// Learn the weights of a board network's outputs, for training/equip.py --board-weights
///
/// For each stage of the game those are found that cost least bits: a softmax regression over the legal moves, whose
/// inputs are the logits of both networks, and a logistic regression for the end (Newton's method, drawn a little towards
/// the network of features alone). The games must be ones that neither network has learned from. Prints for each stage
/// the bits of moves and of ends, of the network of features alone and of both, and the weights.
///
/// With --least-gain, the file has bounds, too: where the network of features gives a move that probability, the board
/// network is not evaluated. They are found by the same games, and the weights of moves then by the positions that are
/// left; those of the end are learned from all positions.
#[derive(Args)]
pub struct Arguments {
    /// A model with a board network, whatever its weights
    model: String,
    /// Games in PGN
    games: PathBuf,
    /// The file to write (i16)
    out: PathBuf,
    /// What an evaluation of the board network has to save, in bits of its move
    #[arg(long, value_name = "BITS")]
    least_gain: Option<f64>,
}

/// Steps of Newton's method.
const STEPS: usize = 20;

/// Classes of the largest probability, each as wide as the unit of bounds.
const EIGHTHS: usize = 8;

/// How many positions the network of features alone is worth.
const TRUST: f64 = 20.0;

/// A choice between alternatives, each with `N` inputs: which was taken.
struct Choice<const N: usize> {
    inputs: Vec<[f64; N]>,
    taken: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pipeline = Pipeline::new(&ModelStore::of_system().open(&arguments.model)?);
    let mut moves: [Vec<Choice<3>>; STAGES] = std::array::from_fn(|_| vec![]);
    let mut ends: [Vec<Choice<2>>; STAGES] = std::array::from_fn(|_| vec![]);
    for game in PgnGames::read(&arguments.games)?.range(0, usize::MAX) {
        collect(&pipeline, &game, &mut moves, &mut ends)?;
    }
    ensure!(moves.iter().all(|choices| !choices.is_empty()), "too few games: a stage has no moves");
    let (mut numbers, mut bounds) = (vec![], vec![]);
    for (moves, ends) in moves.iter_mut().zip(&ends) {
        if let Some(least) = arguments.least_gain {
            let bound = bound(moves, least);
            let all = moves.len();
            moves.retain(|choice| class(choice) < bound);
            println!("evaluated below {bound} eighths, {} of {all} plies:", moves.len());
            bounds.push(bound as i16);
        }
        let (of_moves, of_ends) = (learned(moves), learned(ends));
        println!(
            "{} plies: moves {:.4} -> {:.4} bits, ends {:.4} -> {:.4} bits; {of_moves:.3?}, {of_ends:.3?}",
            moves.len(),
            bits(moves, &alone()),
            bits(moves, &of_moves),
            bits(ends, &alone()),
            bits(ends, &of_ends),
        );
        numbers.extend(of_moves.into_iter().chain(of_ends).map(|weight| {
            let scaled = weight.clamp(-4.0, 4.0) * f64::from(1 << SCALE_FILE_BITS);
            scaled.round() as i16
        }));
    }
    ensure!(numbers.len() == BoardPolicy::WEIGHTS, "as many weights as a file has");
    numbers.append(&mut bounds);
    std::fs::write(
        &arguments.out,
        numbers.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<_>>(),
    )?;
    Ok(())
}

/// Takes note of the moves and the end of a game.
fn collect(
    pipeline: &Pipeline,
    game: &Game,
    moves: &mut [Vec<Choice<3>>],
    ends: &mut [Vec<Choice<2>>],
) -> anyhow::Result<()> {
    let (Some(line), Some(start)) = (game.lines.first(), game.start()) else { return Ok(()) };
    let context = GameContext::from_tags(game);
    let prepared = prepared(pipeline, &context, start, &line.moves);
    let apart = pipeline.apart(&prepared.iter().collect::<Vec<_>>());
    let apart = apart.context("the model has no board network")?;
    for (ply, (prepared, (scores, outputs))) in prepared.iter().zip(apart).enumerate() {
        let (stage, played) = (stage(ply), line.moves.get(ply));
        let end = [nats(scores.end), nats(outputs.end)];
        ends[stage]
            .push(Choice { inputs: vec![[0.0; 2], end], taken: usize::from(played.is_none()) });
        let place =
            played.and_then(|played| prepared.legal.iter().position(|legal| legal == played));
        let Some(taken) = place.filter(|_| prepared.legal.len() > 1) else { continue };
        let spoken = outputs.played.iter().zip(&outputs.taught);
        let inputs = scores.moves.iter().zip(spoken);
        let inputs = inputs
            .map(|(&of_features, (&played, &taught))| [of_features, played, taught].map(nats));
        moves[stage].push(Choice { inputs: inputs.collect(), taken });
    }
    Ok(())
}

/// The eighths of the largest probability that the network of features gives a move.
fn class(choice: &Choice<3>) -> usize {
    let largest = chances(choice, &alone()).into_iter().fold(0.0, f64::max);
    ((largest * EIGHTHS as f64) as usize).min(EIGHTHS - 1)
}

/// The bound, in eighths, below which evaluations save most bits, if each costs `least` of them.
fn bound(choices: &[Choice<3>], least: f64) -> usize {
    let weights = learned(choices);
    let mut saved = [0.0; EIGHTHS];
    for choice in choices {
        saved[class(choice)] += cost(choice, &alone()) - cost(choice, &weights) - least;
    }
    let (mut sum, mut best, mut bound) = (0.0, 0.0, 0);
    for (class, saved) in saved.into_iter().enumerate() {
        sum += saved;
        if sum > best {
            (best, bound) = (sum, class + 1);
        }
    }
    bound
}

/// The weights of the network of features alone.
fn alone<const N: usize>() -> [f64; N] {
    std::array::from_fn(|place| if place == 0 { 1.0 } else { 0.0 })
}

/// Probabilities of the alternatives.
fn chances<const N: usize>(choice: &Choice<N>, weights: &[f64; N]) -> Vec<f64> {
    let logit = |inputs: &[f64; N]| inputs.iter().zip(weights).map(|(a, b)| a * b).sum();
    softmax(choice.inputs.iter().map(logit))
}

/// What a choice costs, in bits.
fn cost<const N: usize>(choice: &Choice<N>, weights: &[f64; N]) -> f64 {
    -chances(choice, weights)[choice.taken].max(1e-300).log2()
}

/// Mean bits of the choices.
fn bits<const N: usize>(choices: &[Choice<N>], weights: &[f64; N]) -> f64 {
    let bits = choices.iter().map(|choice| cost(choice, weights));
    bits.sum::<f64>() / choices.len().max(1) as f64
}

/// The weights with which the choices cost least.
fn learned<const N: usize>(choices: &[Choice<N>]) -> [f64; N] {
    let mut weights = alone::<N>();
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = ([0.0; N], [[0.0; N]; N]);
        for place in 0..N {
            gradient[place] = TRUST * (alone::<N>()[place] - weights[place]);
            curvature[place][place] = TRUST;
        }
        for choice in choices {
            let chances = chances(choice, &weights);
            let mut mean = [0.0; N];
            for (inputs, chance) in choice.inputs.iter().zip(&chances) {
                mean.iter_mut().zip(inputs).for_each(|(mean, input)| *mean += chance * input);
            }
            for (inputs, chance) in choice.inputs.iter().zip(&chances) {
                let apart: [f64; N] = std::array::from_fn(|place| inputs[place] - mean[place]);
                for (row, &a) in curvature.iter_mut().zip(&apart) {
                    row.iter_mut().zip(&apart).for_each(|(sum, b)| *sum += chance * a * b);
                }
            }
            for (place, gradient) in gradient.iter_mut().enumerate() {
                *gradient += choice.inputs[choice.taken][place] - mean[place];
            }
        }
        let step = solved(curvature, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step.clamp(-0.5, 0.5));
    }
    weights
}

/// The solution of linear equations with a positive definite matrix, by elimination.
fn solved<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let (known, unknown) = right.split_at_mut(pivot + 1);
        for (row, right) in below.iter_mut().zip(unknown) {
            let factor = row[pivot] / above[pivot][pivot];
            row.iter_mut().zip(&above[pivot]).for_each(|(entry, above)| *entry -= factor * above);
            *right -= factor * known[pivot];
        }
    }
    for row in (0..N).rev() {
        let rest: f64 = (row + 1..N).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - rest) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Choices between three alternatives with odds that follow from the second input alone.
    #[test]
    fn weights_of_what_decides_are_found() {
        let inputs = vec![[1.0, 0.0], [0.0, 1.0], [0.5, -1.0]];
        let chances = [1.0f64, 1.5f64.exp(), (-1.5f64).exp()];
        let mut choices = vec![];
        for (taken, chance) in chances.iter().enumerate() {
            let count = (chance / chances.iter().sum::<f64>() * 1e5).round() as usize;
            choices.extend((0..count).map(|_| Choice { inputs: inputs.clone(), taken }));
        }
        let weights = learned(&choices);
        assert!(weights[0].abs() < 0.01 && (weights[1] - 1.5).abs() < 0.01, "{weights:?}");
        assert!(bits(&choices, &weights) < bits(&choices, &alone()));
    }

    /// Two moves, of which the second input knows the one played, at all or where the first is in doubt.
    #[test]
    fn evaluations_that_save_little_are_left_out() {
        let choice = |doubt: f64, known: f64, taken| {
            let first = if taken == 0 { known } else { -known };
            Choice { inputs: vec![[1.0 / doubt, first, 0.0], [0.0; 3]], taken }
        };
        let mut choices = vec![];
        for taken in [0, 1] {
            choices.extend((0..500).map(|_| choice(10.0, 1.0, taken)));
        }
        choices.extend((0..500).map(|_| choice(0.25, 0.0, 0)));
        assert_eq!(class(&choices[0]), 4);
        assert_eq!(bound(&choices, 0.1), 5);
        assert_eq!(bound(&choices, 2.0), 0);
    }
}
