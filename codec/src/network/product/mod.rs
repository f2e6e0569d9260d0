//! Products of activations with weights, in integers.
//!
//! Activations are whole numbers from 0 to 127, and most of them are 0; weights have 8 bits. So
//! their products are made of bytes, four inputs at a time, and four inputs that are all 0 are passed
//! over. Sums of integers are the same in any order, so the widest registers of the machine may take part.

#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(target_arch = "x86_64")]
use plyzip_kernel::Vnni;
use pulp::NullaryFnOnce;

#[cfg(target_arch = "x86_64")]
use super::dot::Avx2;
use super::dot::{BLOCK, Dot, Portable, QUAD, Weights};
use super::table::{Table, exp2};

/// Blocks whose sums are kept in registers together.
const TILE: usize = 8;

/// A matrix product with a table whose columns have units.
#[derive(Debug)]
pub struct Product {
    inputs: usize,
    outputs: usize,
    /// Tile after tile of outputs; in a tile, quad after quad of inputs; for a quad, all blocks of
    /// the tile.
    weights: Vec<Weights>,
    /// Of each output, as a factor.
    units: Vec<f32>,
}

/// Activations as the inputs of products: four bytes at a time, and which of these are not all 0.
#[derive(Debug, Default)]
pub struct Activations {
    inputs: usize,
    /// A multiple of 32; zeros fill it up.
    bytes: Vec<u8>,
    quads: Vec<u32>,
    used: Vec<u32>,
}

/// A whole number from 0 to 127 as a byte.
#[inline(always)]
pub fn byte_of(number: f32) -> u8 {
    // Adding 2^23 leaves a whole number in the lowest bits.
    (number + 8_388_608.0).to_bits() as u8
}

impl Activations {
    /// Takes over whole numbers from 0 to 127.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn set(&mut self, inputs: &[f32]) {
        // What is behind the inputs is set to zeros, and stays so as long as inputs are as many.
        if self.inputs != inputs.len() {
            self.inputs = inputs.len();
            self.bytes.clear();
            self.bytes.resize(inputs.len().next_multiple_of(QUAD * BLOCK), 0);
            self.quads.resize(self.bytes.len() / QUAD, 0);
        }
        for (byte, &input) in self.bytes.iter_mut().zip(inputs) {
            *byte = byte_of(input);
        }
        for (quad, bytes) in self.quads.iter_mut().zip(self.bytes.as_chunks::<QUAD>().0) {
            *quad = u32::from_le_bytes(*bytes);
        }
        self.used.resize(self.quads.len(), 0);
        let mut count = 0;
        for (place, &quad) in self.quads.iter().enumerate() {
            self.used[count] = place as u32;
            count += usize::from(quad != 0);
        }
        self.used.truncate(count);
    }
}

impl Product {
    /// The product with `table`; `None` if its rows have units of their own.
    pub fn new(table: &Table) -> Option<Product> {
        let [inputs, outputs] = table.shape();
        let units = table.column_units()?;
        let (quads, blocks) = (inputs.div_ceil(QUAD), outputs.div_ceil(BLOCK));
        let mut weights = vec![Weights([0; QUAD * BLOCK]); quads * blocks];
        for input in 0..inputs {
            for (output, &weight) in table.row(input).iter().enumerate() {
                let block = output / BLOCK;
                let (tile, in_tile) = (block / TILE, block % TILE);
                let width = TILE.min(blocks - tile * TILE);
                let place = tile * TILE * quads + input / QUAD * width + in_tile;
                weights[place].0[output % BLOCK * QUAD + input % QUAD] = weight;
            }
        }
        let units = units.into_iter().map(|unit| exp2(-unit) as f32).collect();
        Some(Product { inputs, outputs, weights, units })
    }

    /// Number of inputs and of outputs.
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.outputs]
    }

    /// Writes the product of `activations`, as many as there are inputs, to `outputs`, as many as the table has
    /// columns. The sums must have been proved to stay below 2<sup>24</sup> units.
    pub fn multiply(&self, activations: &Activations, outputs: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        {
            if let (Some(simd), Some(products)) = (pulp::x86::V4::try_new(), Vnni::try_new()) {
                let tiles = wide::Wide(simd, products);
                return products.vectorize(RowProduct {
                    product: self,
                    activations,
                    outputs,
                    tiles,
                });
            }
            if let Some(simd) = pulp::x86::V4::try_new() {
                let tiles = wide::Wide(simd, simd);
                return simd.vectorize(RowProduct { product: self, activations, outputs, tiles });
            }
            if let Some(simd) = pulp::x86::V3::try_new() {
                let tiles = Narrow(Avx2(simd));
                return simd.vectorize(RowProduct { product: self, activations, outputs, tiles });
            }
        }
        RowProduct { product: self, activations, outputs, tiles: Narrow(Portable) }.call();
    }

    /// The sums of all tiles.
    #[inline(always)]
    fn add_up<T: Tiles>(&self, tiles: T, activations: &Activations, outputs: &mut [f32]) {
        let quads = self.inputs.div_ceil(QUAD);
        let columns = outputs.chunks_mut(TILE * BLOCK).zip(self.units.chunks(TILE * BLOCK));
        for ((outputs, units), weights) in columns.zip(self.weights.chunks(quads * TILE)) {
            match weights.len() / quads.max(1) {
                8 => tiles.tile::<8>(activations, weights, outputs, units),
                7 => tiles.tile::<7>(activations, weights, outputs, units),
                6 => tiles.tile::<6>(activations, weights, outputs, units),
                5 => tiles.tile::<5>(activations, weights, outputs, units),
                4 => tiles.tile::<4>(activations, weights, outputs, units),
                3 => tiles.tile::<3>(activations, weights, outputs, units),
                2 => tiles.tile::<2>(activations, weights, outputs, units),
                _ => tiles.tile::<1>(activations, weights, outputs, units),
            }
        }
    }
}

/// Sums of tiles in registers of some kind.
trait Tiles: Copy {
    /// Writes the sums of a tile of `WIDTH` blocks.
    fn tile<const WIDTH: usize>(
        self,
        activations: &Activations,
        weights: &[Weights],
        outputs: &mut [f32],
        units: &[f32],
    );
}

/// A block of outputs to a register.
#[derive(Debug, Clone, Copy)]
struct Narrow<D>(D);

impl<D: Dot> Tiles for Narrow<D> {
    #[inline(always)]
    fn tile<const WIDTH: usize>(
        self,
        activations: &Activations,
        weights: &[Weights],
        outputs: &mut [f32],
        units: &[f32],
    ) {
        let Narrow(dot) = self;
        let mut sums = [dot.zero(); WIDTH];
        let (quads, _) = weights.as_chunks::<WIDTH>();
        for &place in &activations.used {
            let place = place as usize;
            let inputs = dot.inputs(activations.quads[place]);
            for (sum, weights) in sums.iter_mut().zip(&quads[place]) {
                *sum = dot.add(*sum, inputs, &weights.0);
            }
        }
        let blocks = outputs.chunks_mut(BLOCK).zip(units.chunks(BLOCK));
        for ((outputs, units), sum) in blocks.zip(sums) {
            write(dot.numbers(sum), outputs, units);
        }
    }
}

/// Writes sums with their units.
#[inline(always)]
fn write<const N: usize>(sums: [i32; N], outputs: &mut [f32], units: &[f32]) {
    for ((output, unit), sum) in outputs.iter_mut().zip(units).zip(sums) {
        // Below 2^24, and a power of two: exact.
        *output = sum as f32 * unit;
    }
}

/// The product of activations with the weights of one output, input by input.
pub fn dot_column(activations: &Activations, weights: &[Weights]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(wide::WideColumn { activations, weights, simd });
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(Column { activations, weights, dot: Avx2(simd) });
        }
    }
    Column { activations, weights, dot: Portable }.call()
}

/// The product of one column, compiled for one kind of registers.
struct Column<'a, D> {
    activations: &'a Activations,
    weights: &'a [Weights],
    dot: D,
}

impl<D: Dot> NullaryFnOnce for Column<'_, D> {
    type Output = i32;

    #[inline(always)]
    fn call(self) -> i32 {
        let (quads, _) = self.activations.quads.as_chunks::<BLOCK>();
        let mut sums = self.dot.zero();
        for (quads, weights) in quads.iter().zip(self.weights) {
            sums = self.dot.add(sums, self.dot.different_inputs(quads), &weights.0);
        }
        self.dot.numbers(sums).iter().sum()
    }
}

/// The product of one row, compiled for one kind of registers.
struct RowProduct<'a, T> {
    product: &'a Product,
    activations: &'a Activations,
    outputs: &'a mut [f32],
    tiles: T,
}

impl<T: Tiles> NullaryFnOnce for RowProduct<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.product.add_up(self.tiles, self.activations, self.outputs);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Units;
    use super::*;

    /// Whole numbers from `low` to `high` without a rule.
    fn noise(count: usize, low: i64, high: i64) -> impl Iterator<Item = i64> {
        let mut state = count as u64 + 1;
        (0..count).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            low + (state >> 33) as i64 % (high - low + 1)
        })
    }

    fn check(inputs: usize, outputs: usize, entries: Vec<i64>, activations: Vec<i64>) {
        let bytes = entries.iter().map(|&entry| entry as i8 as u8).collect();
        let units: Vec<i32> = (0..outputs).map(|output| output as i32 % 5 - 1).collect();
        let table = Table::new(inputs, outputs, bytes).unwrap();
        let product = Product::new(&table.scaled(Units::Columns(units.clone())).unwrap()).unwrap();
        assert_eq!(product.shape(), [inputs, outputs]);
        let rows = activations.len() / inputs;
        let expected: Vec<f32> = (0..rows * outputs)
            .map(|place| {
                let (row, output) = (place / outputs, place % outputs);
                let row = &activations[row * inputs..][..inputs];
                let sum: i64 = (0..inputs).map(|i| row[i] * entries[i * outputs + output]).sum();
                sum as f32 * exp2(-units[output]) as f32
            })
            .collect();
        let activations: Vec<f32> = activations.into_iter().map(|a| a as f32).collect();
        // The second time as on machines without wide registers, then with those of 256 bits, and with those of 512
        // but without products of bytes, if there are.
        for registers in 0..4 {
            let mut found = vec![f32::NAN; rows * outputs];
            for (inputs, found) in activations.chunks(inputs).zip(found.chunks_mut(outputs)) {
                let mut activations = Activations::default();
                activations.set(inputs);
                let (product, activations) = (&product, &activations);
                let portable = Narrow(Portable);
                match registers {
                    0 => product.multiply(activations, found),
                    #[cfg(target_arch = "x86_64")]
                    2 if let Some(simd) = pulp::x86::V3::try_new() => {
                        let tiles = Narrow(Avx2(simd));
                        RowProduct { product, activations, outputs: found, tiles }.call();
                    }
                    #[cfg(target_arch = "x86_64")]
                    3 if let Some(simd) = pulp::x86::V4::try_new() => {
                        let tiles = wide::Wide(simd, simd);
                        RowProduct { product, activations, outputs: found, tiles }.call();
                    }
                    _ => {
                        RowProduct { product, activations, outputs: found, tiles: portable }.call();
                    }
                }
            }
            assert_eq!(found, expected, "{inputs} x {outputs}, {registers}");
        }
    }

    #[test]
    fn products_are_those_of_the_numbers() {
        for (inputs, outputs) in
            [(1, 1), (3, 7), (4, 8), (5, 9), (64, 64), (30, 65), (33, 129), (128, 100), (320, 897)]
        {
            let entries = noise(inputs * outputs, -128, 127).collect();
            let activations = noise(3 * inputs, 0, 127).collect();
            check(inputs, outputs, entries, activations);
        }
    }

    #[test]
    fn the_largest_of_numbers_do_not_saturate() {
        for entry in [-128, 127] {
            check(64, 16, vec![entry; 64 * 16], vec![127; 64]);
        }
    }

    #[test]
    fn zeros_are_passed_over_and_nothing_else() {
        for period in [2, 3, 4, 5, 8, 100] {
            let entries = noise(50 * 24, -127, 127).collect();
            let activations = (0..50).map(|i| if i % period == 1 { 1 + i } else { 0 }).collect();
            check(50, 24, entries, activations);
        }
    }

    #[test]
    fn rows_with_units_of_their_own_are_refused() {
        let table = Table::new(2, 2, vec![1; 4]).unwrap();
        assert!(Product::new(&table.scaled(Units::Rows(vec![0, 1])).unwrap()).is_none());
    }
}
