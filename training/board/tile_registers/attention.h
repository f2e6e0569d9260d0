// Attention of the squares of one position: four products of 64 x 64 a head, whose parts lie in the first cache.
#pragma once

#include "kept.h"
#include "parameters.h"

namespace tiles {

struct Attention {
    alignas(64) Half query[64 * 32], key_tiles[4 * 512], value_tiles[2 * 512], d_out[64 * 32], transposed[8 * 512];
    alignas(64) Half scores_gradient[64 * 64];
    alignas(64) float scores[64 * 64], thin[64 * 16];
    float scale[64];

    // What is behind 16 columns stays nothing.
    Attention() {
        memset(query, 0, sizeof query);
        memset(key_tiles, 0, sizeof key_tiles);
        memset(d_out, 0, sizeof d_out);
    }

    // Columns `at` to `at + 16` of 64 rows, as rows of 32 whose second half is nothing.
    static void pad(const Half* from, int stride, Half* to) {
        for (int row = 0; row < 64; row++)
            _mm256_store_si256((__m256i*)(to + 32 * row), _mm256_loadu_si256((const __m256i*)(from + row * stride)));
    }
    // 64 rows of 16 columns, transposed, as four B-tiles whose lower halves are nothing: pairs of columns by rows.
    static void columns_to_b_tiles(const Half* from, int stride, Half* to) {
        for (int tile = 0; tile < 4; tile++) {
            __m512i r[16];
            for (int i = 0; i < 16; i++)
                r[i] = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i*)(from + (16 * tile + i) * stride)));
            transpose16(r);
            for (int i = 0; i < 8; i++) _mm512_store_si512(to + 512 * tile + 32 * i, r[i]);
        }
    }

    // `factor` times the gradients in `thin` of values that a site clips beyond `most` units, into rows of QKV.
    void take(bool quantised, const Half* values, float unit, float most, float factor, Half* to) const {
        for (int row = 0; row < 64; row++) {
            __m512 gradient = _mm512_load_ps(thin + 16 * row);
            if (quantised) gradient = within(gradient, wide(values + row * QKV), unit, most);
            narrow(to + row * QKV, _mm512_mul_ps(gradient, _mm512_set1_ps(factor)));
        }
    }

    // Fills what is attended to in `k.mixed`, and the shares, from `k.qkv` of one position.
    void there(bool quantised, const Block& block, Kept& k, int place) {
        for (int head = 0; head < HEADS; head++) {
            const Half* at = k.qkv[place * SQUARES] + head * DEPTH;
            pad(at, QKV, query);
            columns_to_b_tiles(at + INNER, QKV, key_tiles);
            square_product(query, key_tiles, scores);
            for (int row = 0; row < 64; row++) {
                __m512 s[4], most = _mm512_set1_ps(-1e30f);
                for (int i = 0; i < 4; i++) {
                    s[i] = _mm512_add_ps(_mm512_load_ps(scores + 64 * row + 16 * i),
                                         _mm512_load_ps(block.bias[head][row] + 16 * i));
                    most = _mm512_max_ps(most, s[i]);
                }
                const __m512 largest = _mm512_set1_ps(_mm512_reduce_max_ps(most));
                __m512 sum = _mm512_setzero_ps();
                for (int i = 0; i < 4; i++) {
                    s[i] = exponential(_mm512_sub_ps(s[i], largest));
                    if (quantised) s[i] = _mm512_roundscale_ps(_mm512_mul_ps(s[i], _mm512_set1_ps(127)), 8);
                    sum = _mm512_add_ps(sum, s[i]);
                }
                const float total = _mm512_reduce_add_ps(sum);
                scale[row] = 1 / total;
                const __m512 part = _mm512_set1_ps(quantised ? 1.0f : 1 / total);
                for (int i = 0; i < 4; i++) narrow(k.share[place][head][row] + 16 * i, _mm512_mul_ps(s[i], part));
            }
            to_b_tiles(at + 2 * INNER, QKV, 64, 16, value_tiles);
            thin_product(k.share[place][head][0], 16 * 64, 32, 128, value_tiles, thin);
            for (int row = 0; row < 64; row++) {
                __m512 value = _mm512_load_ps(thin + 16 * row);
                if (quantised) {
                    value = _mm512_mul_ps(value, _mm512_set1_ps(scale[row]));
                    value = rounded(value, block.sites.out[head], -63, 63);
                    for (int i = 0; i < 4; i++) {
                        Half* share = k.share[place][head][row] + 16 * i;
                        narrow(share, _mm512_mul_ps(wide(share), _mm512_set1_ps(scale[row])));
                    }
                }
                narrow(k.mixed[place * SQUARES + row] + head * DEPTH, value);
            }
        }
    }

    // From the gradients (TOKENS, MIXED) of what was mixed to those of queries, keys and values of one position.
    void back(bool quantised, const Block& block, BlockGradient& g, const Kept& k, int place, const Half* d_mixed,
              Half (*d_qkv)[QKV]) {
        for (int head = 0; head < HEADS; head++) {
            const Half* at = k.qkv[place * SQUARES] + head * DEPTH;
            const Half* out = d_mixed + place * SQUARES * MIXED + head * DEPTH;
            const Half* share = k.share[place][head][0];
            Half* to = d_qkv[place * SQUARES] + head * DEPTH;
            pad(out, MIXED, d_out);
            columns_to_b_tiles(at + 2 * INNER, QKV, key_tiles);
            square_product(d_out, key_tiles, scores);
            for (int row = 0; row < 64; row++) {
                __m512 s[4], p[4], sum = _mm512_setzero_ps();
                for (int i = 0; i < 4; i++) {
                    s[i] = _mm512_load_ps(scores + 64 * row + 16 * i);
                    p[i] = wide(share + 64 * row + 16 * i);
                    sum = _mm512_fmadd_ps(s[i], p[i], sum);
                }
                const __m512 dot = _mm512_set1_ps(_mm512_reduce_add_ps(sum));
                for (int i = 0; i < 4; i++) {
                    __m512 change = _mm512_mul_ps(p[i], _mm512_sub_ps(s[i], dot));
                    float* bias = g.bias[head][row] + 16 * i;
                    _mm512_store_ps(bias, _mm512_add_ps(_mm512_load_ps(bias), change));
                    narrow(scores_gradient + 64 * row + 16 * i, change);
                }
            }
            // Values: shares transposed times the gradient of what was attended to.
            to_transposed_a_tiles(share, 64, 64, 64, transposed);
            to_b_tiles(out, MIXED, 64, 16, value_tiles);
            thin_product(transposed, 1024, 512, 64, value_tiles, thin);
            take(quantised, at + 2 * INNER, block.sites.value[head], 127, 1, to + 2 * INNER);
            // Queries.
            to_b_tiles(at + INNER, QKV, 64, 16, value_tiles);
            thin_product(scores_gradient, 16 * 64, 32, 128, value_tiles, thin);
            take(quantised, at, block.sites.query[head], 63, halved(DEPTH), to);
            // Keys.
            to_transposed_a_tiles(scores_gradient, 64, 64, 64, transposed);
            to_b_tiles(at, QKV, 64, 16, value_tiles);
            thin_product(transposed, 1024, 512, 64, value_tiles, thin);
            take(quantised, at + INNER, block.sites.key[head], 127, 1, to + INNER);
        }
    }
};

}  // namespace tiles
