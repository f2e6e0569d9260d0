// Products in registers of 512 bits (AVX-512 BF16), of the layouts of tiles: for processors without tile registers.
#pragma once

#include "layouts.h"

namespace tiles {

inline bool products_granted() { return true; }
inline void begin_products() {}
inline void end_products() {}

// Adds A (ROWS, 2 x pairs), rows `stride` apart, times BLOCKS columns of B-tiles, `block_stride` apart, to C.
template <int ROWS, int BLOCKS>
inline void add_products(
    const Half* a, int stride, const Half* b, int block_stride, int pairs, __m512 (&c)[ROWS][BLOCKS]) {
    for (int pair = 0; pair < pairs; pair++) {
        __m512bh right[BLOCKS];
        for (int block = 0; block < BLOCKS; block++)
            right[block] = (__m512bh)_mm512_loadu_si512(b + block * block_stride + 32 * pair);
        for (int row = 0; row < ROWS; row++) {
            int both;
            memcpy(&both, a + row * stride + 2 * pair, sizeof both);
            const __m512bh left = (__m512bh)_mm512_set1_epi32(both);
            for (int block = 0; block < BLOCKS; block++)
                c[row][block] = _mm512_dpbf16_ps(c[row][block], left, right[block]);
        }
    }
}
template <int ROWS, int BLOCKS>
inline void zero_sums(__m512 (&c)[ROWS][BLOCKS]) {
    for (auto& row : c)
        for (__m512& sum : row) sum = _mm512_setzero_ps();
}
template <int ROWS, int BLOCKS>
inline void load_sums(const float* from, int stride, __m512 (&c)[ROWS][BLOCKS]) {
    for (int row = 0; row < ROWS; row++)
        for (int block = 0; block < BLOCKS; block++) c[row][block] = _mm512_loadu_ps(from + row * stride + 16 * block);
}
template <int ROWS, int BLOCKS>
inline void store_sums(float* to, int stride, const __m512 (&c)[ROWS][BLOCKS]) {
    for (int row = 0; row < ROWS; row++)
        for (int block = 0; block < BLOCKS; block++) _mm512_storeu_ps(to + row * stride + 16 * block, c[row][block]);
}

// C (32, columns) f32 = or += A (32, depth), rows `stride` apart, times B in B-tiles.
template <int COLUMNS, int INPUTS, bool ADD = false>
inline void product(const Half* a, int stride, const Half* b, float* c) {
    // Sixteen sums: their registers, those of B and one of A are fewer than 32.
    constexpr int BLOCKS = COLUMNS % 64 == 0 ? 4 : 2, ROWS = 16 / BLOCKS;
    for (int column = 0; column < COLUMNS; column += 16 * BLOCKS)
        for (int row = 0; row < 32; row += ROWS) {
            __m512 sums[ROWS][BLOCKS];
            float* to = c + row * COLUMNS + column;
            if (ADD)
                load_sums(to, COLUMNS, sums);
            else
                zero_sums(sums);
            add_products(a + row * stride, stride, b + column * INPUTS, 16 * INPUTS, INPUTS / 2, sums);
            store_sums(to, COLUMNS, sums);
        }
}

// The gradient (outputs, inputs) += transposed dY (tokens, outputs) times X (tokens, inputs).
template <int OUTPUTS, int INPUTS>
void weight_gradient(const Half* a_tiles, const Half* b_tiles, float* gradient) {
    constexpr int STEPS = TOKENS / 32, BLOCKS = INPUTS % 64 == 0 ? 4 : 2, ROWS = 16 / BLOCKS;
    for (int output = 0; output < OUTPUTS; output += ROWS)
        for (int input = 0; input < INPUTS; input += 16 * BLOCKS) {
            __m512 sums[ROWS][BLOCKS];
            float* at = gradient + output * INPUTS + input;
            load_sums(at, INPUTS, sums);
            const Half* a = a_tiles + (output / 16) * STEPS * 512 + (output % 16) * 32;
            const Half* b = b_tiles + (input / 16) * STEPS * 512;
            for (int step = 0; step < 512 * STEPS; step += 512)
                add_products(a + step, 32, b + step, 512 * STEPS, 16, sums);
            store_sums(at, INPUTS, sums);
        }
}

// C (64, 64) = A (64, 32) times one row of B-tiles, four of them.
inline void square_product(const Half* a, const Half* b_tiles, float* c) {
    for (int row = 0; row < 64; row += 4) {
        __m512 sums[4][4];
        zero_sums(sums);
        add_products(a + row * 32, 32, b_tiles, 512, 16, sums);
        store_sums(c + row * 64, 64, sums);
    }
}
// C (64, 16) = A (64, 64), two A-tiles a row of tiles, `row_tile` and `column_tile` elements apart, rows `stride` bytes
// apart, times two B-tiles.
inline void thin_product(const Half* a, int row_tile, int column_tile, int stride, const Half* b_tiles, float* c) {
    const int apart = stride / int(sizeof(Half));
    for (int tile = 0; tile < 4; tile++) {
        __m512 sums[16][1];
        zero_sums(sums);
        add_products(a + tile * row_tile, apart, b_tiles, 512, 16, sums);
        add_products(a + tile * row_tile + column_tile, apart, b_tiles + 512, 512, 16, sums);
        store_sums(c + tile * 256, 16, sums);
    }
}

}  // namespace tiles
