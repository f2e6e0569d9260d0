// A block: attention and rays, then two layers, each adding to the residual stream.
#pragma once

#include "attention.h"
#include "layers.h"
#include "view.h"

namespace tiles {

struct Blocks {
    Layers& layers;
    Attention attention;
    alignas(64) Half narrow_gradient[TOKENS][W], wide_gradient[TOKENS][F > MIXED ? F : MIXED];
    alignas(64) Half d_qkv[TOKENS][QKV], d_ray[TOKENS][W];
    alignas(64) float d_heard[TOKENS][W];

    void there(bool quantised, const Block& block, const Position* positions, float (*stream)[W], Kept& k) {
        normalise(stream, quantised, k.first, k.first_scale);
        layers.forward(k.first[0], block.qkv, [&](int token, int column, __m512 value) {
            const int kind = column / INNER, head = column % INNER / DEPTH;
            if (kind == 0) value = _mm512_mul_ps(value, _mm512_set1_ps(halved(DEPTH)));
            if (quantised) {
                const float unit = kind == 0   ? block.sites.query[head]
                                   : kind == 1 ? block.sites.key[head]
                                               : block.sites.value[head];
                const float most = kind == 0 ? 63 : 127;
                value = rounded(value, unit, -most, most);
            }
            narrow(k.qkv[token] + column, value);
        });
        layers.forward(k.first[0], block.ray, [&](int token, int column, __m512 value) {
            if (quantised) value = rounded(value, _mm512_load_ps(block.ray_units + column), -63, 63);
            narrow(k.ray[token] + column, value);
        });
        for (int place = 0; place < GROUP; place++) {
            attention.there(quantised, block, k, place);
            for (int square = 0; square < SQUARES; square++) {
                Half* to = k.mixed[place * SQUARES + square] + INNER;
                for (int ray = 0; ray < RAYS; ray++) {
                    const int heard = positions[place].heard[square][ray];
                    if (heard < 64)
                        memcpy(to + RAY * ray, k.ray[place * SQUARES + heard] + RAY * ray, 2 * RAY);
                    else
                        memset(to + RAY * ray, 0, 2 * RAY);
                }
            }
        }
        auto add = [&](int token, int column, __m512 value) {
            float* at = stream[token] + column;
            _mm512_store_ps(at, _mm512_add_ps(_mm512_load_ps(at), value));
        };
        layers.forward(k.mixed[0], block.out, add);
        normalise(stream, quantised, k.second, k.second_scale);
        layers.forward(k.second[0], block.rise, [&](int token, int column, __m512 value) {
            value = _mm512_max_ps(value, _mm512_setzero_ps());
            narrow(k.positive[token] + column, value);
            value = _mm512_mul_ps(value, value);
            if (quantised) value = rounded(value, block.sites.hidden, 0, 127);
            narrow(k.hidden[token] + column, value);
        });
        layers.forward(k.hidden[0], block.fall, add);
    }

    void narrow_all(const float (*gradient)[W]) {
        for (int token = 0; token < TOKENS; token++)
            for (int i = 0; i < W; i += 16) narrow(narrow_gradient[token] + i, _mm512_load_ps(gradient[token] + i));
    }

    void back(bool quantised, const Block& block, const Position* positions, BlockGradient& g, const Kept& k,
              float (*gradient)[W]) {
        Half* dh = (Half*)wide_gradient;
        narrow_all(gradient);
        layers.given<F>(k.hidden[0]);
        layers.learn(narrow_gradient[0], g.fall);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<F, W>(narrow_gradient[from], W, block.fall.back, layers.chunk);
            for (int row = 0; row < CHUNK; row++)
                for (int column = 0; column < F; column += 16) {
                    __m512 value = _mm512_load_ps(layers.chunk + row * F + column);
                    if (quantised) value = within(value, wide(k.hidden[from + row] + column), block.sites.hidden, 127);
                    const __m512 positive = wide(k.positive[from + row] + column);
                    narrow(dh + (from + row) * F + column, _mm512_mul_ps(value, _mm512_add_ps(positive, positive)));
                }
        }
        layers.given<W>(k.second[0]);
        layers.learn(dh, g.rise);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<W, F>(dh + from * F, F, block.rise.back, layers.chunk);
            normalise_back(quantised, from, CHUNK, layers.chunk, k.second, k.second_scale, gradient);
        }
        narrow_all(gradient);
        layers.given<MIXED>(k.mixed[0]);
        layers.learn(narrow_gradient[0], g.out);
        Half* dm = (Half*)wide_gradient;
        memset(d_heard, 0, sizeof d_heard);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<MIXED, W>(narrow_gradient[from], W, block.out.back, layers.chunk);
            for (int row = 0; row < CHUNK; row++) {
                const int token = from + row, place = token / SQUARES;
                for (int column = 0; column < INNER; column += 16) {
                    __m512 value = _mm512_load_ps(layers.chunk + row * MIXED + column);
                    if (quantised)
                        value = within(value, wide(k.mixed[token] + column), block.sites.out[column / DEPTH], 63);
                    narrow(dm + token * MIXED + column, value);
                }
                for (int ray = 0; ray < RAYS; ray++) {
                    const int heard = positions[place].heard[token % SQUARES][ray];
                    if (heard == 64) continue;
                    const float* source = layers.chunk + row * MIXED + INNER + RAY * ray;
                    float* to = d_heard[place * SQUARES + heard] + RAY * ray;
                    for (int i = 0; i < RAY; i++) to[i] += source[i];
                }
            }
        }
        for (int token = 0; token < TOKENS; token++)
            for (int column = 0; column < W; column += 16) {
                __m512 value = _mm512_load_ps(d_heard[token] + column);
                if (quantised)
                    value = within(value, wide(k.ray[token] + column), _mm512_load_ps(block.ray_units + column), 63);
                narrow(d_ray[token] + column, value);
            }
        for (int place = 0; place < GROUP; place++) attention.back(quantised, block, g, k, place, dm, d_qkv);
        layers.given<W>(k.first[0]);
        layers.learn(d_qkv[0], g.qkv);
        layers.learn(d_ray[0], g.ray);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<W, QKV>(d_qkv[from], QKV, block.qkv.back, layers.chunk);
            product<W, W, true>(d_ray[from], W, block.ray.back, layers.chunk);
            normalise_back(quantised, from, CHUNK, layers.chunk, k.first, k.first_scale, gradient);
        }
    }
};

}  // namespace tiles
