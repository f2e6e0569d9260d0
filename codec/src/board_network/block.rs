//! A block: attention and rays, then two layers with a squared ReLU; both add to the residual stream.

use super::attention::Attention;
use super::file::{Linear, Tensors};
use super::matrix::{Matrix, Sums};
use super::normal::{Normal, UNIT};
use super::plan::{OFFSET, Plan};
use super::registers::{Registers, STRIP};
use super::requantise::Factors;
use super::sizes::Sizes;
use super::view::{RAYS, SQUARES, View};
use super::workspace::Workspace;
use crate::Result;
use crate::network::QUAD;

/// The exponent of the residual stream's unit.
pub const STREAM: i32 = -12;

/// Numbers that are copied at once where a square hears another.
const COPIED: usize = 16;

/// A block of a network.
#[derive(Debug)]
pub struct Block {
    width: usize,
    pub(super) inner: usize,
    /// Queries, keys, values, and what squares say.
    pub(super) first: Matrix,
    pub(super) attention: Attention,
    pub(super) said: Factors,
    pub(super) layout: Layout,
    pub(super) out: Matrix,
    pub(super) added: Factors,
    pub(super) rise: Matrix,
    pub(super) hidden: Factors,
    pub(super) fall: Matrix,
    pub(super) fallen: Factors,
}

/// Where the heads of attention and the rays stand among the inputs of the matrix after them: those with the largest
/// unit first, so that sums are shifted to the next unit on the way.
#[derive(Debug)]
pub(super) struct Layout {
    /// Number of inputs.
    pub stride: usize,
    /// The places of the heads.
    pub heads: Vec<usize>,
    /// Places and numbers of the rays, by place.
    pub rays: Vec<(usize, usize)>,
    /// Channels of a ray, filled up to whole quads.
    pub ray: usize,
    /// For each input, which of the file's it is; none fills up a quad.
    order: Vec<Option<usize>>,
    /// Where smaller units begin: quads, and by how many bits they are smaller.
    steps: Vec<(usize, u32)>,
    /// The exponent of the smallest unit.
    least: i32,
}

impl Layout {
    /// For heads and rays with units of these exponents.
    fn new(sizes: &Sizes, heads: &[i32], rays: &[i32]) -> Layout {
        let (depth, ray) = (sizes.inner() / sizes.heads, sizes.width / RAYS);
        let filled_ray = ray.next_multiple_of(QUAD);
        let head = heads.iter().enumerate().map(|(head, &unit)| (unit, head * depth, depth));
        let rays_begin = sizes.inner();
        let rays = rays.iter().enumerate().map(|(way, &unit)| (unit, rays_begin + way * ray, ray));
        let groups: Vec<(i32, usize, usize)> = head.chain(rays).collect();
        let mut sorted: Vec<usize> = (0..groups.len()).collect();
        sorted.sort_by_key(|&group| -groups[group].0);

        let (mut places, mut order, mut steps) = (vec![0; groups.len()], vec![], vec![]);
        let mut last = groups[sorted[0]].0;
        for group in sorted {
            let (unit, begin, size) = groups[group];
            if unit != last {
                steps.push((order.len() / QUAD, (last - unit) as u32));
                last = unit;
            }
            places[group] = order.len();
            order.extend((begin..begin + size).map(Some));
            order.resize(order.len().next_multiple_of(QUAD), None);
        }
        let rays = places.split_off(heads.len()).into_iter();
        let mut rays: Vec<(usize, usize)> = rays.zip(0..).collect();
        rays.sort_unstable();
        Layout {
            stride: order.len(),
            heads: places,
            rays,
            ray: filled_ray,
            order,
            steps,
            least: last,
        }
    }
}

/// A matrix whose inputs all have one unit.
pub fn matrix(linear: &Linear, signed: bool) -> Result<Matrix> {
    Matrix::new(&Plan {
        name: &linear.name,
        inputs: linear.inputs,
        outputs: linear.outputs,
        weight: &|input, output| linear.weights[input * linear.outputs + output],
        bias: &linear.bias,
        steps: &[],
        signed,
    })
}

/// Several matrices with the same inputs, side by side.
pub fn side_by_side(parts: &[&Linear]) -> Result<Matrix> {
    let inputs = parts[0].inputs;
    let mut weights = vec![];
    for input in 0..inputs {
        for part in parts {
            weights.extend_from_slice(&part.weights[input * part.outputs..][..part.outputs]);
        }
    }
    matrix(
        &Linear {
            name: parts[0].name.clone(),
            inputs,
            outputs: parts.iter().map(|part| part.outputs).sum(),
            weights,
            units: vec![],
            bias: parts.iter().flat_map(|part| part.bias.iter().copied()).collect(),
        },
        true,
    )
}

/// A matrix whose outputs come in groups of `size`, each filled up to whole quads with outputs that are 0.
fn in_quads(linear: Linear, size: usize) -> Linear {
    let filled = size.next_multiple_of(QUAD);
    let groups = linear.outputs / size;
    fn fill<T: Copy + Default>(row: &[T], size: usize, filled: usize) -> impl Iterator<Item = T> {
        let place = move |place: usize| {
            (place % filled < size).then_some(place / filled * size + place % filled)
        };
        (0..row.len() / size * filled).map(move |at| place(at).map_or(T::default(), |at| row[at]))
    }
    let rows = linear.weights.chunks_exact(linear.outputs);
    Linear {
        weights: rows.flat_map(|row| fill(row, size, filled)).collect(),
        units: fill(&linear.units, size, filled).collect(),
        bias: fill(&linear.bias, size, filled).collect(),
        outputs: groups * filled,
        ..linear
    }
}

impl Block {
    /// Reads the block with this name.
    ///
    /// # Errors
    /// [`crate::Error::Model`] if a tensor is not there, of another form, or would not compute exactly.
    pub fn read(tensors: &Tensors, name: &str, sizes: &Sizes, exponential: &[u8]) -> Result<Block> {
        let Sizes { width, hidden, .. } = *sizes;
        let inner = sizes.inner();
        let linear = |part: &str, inputs: usize, outputs: usize| {
            tensors.linear(&format!("{name}_{part}"), inputs, outputs)
        };
        let qkv = linear("qkv", width, 3 * inner)?;
        let attention = Attention::read(tensors, name, sizes, &qkv, exponential)?;
        let rays = tensors.units(&format!("{name}_ray_unit"), RAYS)?;
        let layout = Layout::new(sizes, &attention.units, &rays);
        let said = in_quads(linear("ray_matrix", width, width)?, width / RAYS);
        let rows = said.units.iter().enumerate();
        let said_factors =
            Factors::new(rows.map(|(row, unit)| unit + UNIT - rays[row / layout.ray]));

        let out = linear("out_matrix", inner + width, width)?;
        let added = Factors::new(out.units.iter().map(|unit| unit + layout.least - STREAM));
        let out = Matrix::new(&Plan {
            name: &out.name,
            inputs: layout.stride,
            outputs: width,
            weight: &|input, output| {
                layout.order[input].map_or(0, |input| out.weights[input * width + output])
            },
            bias: &out.bias,
            steps: &layout.steps,
            signed: true,
        })?;

        let rise = linear("rise", width, hidden)?;
        let site = tensors.unit(&format!("{name}_hidden_unit"))?;
        let fall = linear("fall", hidden, width)?;
        Ok(Block {
            width,
            inner,
            first: side_by_side(&[&qkv, &said])?,
            attention,
            said: said_factors,
            layout,
            out,
            added,
            rise: matrix(&rise, true)?,
            hidden: Factors::new(rise.units.iter().map(|unit| 2 * (unit + UNIT) - site)),
            fall: matrix(&fall, false)?,
            fallen: Factors::new(fall.units.iter().map(|unit| unit + site - STREAM)),
        })
    }

    /// Adds to the residual stream (64, width).
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn run<D: Registers>(
        &self,
        dot: D,
        normal: &Normal,
        view: &View,
        stream: &mut [i32],
        work: &mut Workspace,
    ) {
        normal.apply(stream, &mut work.normal);
        self.look(dot, work);
        self.hear(view, work);
        let inputs = [&work.queries[..], &work.keys[..], &work.values[..]];
        let (stride, heads) = (self.layout.stride, &self.layout.heads);
        self.attention.run(dot, inputs, &mut work.mixed, stride, heads, &mut work.attention);
        let mixed = &work.mixed[..SQUARES * stride];
        add_to(stream, self.width, dot, &self.out, &self.added, mixed, &mut work.product);

        normal.apply(stream, &mut work.normal);
        let hidden = self.rise.outputs();
        work.hidden.resize(SQUARES * hidden, 0);
        let (width, bias) = (self.rise.width(), self.rise.bias());
        for first in (0..SQUARES).step_by(STRIP) {
            self.rise.multiply(dot, &work.normal, first, &mut work.product);
            let rows = work.hidden[first * hidden..].chunks_exact_mut(hidden);
            for (sums, out) in work.product.sums.chunks_exact(width).zip(rows) {
                self.hidden.squared(sums, bias, out);
            }
        }
        add_to(stream, self.width, dot, &self.fall, &self.fallen, &work.hidden, &mut work.product);
    }

    /// Queries, keys, values, and what squares say.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn look<D: Registers>(&self, dot: D, work: &mut Workspace) {
        let inner = self.inner;
        let width = RAYS * self.layout.ray;
        for part in [&mut work.queries, &mut work.keys, &mut work.values] {
            part.resize(SQUARES * inner, 0);
        }
        // The last squares' numbers are copied with what lies behind them.
        work.said.resize((SQUARES + 1) * width + COPIED, OFFSET);
        work.said[SQUARES * width..].fill(OFFSET);
        let (all, bias) = (self.first.width(), self.first.bias());
        let parts = [bias, &bias[inner..], &bias[2 * inner..], &bias[3 * inner..]];
        for first in (0..SQUARES).step_by(STRIP) {
            self.first.multiply(dot, &work.normal, first, &mut work.product);
            for (row, sums) in work.product.sums.chunks_exact(all).enumerate() {
                let square = first + row;
                let out = square * inner..(square + 1) * inner;
                let queries = &mut work.queries[out.clone()];
                self.attention.queries.signed(&sums[..inner], parts[0], 63.0, OFFSET, queries);
                let keys = &mut work.keys[out.clone()];
                self.attention.keys.signed(&sums[inner..], parts[1], 127.0, 0, keys);
                let values = &mut work.values[out];
                self.attention.values.signed(&sums[2 * inner..], parts[2], 127.0, 0, values);
                let said = &mut work.said[square * width..][..width];
                self.said.signed(&sums[3 * inner..], parts[3], 63.0, OFFSET, said);
            }
        }
    }

    /// What each square hears, into its row of `mixed`.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn hear(&self, view: &View, work: &mut Workspace) {
        let (depth, stride) = (self.layout.ray, self.layout.stride);
        let width = RAYS * depth;
        work.mixed.resize(SQUARES * stride + COPIED, OFFSET);
        for square in 0..SQUARES {
            for &(place, way) in &self.layout.rays {
                let heard = usize::from(view.heard[way][square]);
                let said = &work.said[heard * width + way * depth..];
                let mixed = &mut work.mixed[square * stride + place..];
                if depth <= COPIED {
                    // A fixed number of bytes is copied fastest. What is too much is written over by what comes after:
                    // other rays, attention, the next square; or meets weights of 0.
                    mixed[..COPIED].copy_from_slice(&said[..COPIED]);
                } else {
                    mixed[..depth].copy_from_slice(&said[..depth]);
                }
            }
        }
    }
}

/// Adds a product to the residual stream.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn add_to<D: Registers>(
    stream: &mut [i32],
    width: usize,
    dot: D,
    matrix: &Matrix,
    factors: &Factors,
    inputs: &[u8],
    work: &mut Sums,
) {
    let all = matrix.width();
    for first in (0..SQUARES).step_by(STRIP) {
        matrix.multiply(dot, inputs, first, work);
        let rows = stream[first * width..].chunks_exact_mut(width);
        for (sums, stream) in work.sums.chunks_exact(all).zip(rows) {
            factors.add(sums, matrix.bias(), stream);
        }
    }
}
