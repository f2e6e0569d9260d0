// Products in tile registers (AMX).
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include "layouts.h"

namespace tiles {

// Whether the system gives this process the registers.
inline bool products_granted() { return !syscall(SYS_arch_prctl, 0x1023, 18); }

// GCC's own macros do not say that these read and write memory.
#define TILE_LOAD(tile, from, stride) \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #tile::"r"(from), "r"(int64_t(stride)) : "memory")
#define TILE_STORE(tile, to, stride) \
    __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1,1)" ::"r"(to), "r"(int64_t(stride)) : "memory")

// What each thread does before its first product and after its last.
inline void begin_products() {
    alignas(64) uint8_t shape[64] = {1};
    for (int tile = 0; tile < 8; tile++) {
        shape[16 + 2 * tile] = 64;
        shape[48 + tile] = 16;
    }
    __asm__ volatile("ldtilecfg %0" ::"m"(shape) : "memory");
}
inline void end_products() { _tile_release(); }

// Sums of 32 x 32 are in tiles 0 to 3, by rows of tiles.
inline void zero_sums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}
inline void load_sums(const float* from, int stride) {
    TILE_LOAD(0, from, 4 * stride);
    TILE_LOAD(1, from + 16, 4 * stride);
    TILE_LOAD(2, from + 16 * stride, 4 * stride);
    TILE_LOAD(3, from + 16 * stride + 16, 4 * stride);
}
inline void store_sums(float* to, int stride) {
    TILE_STORE(0, to, 4 * stride);
    TILE_STORE(1, to + 16, 4 * stride);
    TILE_STORE(2, to + 16 * stride, 4 * stride);
    TILE_STORE(3, to + 16 * stride + 16, 4 * stride);
}
// Adds the products of two tiles of A, rows `stride` apart, with two B-tiles.
inline void add_products(const Half* upper, const Half* lower, int stride, const Half* left, const Half* right) {
    TILE_LOAD(4, upper, 2 * stride);
    TILE_LOAD(6, left, 64);
    _tile_dpbf16ps(0, 4, 6);
    TILE_LOAD(7, right, 64);
    _tile_dpbf16ps(1, 4, 7);
    TILE_LOAD(5, lower, 2 * stride);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
}

// C (32, columns) f32 = or += A (32, depth), rows `stride` apart, times B in B-tiles.
template <int COLUMNS, int INPUTS, bool ADD = false>
inline void product(const Half* a, int stride, const Half* b, float* c) {
    for (int column = 0; column < COLUMNS; column += 32) {
        if (ADD)
            load_sums(c + column, COLUMNS);
        else
            zero_sums();
        const Half* left = b + (column / 16) * (INPUTS / 32) * 512;
        const Half* right = left + (INPUTS / 32) * 512;
        for (int input = 0; input < INPUTS; input += 32, left += 512, right += 512)
            add_products(a + input, a + 16 * stride + input, stride, left, right);
        store_sums(c + column, COLUMNS);
    }
}

// The gradient (outputs, inputs) += transposed dY (tokens, outputs) times X (tokens, inputs).
template <int OUTPUTS, int INPUTS>
void weight_gradient(const Half* a_tiles, const Half* b_tiles, float* gradient) {
    constexpr int STEPS = TOKENS / 32;
    for (int output = 0; output < OUTPUTS; output += 32)
        for (int input = 0; input < INPUTS; input += 32) {
            float* at = gradient + output * INPUTS + input;
            load_sums(at, INPUTS);
            const Half *upper = a_tiles + (output / 16) * STEPS * 512, *lower = upper + STEPS * 512;
            const Half *left = b_tiles + (input / 16) * STEPS * 512, *right = left + STEPS * 512;
            for (int step = 0; step < 512 * STEPS; step += 512)
                add_products(upper + step, lower + step, 32, left + step, right + step);
            store_sums(at, INPUTS);
        }
}

// C (64, 64) = A (64, 32) times one row of B-tiles, four of them.
inline void square_product(const Half* a, const Half* b_tiles, float* c) {
    for (int row = 0; row < 64; row += 32)
        for (int column = 0; column < 64; column += 32) {
            const Half* left = b_tiles + (column / 16) * 512;
            zero_sums();
            add_products(a + row * 32, a + (row + 16) * 32, 32, left, left + 512);
            store_sums(c + row * 64 + column, 64);
        }
}
// C (64, 16) = A (64, 64), two A-tiles a row of tiles, `row_tile` and `column_tile` elements apart, times two B-tiles.
inline void thin_product(const Half* a, int row_tile, int column_tile, int stride, const Half* b_tiles, float* c) {
    TILE_LOAD(6, b_tiles, 64);
    TILE_LOAD(7, b_tiles + 512, 64);
#define ROW(tile)                                            \
    _tile_zero(tile);                                        \
    TILE_LOAD(4, a + tile * row_tile, stride);               \
    TILE_LOAD(5, a + tile * row_tile + column_tile, stride); \
    _tile_dpbf16ps(tile, 4, 6);                              \
    _tile_dpbf16ps(tile, 5, 7);                              \
    TILE_STORE(tile, c + tile * 256, 64);
    ROW(0) ROW(1) ROW(2) ROW(3)
#undef ROW
}

}  // namespace tiles
