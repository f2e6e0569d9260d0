// Products of bf16 with sums of f32, in the registers that the processor has.
#pragma once

#ifdef __AMX_BF16__
#include "tile_products.h"
#else
#include "vector_products.h"
#endif
