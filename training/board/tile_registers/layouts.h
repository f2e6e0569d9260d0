// The layouts that products read.
//
// Rows are tokens. A B-tile holds 32 rows of 16 columns as 16 pairs of rows: [pair][column][2]. Its transposed is an
// A-tile: 16 rows of 32 columns.
#pragma once

#include "numbers.h"
#include "sizes.h"

namespace tiles {

inline void transpose16(__m512i r[16]) {
    __m512i t[16];
    for (int i = 0; i < 8; i++) {
        t[2 * i] = _mm512_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            r[4 * i + 2 * j] = _mm512_unpacklo_epi64(t[4 * i + j], t[4 * i + 2 + j]);
            r[4 * i + 2 * j + 1] = _mm512_unpackhi_epi64(t[4 * i + j], t[4 * i + 2 + j]);
        }
    // r[4i + c]: columns c, 4 + c, 8 + c, 12 + c of rows 4i to 4i + 3, one in each quarter.
    for (int c = 0; c < 4; c++) {
        __m512i ab = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88), AB = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
        __m512i cd = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88);
        __m512i CD = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
        t[c] = _mm512_shuffle_i32x4(ab, cd, 0x88);
        t[8 + c] = _mm512_shuffle_i32x4(ab, cd, 0xdd);
        t[4 + c] = _mm512_shuffle_i32x4(AB, CD, 0x88);
        t[12 + c] = _mm512_shuffle_i32x4(AB, CD, 0xdd);
    }
    for (int i = 0; i < 16; i++) r[i] = t[i];
}

// 32 rows of 16 columns as pairs of rows.
inline void pair_rows(const Half* from, int stride, __m512i r[16]) {
    for (int pair = 0; pair < 16; pair++) {
        __m512i low = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(from + 2 * pair * stride)));
        __m512i high = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(from + (2 * pair + 1) * stride)));
        r[pair] = _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
    }
}
// Rows x columns to B-tiles: those of the first 16 columns one after another, then those of the next.
void to_b_tiles(const Half* from, int stride, int rows, int columns, Half* to) {
    for (int column = 0; column < columns; column += 16)
        for (int row = 0; row < rows; row += 32, to += 512) {
            __m512i r[16];
            pair_rows(from + row * stride + column, stride, r);
            for (int i = 0; i < 16; i++) _mm512_storeu_si512(to + 32 * i, r[i]);
        }
}
// Rows x columns to the A-tiles of the transposed.
void to_transposed_a_tiles(const Half* from, int stride, int rows, int columns, Half* to) {
    for (int column = 0; column < columns; column += 16)
        for (int row = 0; row < rows; row += 32, to += 512) {
            __m512i r[16];
            pair_rows(from + row * stride + column, stride, r);
            transpose16(r);
            for (int i = 0; i < 16; i++) _mm512_storeu_si512(to + 32 * i, r[i]);
        }
}

}  // namespace tiles
