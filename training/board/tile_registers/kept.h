// What the way back reads of a block.
#pragma once

#include "sizes.h"

namespace tiles {

struct Kept {
    alignas(64) Half first[TOKENS][W], qkv[TOKENS][QKV], share[GROUP][HEADS][SQUARES][SQUARES], ray[TOKENS][W];
    alignas(64) Half mixed[TOKENS][MIXED], second[TOKENS][W], positive[TOKENS][F], hidden[TOKENS][F];
    float first_scale[TOKENS], second_scale[TOKENS];
};

}  // namespace tiles
