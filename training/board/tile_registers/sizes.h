// Sizes of a network, for which `tiles.py` compiles all of this, and of what goes through it together.
#pragma once

#include <cstdint>

namespace tiles {

using Half = uint16_t;  // bf16

constexpr int SQUARES = 64, GROUP = 4, TOKENS = GROUP * SQUARES, CHUNK = 32;
constexpr int W = WIDTH, INNER = WIDTH / 2, DEPTH = INNER / HEADS, MIXED = INNER + WIDTH, QKV = 3 * INNER, F = HIDDEN;
constexpr int P = POLICY, O = POOLED, RAYS = 16, RAY = W / RAYS;
constexpr int HISTORY = 8, PAST = 14, MISSING = 13, NOW = 208, CONDITIONS = 159;
constexpr int MOST_MOVES = 128;
constexpr float OFFSET_UNIT = 1.0f / 1024;  // nats
static_assert(W % 32 == 0 && QKV % 32 == 0 && MIXED % 32 == 0 && F % 32 == 0 && P % 32 == 0 && O % 32 == 0);
static_assert(DEPTH == 16, "heads of 16 channels");

constexpr int log2_up(int n) { return n <= 1 ? 0 : 1 + log2_up((n + 1) / 2); }
constexpr float halved(int width) { return 1.0f / float(1 << ((log2_up(width) + 1) / 2)); }

}  // namespace tiles
