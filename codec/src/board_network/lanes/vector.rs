//! Registers of 16 lanes.

use core::arch::x86_64::{__m512, __m512i};

use plyzip_kernel::Vnni;

use super::super::plan::OFFSET;
use super::plane::LANES;
use crate::network::QUAD;

/// [`OFFSET`] in each byte of a lane.
pub const OFFSETS: i32 = i32::from_le_bytes([OFFSET; QUAD]);

/// What computes with registers. Operations on numbers with a fraction round once, to even, as IEEE 754 says.
#[derive(Clone, Copy)]
pub struct Vector(pub Vnni);

impl Vector {
    /// The same number in each lane.
    #[inline(always)]
    pub fn splat(self, number: i32) -> __m512i {
        self.0.avx512f._mm512_set1_epi32(number)
    }

    /// The same number in each lane.
    #[inline(always)]
    pub fn splat_f32(self, number: f32) -> __m512 {
        self.0.avx512f._mm512_set1_ps(number)
    }

    #[inline(always)]
    pub fn add(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.avx512f._mm512_add_epi32(a, b)
    }

    #[inline(always)]
    pub fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.avx512f._mm512_sub_epi32(a, b)
    }

    #[inline(always)]
    pub fn max(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.avx512f._mm512_max_epi32(a, b)
    }

    #[inline(always)]
    pub fn min(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.avx512f._mm512_min_epi32(a, b)
    }

    /// The nearest number of 24 bits.
    #[inline(always)]
    pub fn to_f32(self, numbers: __m512i) -> __m512 {
        self.0.avx512f._mm512_cvtepi32_ps(numbers)
    }

    #[inline(always)]
    pub fn multiply(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_mul_ps(a, b)
    }

    /// `value` clipped to `low` and `high` and rounded, as [`rounded`](crate::board_network::rounding::rounded) does.
    #[inline(always)]
    pub fn rounded(self, value: __m512, low: f32, high: f32) -> __m512i {
        let f = self.0.avx512f;
        let raised = f._mm512_max_ps(value, self.splat_f32(low));
        f._mm512_cvtps_epi32(f._mm512_min_ps(raised, self.splat_f32(high)))
    }

    /// Four numbers of a lane, each from 0 to 255, as its bytes.
    #[inline(always)]
    pub fn unsigned(self, numbers: [__m512i; QUAD]) -> __m512i {
        let f = self.0.avx512f;
        let [a, b, c, d] = numbers;
        let low = self.add(a, f._mm512_slli_epi32::<8>(b));
        let high = self.add(c, f._mm512_slli_epi32::<8>(d));
        self.add(low, f._mm512_slli_epi32::<16>(high))
    }

    /// Four numbers of a lane as its bytes with [`OFFSET`] added, which makes each of them one from 0 to 127.
    #[inline(always)]
    pub fn raised(self, numbers: [__m512i; QUAD]) -> __m512i {
        self.add(self.unsigned(numbers), self.splat(OFFSETS))
    }

    /// Four numbers of a lane, each from -128 to 127, as its bytes.
    #[inline(always)]
    pub fn signed(self, numbers: [__m512i; QUAD]) -> __m512i {
        let signs = self.splat(i32::from_le_bytes([128; QUAD]));
        self.0.avx512f._mm512_xor_si512(self.add(self.unsigned(numbers), signs), signs)
    }

    /// For each lane that of 64 numbers in four registers that `places` names; `other` where it names 64.
    #[inline(always)]
    pub fn look_up(self, table: [__m512i; 4], places: __m512i, other: __m512i) -> __m512i {
        let f = self.0.avx512f;
        let low = f._mm512_permutex2var_epi32(table[0], places, table[1]);
        let high = f._mm512_permutex2var_epi32(table[2], places, table[3]);
        let upper = f._mm512_test_epi32_mask(places, self.splat(32));
        let found = f._mm512_mask_mov_epi32(low, upper, high);
        f._mm512_mask_mov_epi32(found, f._mm512_test_epi32_mask(places, self.splat(64)), other)
    }
}

/// Numbers from memory.
#[inline(always)]
pub fn load(numbers: &[i32; LANES]) -> __m512i {
    pulp::cast(*numbers)
}

/// Numbers for memory.
#[inline(always)]
pub fn store(numbers: __m512i) -> [i32; LANES] {
    pulp::cast(numbers)
}

/// Rows as columns.
#[inline(always)]
pub fn transposed(vector: Vector, mut r: [__m512i; LANES]) -> [__m512i; LANES] {
    let f = vector.0.avx512f;
    let mut t = r;
    for i in 0..8 {
        t[2 * i] = f._mm512_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = f._mm512_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
    }
    for i in 0..4 {
        for j in 0..2 {
            r[4 * i + 2 * j] = f._mm512_unpacklo_epi64(t[4 * i + j], t[4 * i + 2 + j]);
            r[4 * i + 2 * j + 1] = f._mm512_unpackhi_epi64(t[4 * i + j], t[4 * i + 2 + j]);
        }
    }
    // r[4 i + c]: columns c, 4 + c, 8 + c, 12 + c of rows 4 i to 4 i + 3, one in each quarter.
    for c in 0..4 {
        let a = f._mm512_shuffle_i32x4::<0x88>(r[c], r[4 + c]);
        let b = f._mm512_shuffle_i32x4::<0xdd>(r[c], r[4 + c]);
        let d = f._mm512_shuffle_i32x4::<0x88>(r[8 + c], r[12 + c]);
        let e = f._mm512_shuffle_i32x4::<0xdd>(r[8 + c], r[12 + c]);
        t[c] = f._mm512_shuffle_i32x4::<0x88>(a, d);
        t[8 + c] = f._mm512_shuffle_i32x4::<0xdd>(a, d);
        t[4 + c] = f._mm512_shuffle_i32x4::<0x88>(b, e);
        t[12 + c] = f._mm512_shuffle_i32x4::<0xdd>(b, e);
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector() -> Option<Vector> {
        Vnni::try_new().map(Vector)
    }

    #[test]
    fn numbers_become_bytes() {
        let Some(vector) = vector() else { return };
        let in_lanes = |numbers: [i32; QUAD]| numbers.map(|number| vector.splat(number));
        let bytes = |lanes: __m512i| store(lanes)[5].to_le_bytes();
        assert_eq!(bytes(vector.unsigned(in_lanes([255, 0, 1, 127]))), [255, 0, 1, 127]);
        assert_eq!(bytes(vector.raised(in_lanes([-63, 63, -1, 0]))), [1, 127, 63, 64]);
        let signed = bytes(vector.signed(in_lanes([-127, 127, 5, -128])));
        assert_eq!(signed.map(|byte| byte as i8), [-127, 127, 5, -128]);
    }

    #[test]
    fn rows_become_columns() {
        let Some(vector) = vector() else { return };
        let rows: [[i32; LANES]; LANES] =
            std::array::from_fn(|row| std::array::from_fn(|column| (100 * row + column) as i32));
        let columns = transposed(vector, rows.map(|row| load(&row)));
        for (column, numbers) in columns.into_iter().enumerate() {
            for (row, number) in store(numbers).into_iter().enumerate() {
                assert_eq!(number, (100 * row + column) as i32);
            }
        }
    }

    #[test]
    fn squares_are_looked_up() {
        let Some(vector) = vector() else { return };
        let table = std::array::from_fn(|part| {
            load(&std::array::from_fn(|lane| (1000 + 16 * part + lane) as i32))
        });
        let places = [0, 1, 15, 16, 31, 32, 33, 47, 48, 63, 64, 64, 5, 20, 40, 62];
        let found = vector.look_up(table, load(&places), vector.splat(-1));
        let expected = places.map(|place| if place == 64 { -1 } else { 1000 + place });
        assert_eq!(store(found), expected);
    }
}
