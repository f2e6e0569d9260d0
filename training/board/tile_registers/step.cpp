// Losses and gradients of the board network in tile registers (AMX, bf16), or in registers of 512 bits (AVX-512 BF16).
//
// `network.py` says what is computed; `tiles.py` compiles this for the sizes of a network and calls it. Four positions
// (256 tokens) go through all layers and back before the next four, so that what the way back reads of them is still
// near. Products are of bf16 with sums of f32; the residual stream and its gradient are f32. Weights are packed into
// B-tiles once a step, for the way there and the way back.

#include <atomic>
#include <memory>
#include <thread>

#include "worker.h"

using namespace tiles;

namespace {

uint8_t reach[SQUARES][16][8];
std::unique_ptr<Network> network;
std::vector<std::unique_ptr<Worker>> workers;

}  // namespace

// Pointers to parameters in the order of `tiles.py`; the same order takes gradients.
struct BlockPointers {
    float *qkv, *qkv_bias, *ray, *ray_bias, *out, *out_bias, *rise, *rise_bias, *fall, *fall_bias, *bias, *sites;
};
struct PolicyPointers {
    float *origin, *origin_bias, *target, *target_bias, *promotion, *promotion_bias, *pair, *sites;
};
struct Pointers {
    float *now, *square, *past, *condition;
    BlockPointers blocks[LAYERS];
    PolicyPointers policies[2];
    float *pool, *pool_bias, *end, *end_bias, *pool_unit;
};

extern "C" {

// Asks for the registers. Returns 0, or 1 where the system refuses. Ends what another network began.
int tiles_begin(int threads, const uint8_t* ray_squares) {
    if (!products_granted()) return 1;
    memcpy(reach, ray_squares, sizeof reach);
    network = std::make_unique<Network>();
    workers.clear();
    for (int i = 0; i < threads; i++) workers.push_back(std::make_unique<Worker>());
    return 0;
}

// Losses: sums and counts of moves, ends, and moves with an offset. `offsets` are pointers to logits in units of
// OFFSET_UNIT, one for each position, null where there are none; or null.
void tiles_step(const Corpus* corpus, const int64_t* index, const uint8_t* flags, int64_t count, int quantised,
                const Pointers* from, const Pointers* to, const int16_t* const* offsets, double* losses) {
    Network& net = *network;
    net.quantised = quantised;
    memcpy(net.embedding.now, from->now, sizeof net.embedding.now);
    memcpy(net.embedding.square, from->square, sizeof net.embedding.square);
    memcpy(net.embedding.past, from->past, sizeof net.embedding.past);
    memcpy(net.embedding.condition, from->condition, sizeof net.embedding.condition);
    for (int layer = 0; layer < LAYERS; layer++) {
        Block& block = net.blocks[layer];
        const BlockPointers& p = from->blocks[layer];
        block.qkv.pack(p.qkv, p.qkv_bias);
        block.ray.pack(p.ray, p.ray_bias);
        block.out.pack(p.out, p.out_bias);
        block.rise.pack(p.rise, p.rise_bias);
        block.fall.pack(p.fall, p.fall_bias);
        memcpy(block.bias, p.bias, sizeof block.bias);
        memcpy(&block.sites, p.sites, sizeof block.sites);
        for (int channel = 0; channel < W; channel++) block.ray_units[channel] = block.sites.ray[channel / RAY];
    }
    for (int which = 0; which < 2; which++) {
        Policy& policy = net.policies[which];
        const PolicyPointers& p = from->policies[which];
        policy.origin.pack(p.origin, p.origin_bias);
        policy.target.pack(p.target, p.target_bias);
        memcpy(policy.promotion, p.promotion, sizeof policy.promotion);
        memcpy(policy.promotion_bias, p.promotion_bias, sizeof policy.promotion_bias);
        memcpy(policy.pair, p.pair, sizeof policy.pair);
        memcpy(&policy.sites, p.sites, sizeof policy.sites);
    }
    net.pool.pack(from->pool, from->pool_bias);
    memcpy(net.end, from->end, sizeof net.end);
    net.end_bias = *from->end_bias;
    net.pool_unit = *from->pool_unit;

    int64_t with_offset = 0;
    for (int64_t i = 0; offsets && i < count; i++) with_offset += offsets[i] != nullptr;
    const float offset_share = 1.0f / float(std::max<int64_t>(1, with_offset));
    // Who is slowed down by other programs takes fewer; so the last bits of sums differ from run to run.
    std::atomic<int64_t> next{0};
    std::vector<std::thread> running;
    for (const auto& own : workers)
        running.emplace_back([&, own = own.get()] {
            begin_products();
            Worker& worker = *own;
            memset(&worker.gradients, 0, sizeof worker.gradients);
            for (int64_t at; (at = next.fetch_add(GROUP)) < count;) {
                for (int place = 0; place < GROUP; place++)
                    see(*corpus, index[at + place], flags[at + place], reach, worker.positions[place]);
                worker.group(net, offsets ? offsets + at : nullptr, 1.0f / float(count), offset_share);
            }
            end_products();
        });
    for (auto& thread : running) thread.join();

    auto sum = [&](float* out, auto member, size_t size) {
        for (size_t i = 0; i < size; i++) {
            float total = 0;
            for (const auto& worker : workers) total += member(worker->gradients)[i];
            out[i] = total;
        }
    };
#define TAKE(out, expression)                                                   \
    sum(                                                                        \
        out, [&](const Gradients& g) { return (const float*)&(g.expression); }, \
        sizeof(workers[0]->gradients.expression) / 4)
    TAKE(to->now, embedding.now);
    TAKE(to->square, embedding.square);
    TAKE(to->past, embedding.past);
    TAKE(to->condition, embedding.condition);
    for (int layer = 0; layer < LAYERS; layer++) {
        const BlockPointers& p = to->blocks[layer];
        TAKE(p.qkv, blocks[layer].qkv.weight);
        TAKE(p.qkv_bias, blocks[layer].qkv.bias);
        TAKE(p.ray, blocks[layer].ray.weight);
        TAKE(p.ray_bias, blocks[layer].ray.bias);
        TAKE(p.out, blocks[layer].out.weight);
        TAKE(p.out_bias, blocks[layer].out.bias);
        TAKE(p.rise, blocks[layer].rise.weight);
        TAKE(p.rise_bias, blocks[layer].rise.bias);
        TAKE(p.fall, blocks[layer].fall.weight);
        TAKE(p.fall_bias, blocks[layer].fall.bias);
        TAKE(p.bias, blocks[layer].bias);
    }
    for (int which = 0; which < 2; which++) {
        const PolicyPointers& p = to->policies[which];
        TAKE(p.origin, policies[which].origin.weight);
        TAKE(p.origin_bias, policies[which].origin.bias);
        TAKE(p.target, policies[which].target.weight);
        TAKE(p.target_bias, policies[which].target.bias);
        TAKE(p.promotion, policies[which].promotion);
        TAKE(p.promotion_bias, policies[which].promotion_bias);
        TAKE(p.pair, policies[which].pair);
    }
    TAKE(to->pool, pool.weight);
    TAKE(to->pool_bias, pool.bias);
    TAKE(to->end, end);
    TAKE(to->end_bias, end_bias);
#undef TAKE
    for (int i = 0; i < 6; i++) {
        losses[i] = 0;
        for (const auto& worker : workers) losses[i] += worker->gradients.losses[i];
    }
}
}
