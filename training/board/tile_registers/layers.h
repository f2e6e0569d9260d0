// What all layers share: normalisation, a matrix there, and what is learned of it on the way back.
#pragma once

#include <cmath>

#include "parameters.h"

namespace tiles {

// Tokens over their root mean square, which is 1 / `scales`.
inline void normalise(const float (*stream)[W], bool quantised, Half (*to)[W], float* scales) {
    for (int token = 0; token < TOKENS; token++) {
        __m512 sum = _mm512_setzero_ps(), value[W / 16];
        for (int i = 0; i < W / 16; i++) {
            value[i] = _mm512_load_ps(stream[token] + 16 * i);
            sum = _mm512_fmadd_ps(value[i], value[i], sum);
        }
        const float scale = 1 / std::sqrt(_mm512_reduce_add_ps(sum) / W + 1e-5f);
        scales[token] = scale;
        for (int i = 0; i < W / 16; i++) {
            __m512 normal = _mm512_mul_ps(value[i], _mm512_set1_ps(scale));
            narrow(to[token] + 16 * i, quantised ? rounded(normal, 1.0f / 16, -63, 63) : normal);
        }
    }
}

// Adds what the gradients (rows, W) of normalised tokens from `from` on say to the stream's.
inline void normalise_back(bool quantised, int from, int rows, const float* given, const Half (*normals)[W],
                           const float* scales, float (*gradient)[W]) {
    for (int row = 0; row < rows; row++) {
        const int token = from + row;
        __m512 sum = _mm512_setzero_ps(), value[W / 16], normal[W / 16];
        for (int i = 0; i < W / 16; i++) {
            value[i] = _mm512_load_ps(given + row * W + 16 * i);
            normal[i] = wide(normals[token] + 16 * i);
            if (quantised) value[i] = within(value[i], normal[i], 1.0f / 16, 63);
            sum = _mm512_fmadd_ps(value[i], normal[i], sum);
        }
        const __m512 mean = _mm512_set1_ps(_mm512_reduce_add_ps(sum) / W), scale = _mm512_set1_ps(scales[token]);
        for (int i = 0; i < W / 16; i++) {
            float* at = gradient[token] + 16 * i;
            __m512 change = _mm512_fnmadd_ps(normal[i], mean, value[i]);
            _mm512_store_ps(at, _mm512_fmadd_ps(change, scale, _mm512_load_ps(at)));
        }
    }
}

// Memory that every matrix uses in turn.
struct Layers {
    static constexpr int WIDEST = F > QKV ? (F > MIXED ? F : MIXED) : (QKV > MIXED ? QKV : MIXED);
    alignas(64) float chunk[CHUNK * WIDEST];
    alignas(64) Half a_tiles[TOKENS * WIDEST], b_tiles[TOKENS * WIDEST];

    // Calls `each(token, column, sums)` for 16 columns at a time of X times the matrix, plus its bias.
    template <int OUTPUTS, int INPUTS, class Each>
    void forward(const Half* x, const Matrix<OUTPUTS, INPUTS>& matrix, Each each) {
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<OUTPUTS, INPUTS>(x + from * INPUTS, INPUTS, matrix.there, chunk);
            for (int row = 0; row < CHUNK; row++)
                for (int column = 0; column < OUTPUTS; column += 16)
                    each(from + row, column,
                         _mm512_add_ps(_mm512_load_ps(chunk + row * OUTPUTS + column),
                                       _mm512_loadu_ps(matrix.bias + column)));
        }
    }

    // Lays out what went into one or several matrices, before these learn.
    template <int INPUTS>
    void given(const Half* x) {
        to_b_tiles(x, INPUTS, TOKENS, INPUTS, b_tiles);
    }
    // Adds the gradient of a matrix and of its bias: those of its outputs are dY.
    template <int OUTPUTS, int INPUTS>
    void learn(const Half* dy, MatrixGradient<OUTPUTS, INPUTS>& g) {
        to_transposed_a_tiles(dy, OUTPUTS, TOKENS, OUTPUTS, a_tiles);
        weight_gradient<OUTPUTS, INPUTS>(a_tiles, b_tiles, g.weight);
        for (int column = 0; column < OUTPUTS; column += 16) {
            __m512 sum = _mm512_loadu_ps(g.bias + column);
            for (int token = 0; token < TOKENS; token++) sum = _mm512_add_ps(sum, wide(dy + token * OUTPUTS + column));
            _mm512_storeu_ps(g.bias + column, sum);
        }
    }
};

}  // namespace tiles
