//! Products of bytes: four outputs of all squares at a time.

use core::arch::x86_64::__m512i;

use super::plane::{PARTS, Plane};
use super::vector::{Vector, load};
use crate::network::QUAD;

/// Sums of four outputs, for all squares.
pub type QuadSums = [[__m512i; PARTS]; QUAD];

/// Adds to each output the products of each square's four bytes with the output's.
#[inline(always)]
pub fn add_products(vector: Vector, sums: &mut QuadSums, plane: &Plane, quads: [i32; QUAD]) {
    let mut board = [vector.splat(0); PARTS];
    for (part, numbers) in board.iter_mut().zip(&plane.0) {
        *part = load(numbers);
    }
    for (sums, quad) in sums.iter_mut().zip(quads) {
        let quad = vector.splat(quad);
        for (sums, &board) in sums.iter_mut().zip(&board) {
            *sums = vector.0.add_products(*sums, board, quad);
        }
    }
}
