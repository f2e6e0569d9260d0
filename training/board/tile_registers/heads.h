// What is read from the last block: two policies and the end of the game.
#pragma once

#include "layers.h"
#include "view.h"

namespace tiles {

// All three read `normal`, which the caller fills and gives to `layers` beforehand.
struct Heads {
    Layers& layers;
    alignas(64) Half normal[TOKENS][W], pool[TOKENS][O], origin[TOKENS][P], target[TOKENS][P];
    alignas(64) Half d_policy[TOKENS][P], d_pool[TOKENS][O];
    alignas(64) float d_normal[TOKENS][W], d_origin[TOKENS][P], d_target[TOKENS][P];
    float scale[TOKENS];

    // Logits of a policy and their losses, then from `share` times their gradient to those of parameters and of
    // `normal`. `offsets` are added to the logits; positions without one have no part in it then.
    void policy(bool quantised, const Policy& head, const Position* positions, const int16_t* const* offsets,
                float share, PolicyGradient& g, double* losses) {
        const float scale = halved(P);
        layers.forward(normal[0], head.origin, [&](int token, int column, __m512 value) {
            value = _mm512_mul_ps(value, _mm512_set1_ps(scale));
            if (quantised) value = rounded(value, head.sites.origin, -63, 63);
            narrow(origin[token] + column, value);
        });
        layers.forward(normal[0], head.target, [&](int token, int column, __m512 value) {
            if (quantised) value = rounded(value, head.sites.target, -127, 127);
            narrow(target[token] + column, value);
        });
        memset(d_origin, 0, sizeof d_origin);
        memset(d_target, 0, sizeof d_target);
        for (int place = 0; place < GROUP; place++) {
            const Position& seen = positions[place];
            if (seen.played < 0 || !seen.moves || (offsets && !offsets[place])) continue;
            float logits[MOST_MOVES], most = -1e30f, sum = 0;
            for (int move = 0; move < seen.moves; move++) {
                const Half* o = origin[place * SQUARES + seen.from[move]];
                const Half* t = target[place * SQUARES + seen.to[move]];
                __m512 dot = _mm512_setzero_ps();
                for (int i = 0; i < P; i += 16) dot = _mm512_fmadd_ps(wide(o + i), wide(t + i), dot);
                float logit = _mm512_reduce_add_ps(dot) + head.pair[seen.from[move] * 64 + seen.to[move]];
                if (const int kind = seen.promotion[move]) {
                    const Half* n = normal[place * SQUARES + seen.to[move]];
                    logit += head.promotion_bias[kind - 1];
                    for (int i = 0; i < W; i++) logit += head.promotion[kind - 1][i] * widened(n[i]);
                }
                if (offsets) logit += offsets[place][move] * OFFSET_UNIT;
                logits[move] = logit;
                most = std::max(most, logit);
            }
            for (int move = 0; move < seen.moves; move++) sum += std::exp(logits[move] - most);
            losses[0] += std::log(sum) + most - logits[seen.played];
            losses[1] += 1;
            for (int move = 0; move < seen.moves; move++) {
                const float d = share * (std::exp(logits[move] - most) / sum - (move == seen.played));
                const int from = place * SQUARES + seen.from[move], to = place * SQUARES + seen.to[move];
                const __m512 by = _mm512_set1_ps(d);
                for (int i = 0; i < P; i += 16) {
                    float *at = d_origin[from] + i, *there = d_target[to] + i;
                    _mm512_store_ps(at, _mm512_fmadd_ps(by, wide(target[to] + i), _mm512_load_ps(at)));
                    _mm512_store_ps(there, _mm512_fmadd_ps(by, wide(origin[from] + i), _mm512_load_ps(there)));
                }
                g.pair[seen.from[move] * 64 + seen.to[move]] += d;
                if (const int kind = seen.promotion[move]) {
                    g.promotion_bias[kind - 1] += d;
                    for (int i = 0; i < W; i++) {
                        g.promotion[kind - 1][i] += d * widened(normal[to][i]);
                        d_normal[to][i] += d * head.promotion[kind - 1][i];
                    }
                }
            }
        }
        for (int side = 0; side < 2; side++) {
            const float (*from)[P] = side ? d_target : d_origin;
            const Half(*value)[P] = side ? target : origin;
            for (int token = 0; token < TOKENS; token++)
                for (int i = 0; i < P; i += 16) {
                    __m512 v = _mm512_load_ps(from[token] + i);
                    if (quantised)
                        v = within(v, wide(value[token] + i), side ? head.sites.target : head.sites.origin,
                                   side ? 127 : 63);
                    if (!side) v = _mm512_mul_ps(v, _mm512_set1_ps(scale));
                    narrow(d_policy[token] + i, v);
                }
            const Matrix<P, W>& matrix = side ? head.target : head.origin;
            layers.learn(d_policy[0], side ? g.target : g.origin);
            for (int at = 0; at < TOKENS; at += CHUNK) product<W, P, true>(d_policy[at], P, matrix.back, d_normal[at]);
        }
    }

    // The end of the game, likewise.
    void ends(const Network& net, const Position* positions, float share, Gradients& gradients, double* losses) {
        layers.forward(normal[0], net.pool, [&](int token, int column, __m512 value) {
            narrow(pool[token] + column, _mm512_max_ps(value, _mm512_setzero_ps()));
        });
        for (int place = 0; place < GROUP; place++) {
            float logit = net.end_bias;
            alignas(64) float pooled[O], d_pooled[O];
            for (int column = 0; column < O; column += 16) {
                __m512 sum = _mm512_setzero_ps();
                for (int square = 0; square < SQUARES; square++)
                    sum = _mm512_add_ps(sum, wide(pool[place * SQUARES + square] + column));
                sum = _mm512_mul_ps(sum, _mm512_set1_ps(1.0f / SQUARES));
                if (net.quantised) sum = rounded(sum, net.pool_unit, 0, 127);
                _mm512_store_ps(pooled + column, sum);
            }
            for (int i = 0; i < O; i++) logit += net.end[i] * pooled[i];
            const bool ended = positions[place].played < 0;
            losses[0] += std::max(logit, 0.0f) - (ended ? logit : 0) + std::log1p(std::exp(-std::fabs(logit)));
            losses[1] += 1;
            const float d = share * (1 / (1 + std::exp(-logit)) - ended);
            gradients.end_bias += d;
            for (int i = 0; i < O; i++) {
                gradients.end[i] += d * pooled[i];
                d_pooled[i] = d * net.end[i] / SQUARES;
                if (net.quantised && pooled[i] >= 127 * net.pool_unit) d_pooled[i] = 0;
            }
            for (int square = 0; square < SQUARES; square++)
                for (int column = 0; column < O; column += 16) {
                    const Half* at = pool[place * SQUARES + square] + column;
                    const __mmask16 positive = _mm512_cmp_ps_mask(wide(at), _mm512_setzero_ps(), _CMP_GT_OQ);
                    narrow(d_pool[place * SQUARES + square] + column,
                           _mm512_maskz_mov_ps(positive, _mm512_load_ps(d_pooled + column)));
                }
        }
        layers.learn(d_pool[0], gradients.pool);
        for (int at = 0; at < TOKENS; at += CHUNK) product<W, O, true>(d_pool[at], O, net.pool.back, d_normal[at]);
    }
};

}  // namespace tiles
