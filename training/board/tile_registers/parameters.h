// Parameters of the network, as a step reads them, and the sums of their gradients.
#pragma once

#include <vector>

#include "products.h"

namespace tiles {

// One matrix: its packed forms, and where its gradient is summed up.
template <int OUTPUTS, int INPUTS>
struct Matrix {
    static constexpr int SIZE = OUTPUTS * INPUTS;
    alignas(64) Half there[SIZE];  // B-tiles of (inputs, outputs)
    alignas(64) Half back[SIZE];   // B-tiles of (outputs, inputs)
    float bias[OUTPUTS];

    void pack(const float* weight, const float* given) {
        std::vector<Half> rows(SIZE), columns(SIZE);
        for (int output = 0; output < OUTPUTS; output++)
            for (int input = 0; input < INPUTS; input++)
                rows[output * INPUTS + input] = columns[input * OUTPUTS + output] =
                    narrowed(weight[output * INPUTS + input]);
        to_b_tiles(columns.data(), OUTPUTS, INPUTS, OUTPUTS, there);
        to_b_tiles(rows.data(), INPUTS, OUTPUTS, INPUTS, back);
        memcpy(bias, given, sizeof bias);
    }
};
template <int OUTPUTS, int INPUTS>
struct MatrixGradient {
    alignas(64) float weight[OUTPUTS * INPUTS];
    float bias[OUTPUTS];
};

struct BlockSites {
    float query[HEADS], key[HEADS], value[HEADS], out[HEADS], ray[RAYS], hidden;
};
struct HeadSites {
    float origin, target;
};

// What a block has, and the gradients of all of it: of matrices, and of what squares' places say to each other.
template <template <int, int> class Of>
struct BlockParts {
    Of<QKV, W> qkv;
    Of<W, W> ray;
    Of<W, MIXED> out;
    Of<F, W> rise;
    Of<W, F> fall;
    alignas(64) float bias[HEADS][SQUARES][SQUARES];
};
struct Block : BlockParts<Matrix> {
    BlockSites sites;
    alignas(64) float ray_units[W];  // of each channel
};
using BlockGradient = BlockParts<MatrixGradient>;

template <template <int, int> class Of>
struct PolicyParts {
    Of<P, W> origin, target;
    float promotion[4][W], promotion_bias[4], pair[SQUARES * SQUARES];
};
struct Policy : PolicyParts<Matrix> {
    HeadSites sites;
};
using PolicyGradient = PolicyParts<MatrixGradient>;

struct Embedding {
    alignas(64) float now[NOW][W], square[SQUARES][W], past[7 * PAST][W], condition[CONDITIONS][W];
};
struct Network {
    bool quantised;
    Embedding embedding;
    Block blocks[LAYERS];
    Policy policies[2];
    Matrix<O, W> pool;
    float end[O], end_bias, pool_unit;
};
struct Gradients {
    Embedding embedding;
    BlockGradient blocks[LAYERS];
    PolicyGradient policies[2];
    MatrixGradient<O, W> pool;
    float end[O], end_bias;
    double losses[6];  // sums and counts: moves, ends, moves with an offset
};

}  // namespace tiles
