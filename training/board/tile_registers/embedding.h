// Tokens: for each square the sum of the rows of what holds, and the way back to these rows.
#pragma once

#include "parameters.h"
#include "view.h"

namespace tiles {

inline void embed(const Embedding& e, const Position* positions, float (*stream)[W]) {
    for (int place = 0; place < GROUP; place++) {
        const Position& seen = positions[place];
        __m512 known[W / 16];
        for (int i = 0; i < W / 16; i++) known[i] = _mm512_setzero_ps();
        for (int c = 0; c < seen.condition_count; c++)
            for (int i = 0; i < W / 16; i++)
                known[i] = _mm512_add_ps(known[i], _mm512_load_ps(e.condition[seen.conditions[c]] + 16 * i));
        for (int square = 0; square < SQUARES; square++) {
            const float* rows[9] = {e.now[seen.now[square]], e.square[square]};
            for (int back = 0; back < 7; back++) rows[2 + back] = e.past[back * PAST + seen.past[back][square]];
            float* to = stream[place * SQUARES + square];
            for (int i = 0; i < W / 16; i++) {
                __m512 sum = known[i];
                for (const float* row : rows) sum = _mm512_add_ps(sum, _mm512_load_ps(row + 16 * i));
                _mm512_store_ps(to + 16 * i, sum);
            }
        }
    }
}

inline void embed_back(Embedding& e, const Position* positions, const float (*gradient)[W]) {
    for (int place = 0; place < GROUP; place++) {
        const Position& seen = positions[place];
        __m512 total[W / 16];
        for (int i = 0; i < W / 16; i++) total[i] = _mm512_setzero_ps();
        for (int square = 0; square < SQUARES; square++) {
            float* rows[9] = {e.now[seen.now[square]], e.square[square]};
            for (int back = 0; back < 7; back++) rows[2 + back] = e.past[back * PAST + seen.past[back][square]];
            const float* from = gradient[place * SQUARES + square];
            for (int i = 0; i < W / 16; i++) {
                __m512 value = _mm512_load_ps(from + 16 * i);
                total[i] = _mm512_add_ps(total[i], value);
                for (float* row : rows)
                    _mm512_store_ps(row + 16 * i, _mm512_add_ps(_mm512_load_ps(row + 16 * i), value));
            }
        }
        for (int c = 0; c < seen.condition_count; c++)
            for (int i = 0; i < W / 16; i++) {
                float* row = e.condition[seen.conditions[c]] + 16 * i;
                _mm512_store_ps(row, _mm512_add_ps(_mm512_load_ps(row), total[i]));
            }
    }
}

}  // namespace tiles
