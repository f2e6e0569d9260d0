// Losses and gradients of the board network in tile registers (AMX, bf16), for processors that have them.
//
// `network.py` says what is computed; `tiles.py` compiles this file for the sizes of a network and calls it. Four
// positions (256 tokens) go through all layers and back before the next four, so that what the way back reads of them is
// still in the second cache. Products are of bf16 with sums of f32; the residual stream and its gradient are f32.
//
// Layouts. Rows are tokens. A B-tile holds 32 rows of 16 columns as 16 pairs of rows: [pair][column][2]. Its transposed
// is an A-tile: 16 rows of 32 columns. Weights are packed into B-tiles once a step, for the way there and the way back.

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#if !defined(WIDTH)
#define WIDTH 128
#define LAYERS 4
#define HEADS 4
#define HIDDEN 256
#define POLICY 64
#define POOLED 64
#endif

namespace {

using Half = uint16_t;  // bf16

constexpr int SQUARES = 64, GROUP = 4, TOKENS = GROUP * SQUARES, CHUNK = 32;
constexpr int W = WIDTH, INNER = WIDTH / 2, DEPTH = INNER / HEADS, MIXED = INNER + WIDTH, QKV = 3 * INNER, F = HIDDEN;
constexpr int P = POLICY, O = POOLED, RAYS = 16, RAY = W / RAYS;
constexpr int HISTORY = 8, PAST = 14, MISSING = 13, NOW = 208, CONDITIONS = 159;
constexpr int MOST_MOVES = 128;
constexpr float OFFSET_UNIT = 1.0f / 1024;  // nats
static_assert(W % 32 == 0 && QKV % 32 == 0 && MIXED % 32 == 0 && F % 32 == 0 && P % 32 == 0 && O % 32 == 0);
static_assert(DEPTH == 16 && (RAY == 8 || RAY == 16), "heads of 16 channels, rays of 8 or 16");

constexpr int log2_up(int n) { return n <= 1 ? 0 : 1 + log2_up((n + 1) / 2); }
constexpr float halved(int width) { return 1.0f / float(1 << ((log2_up(width) + 1) / 2)); }

inline __m512 wide(const Half* from) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)from)), 16));
}
inline void narrow(Half* to, __m512 value) { _mm256_storeu_si256((__m256i*)to, (__m256i)_mm512_cvtneps_pbh(value)); }
inline float widened(Half value) {
    uint32_t bits = uint32_t(value) << 16;
    float result;
    memcpy(&result, &bits, 4);
    return result;
}
inline Half narrowed(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return Half((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
inline __m512 rounded(__m512 value, float unit, float least, float most) {
    __m512 multiple = _mm512_mul_ps(value, _mm512_set1_ps(1 / unit));
    multiple = _mm512_min_ps(_mm512_max_ps(multiple, _mm512_set1_ps(least)), _mm512_set1_ps(most));
    return _mm512_mul_ps(_mm512_roundscale_ps(multiple, 8), _mm512_set1_ps(unit));
}
// What a site that clips beyond `most` units leaves of a gradient.
inline __m512 within(__m512 gradient, __m512 value, float unit, float most) {
    __mmask16 inside = _mm512_cmp_ps_mask(_mm512_abs_ps(value), _mm512_set1_ps(unit * most), _CMP_LT_OQ);
    return _mm512_maskz_mov_ps(inside, gradient);
}
inline __m512 exponential(__m512 x) {
    x = _mm512_max_ps(x, _mm512_set1_ps(-87));
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 8);
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147182f), x);
    __m512 p = _mm512_set1_ps(1.0f / 120);
    for (float c : {1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(c));
    return _mm512_scalef_ps(p, n);
}

void configure_tiles() {
    alignas(64) uint8_t shape[64] = {1};
    for (int tile = 0; tile < 8; tile++) {
        shape[16 + 2 * tile] = 64;
        shape[48 + tile] = 16;
    }
    _tile_loadconfig(shape);
}

// ---- Tiles -----------------------------------------------------------------------------------------------------------

inline void transpose16(__m512i r[16]) {
    __m512i t[16];
    for (int i = 0; i < 8; i++) {
        t[2 * i] = _mm512_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            r[4 * i + 2 * j] = _mm512_unpacklo_epi64(t[4 * i + j], t[4 * i + 2 + j]);
            r[4 * i + 2 * j + 1] = _mm512_unpackhi_epi64(t[4 * i + j], t[4 * i + 2 + j]);
        }
    // r[4i + c]: columns c, 4 + c, 8 + c, 12 + c of rows 4i to 4i + 3, one in each quarter.
    for (int c = 0; c < 4; c++) {
        __m512i ab = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88), AB = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
        __m512i cd = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88);
        __m512i CD = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
        t[c] = _mm512_shuffle_i32x4(ab, cd, 0x88);
        t[8 + c] = _mm512_shuffle_i32x4(ab, cd, 0xdd);
        t[4 + c] = _mm512_shuffle_i32x4(AB, CD, 0x88);
        t[12 + c] = _mm512_shuffle_i32x4(AB, CD, 0xdd);
    }
    for (int i = 0; i < 16; i++) r[i] = t[i];
}

// 32 rows of 16 columns as pairs of rows.
inline void pair_rows(const Half* from, int stride, __m512i r[16]) {
    for (int pair = 0; pair < 16; pair++) {
        __m512i low = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(from + 2 * pair * stride)));
        __m512i high = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(from + (2 * pair + 1) * stride)));
        r[pair] = _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
    }
}
// Rows x columns to B-tiles: those of the first 16 columns one after another, then those of the next.
void to_b_tiles(const Half* from, int stride, int rows, int columns, Half* to) {
    for (int column = 0; column < columns; column += 16)
        for (int row = 0; row < rows; row += 32, to += 512) {
            __m512i r[16];
            pair_rows(from + row * stride + column, stride, r);
            for (int i = 0; i < 16; i++) _mm512_storeu_si512(to + 32 * i, r[i]);
        }
}
// Rows x columns to the A-tiles of the transposed.
void to_transposed_a_tiles(const Half* from, int stride, int rows, int columns, Half* to) {
    for (int column = 0; column < columns; column += 16)
        for (int row = 0; row < rows; row += 32, to += 512) {
            __m512i r[16];
            pair_rows(from + row * stride + column, stride, r);
            transpose16(r);
            for (int i = 0; i < 16; i++) _mm512_storeu_si512(to + 32 * i, r[i]);
        }
}

// C (32, columns) f32 = or += A (32, depth), rows `stride` apart, times B in B-tiles.
template <int COLUMNS, int INPUTS, bool ADD = false>
inline void product(const Half* a, int stride, const Half* b, float* c, int c_stride = COLUMNS) {
    for (int column = 0; column < COLUMNS; column += 32) {
        float* at = c + column;
        if (ADD) {
            _tile_loadd(0, at, 4 * c_stride);
            _tile_loadd(1, at + 16, 4 * c_stride);
            _tile_loadd(2, at + 16 * c_stride, 4 * c_stride);
            _tile_loadd(3, at + 16 * c_stride + 16, 4 * c_stride);
        } else {
            _tile_zero(0);
            _tile_zero(1);
            _tile_zero(2);
            _tile_zero(3);
        }
        const Half* left = b + (column / 16) * (INPUTS / 32) * 512;
        const Half* right = left + (INPUTS / 32) * 512;
        for (int input = 0; input < INPUTS; input += 32, left += 512, right += 512) {
            _tile_loadd(4, a + input, 2 * stride);
            _tile_loadd(6, left, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, right, 64);
            _tile_dpbf16ps(1, 4, 7);
            _tile_loadd(5, a + 16 * stride + input, 2 * stride);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
        _tile_stored(0, at, 4 * c_stride);
        _tile_stored(1, at + 16, 4 * c_stride);
        _tile_stored(2, at + 16 * c_stride, 4 * c_stride);
        _tile_stored(3, at + 16 * c_stride + 16, 4 * c_stride);
    }
}

// The gradient (outputs, inputs) += transposed dY (tokens, outputs) times X (tokens, inputs).
template <int OUTPUTS, int INPUTS>
void weight_gradient(const Half* a_tiles, const Half* b_tiles, float* gradient) {
    constexpr int STEPS = TOKENS / 32;
    for (int output = 0; output < OUTPUTS; output += 32)
        for (int input = 0; input < INPUTS; input += 32) {
            float* at = gradient + output * INPUTS + input;
            _tile_loadd(0, at, 4 * INPUTS);
            _tile_loadd(1, at + 16, 4 * INPUTS);
            _tile_loadd(2, at + 16 * INPUTS, 4 * INPUTS);
            _tile_loadd(3, at + 16 * INPUTS + 16, 4 * INPUTS);
            const Half *upper = a_tiles + (output / 16) * STEPS * 512, *lower = upper + STEPS * 512;
            const Half *left = b_tiles + (input / 16) * STEPS * 512, *right = left + STEPS * 512;
            for (int step = 0; step < STEPS; step++) {
                _tile_loadd(4, upper + 512 * step, 64);
                _tile_loadd(6, left + 512 * step, 64);
                _tile_dpbf16ps(0, 4, 6);
                _tile_loadd(7, right + 512 * step, 64);
                _tile_dpbf16ps(1, 4, 7);
                _tile_loadd(5, lower + 512 * step, 64);
                _tile_dpbf16ps(2, 5, 6);
                _tile_dpbf16ps(3, 5, 7);
            }
            _tile_stored(0, at, 4 * INPUTS);
            _tile_stored(1, at + 16, 4 * INPUTS);
            _tile_stored(2, at + 16 * INPUTS, 4 * INPUTS);
            _tile_stored(3, at + 16 * INPUTS + 16, 4 * INPUTS);
        }
}

// C (64, 64) = A (64, 32) times one row of B-tiles, four of them.
inline void square_product(const Half* a, const Half* b_tiles, float* c) {
    for (int row = 0; row < 64; row += 32)
        for (int column = 0; column < 64; column += 32) {
            _tile_zero(0);
            _tile_zero(1);
            _tile_zero(2);
            _tile_zero(3);
            _tile_loadd(4, a + row * 32, 64);
            _tile_loadd(5, a + (row + 16) * 32, 64);
            _tile_loadd(6, b_tiles + (column / 16) * 512, 64);
            _tile_loadd(7, b_tiles + (column / 16 + 1) * 512, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
            float* at = c + row * 64 + column;
            _tile_stored(0, at, 256);
            _tile_stored(1, at + 16, 256);
            _tile_stored(2, at + 16 * 64, 256);
            _tile_stored(3, at + 16 * 64 + 16, 256);
        }
}
// C (64, 16) = A (64, 64), two A-tiles a row of tiles, `row_tile` and `column_tile` elements apart, times two B-tiles.
inline void thin_product(const Half* a, int row_tile, int column_tile, int stride, const Half* b_tiles, float* c) {
    _tile_loadd(6, b_tiles, 64);
    _tile_loadd(7, b_tiles + 512, 64);
#define ROW(tile)                                                       \
    _tile_zero(tile);                                                   \
    _tile_loadd(4, a + tile * row_tile, stride);                        \
    _tile_loadd(5, a + tile * row_tile + column_tile, stride);          \
    _tile_dpbf16ps(tile, 4, 6);                                         \
    _tile_dpbf16ps(tile, 5, 7);                                         \
    _tile_stored(tile, c + tile * 256, 64);
    ROW(0) ROW(1) ROW(2) ROW(3)
#undef ROW
}

// ---- Parameters ------------------------------------------------------------------------------------------------------

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

struct Block {
    Matrix<QKV, W> qkv;
    Matrix<W, W> ray;
    Matrix<W, MIXED> out;
    Matrix<F, W> rise;
    Matrix<W, F> fall;
    alignas(64) float bias[HEADS][SQUARES][SQUARES];
    BlockSites sites;
};
struct BlockGradient {
    MatrixGradient<QKV, W> qkv;
    MatrixGradient<W, W> ray;
    MatrixGradient<W, MIXED> out;
    MatrixGradient<F, W> rise;
    MatrixGradient<W, F> fall;
    alignas(64) float bias[HEADS][SQUARES][SQUARES];
};
struct Policy {
    Matrix<P, W> origin, target;
    float promotion[4][W], promotion_bias[4], pair[SQUARES * SQUARES];
    HeadSites sites;
};
struct PolicyGradient {
    MatrixGradient<P, W> origin, target;
    float promotion[4][W], promotion_bias[4], pair[SQUARES * SQUARES];
};
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

// ---- What the network sees -------------------------------------------------------------------------------------------

struct Corpus {
    const uint8_t* squares;
    const uint8_t* state;
    const int32_t* first;
    const uint16_t* moves;
    const int32_t* game;
    const int64_t* start;
    const int32_t* elo;
    const int32_t* year;
    const uint8_t* result;
    const uint8_t* pace;
    int32_t ended;
};

struct Position {
    uint8_t now[SQUARES], past[7][SQUARES];
    uint8_t heard[SQUARES][RAYS];  // 64: nothing
    int conditions[24], condition_count;
    int moves, played;  // no move has a logit where `moves` is 0; `played` is -1 where the game ended
    uint8_t from[MOST_MOVES], to[MOST_MOVES], promotion[MOST_MOVES];
};

int coarse(int value, int exact, int step, int last) {
    return value < exact ? value : std::min(exact + (value - exact) / step, last);
}

// `flags`: 1 mirrored; 2, 4, 8, 16 ratings, result, year, pace hidden.
void see(const Corpus& corpus, int64_t index, int flags, const uint8_t (*reach)[16][8], Position& seen) {
    const int game = corpus.game[index];
    const int64_t start = corpus.start[game];
    const uint8_t* state = corpus.state + 4 * index;
    const bool black = state[0] & 16, mirrored = flags & 1;
    const int change = (black ? 56 : 0) ^ (mirrored ? 7 : 0);
    auto own = [&](int code) { return black && code >= 1 && code <= 12 ? (code + 5) % 12 + 1 : code; };
    bool occupied[SQUARES + 1];
    for (int square = 0; square < SQUARES; square++) {
        const uint8_t there = corpus.squares[64 * index + (square ^ change)];
        int attackers = there >> 4;
        if (black) attackers = (attackers >> 2) | ((attackers & 3) << 2);
        const int piece = own(there & 15);
        seen.now[square] = uint8_t(piece * 16 + attackers);
        occupied[square] = piece != 0;
    }
    for (int back = 1; back < HISTORY; back++)
        for (int square = 0; square < SQUARES; square++)
            seen.past[back - 1][square] =
                index - back < start ? MISSING : own(corpus.squares[64 * (index - back) + (square ^ change)] & 15);
    for (int square = 0; square < SQUARES; square++) {
        for (int way = 0; way < 8; way++) {
            uint8_t last = 0;
            bool any = false;
            for (int far = 0; far < 7 && reach[square][way][far] < 64; far++) {
                last = reach[square][way][far];
                any = true;
                if (occupied[last]) break;
            }
            seen.heard[square][way] = any ? last : 64;
            seen.heard[square][8 + way] = reach[square][8 + way][0];
        }
    }
    int count = 0;
    int* active = seen.conditions;
    auto add = [&](int at) { active[count++] = at; };
    static const int ERAS[] = {1900, 1930, 1950, 1970, 1980, 1985, 1990, 1995, 2000,
                               2004, 2008, 2011, 2013, 2015, 2017, 2019, 2021, 2022};
    for (int side = 0; side < 2; side++) {
        int elo = (flags & 2) ? 0 : corpus.elo[2 * game + (black ? 1 - side : side)];
        add(18 * side + (elo == 0 ? 0 : std::min((std::max(elo, 1200) - 1200) / 100, 16) + 1));
    }
    static const int WHITE_VIEW[] = {0, 3, 1, 2}, BLACK_VIEW[] = {0, 1, 3, 2};
    const int result = (flags & 4) ? 0 : corpus.result[game];
    add(36 + (black ? BLACK_VIEW : WHITE_VIEW)[result]);
    const int year = (flags & 8) ? 0 : corpus.year[game];
    int era = 0;
    if (year)
        for (era = 1; era <= 18 && ERAS[era - 1] <= year; era++) {
        }
    add(40 + era);
    add(60 + ((flags & 16) ? 0 : corpus.pace[game]));
    add(70 + coarse(int(index - start), 20, 8, 39));
    add(110 + coarse(state[2], 8, 12, 15));
    add(126 + (state[0] >> 6));
    const int castling = black ? ((state[0] & 15) >> 2) | ((state[0] & 3) << 2) : state[0] & 15;
    for (int bit = 0; bit < 4; bit++)
        if (castling >> bit & 1) add(129 + bit);
    if (state[1]) add(133 + (mirrored ? 8 - state[1] : state[1] - 1));
    if (state[0] & 32) add(141);
    if (!black) add(142);
    const int first = corpus.first[index], choice = corpus.first[index + 1] - first;
    add(143 + coarse(choice, 8, 6, 15));
    seen.condition_count = count;
    const bool ended = state[3] == corpus.ended;
    seen.played = ended ? -1 : state[3];
    seen.moves = !ended && state[3] >= MOST_MOVES ? 0 : std::min(choice, MOST_MOVES);
    for (int move = 0; move < seen.moves; move++) {
        const int packed = corpus.moves[first + move];
        seen.from[move] = uint8_t((packed & 63) ^ change);
        seen.to[move] = uint8_t(((packed >> 6) & 63) ^ change);
        seen.promotion[move] = uint8_t((packed >> 12) & 7);
    }
}

// ---- One group of positions ------------------------------------------------------------------------------------------

// What the way back reads of a block.
struct Kept {
    alignas(64) Half first[TOKENS][W], qkv[TOKENS][QKV], share[GROUP][HEADS][SQUARES][SQUARES], ray[TOKENS][W];
    alignas(64) Half mixed[TOKENS][MIXED], second[TOKENS][W], positive[TOKENS][F], hidden[TOKENS][F];
    float first_scale[TOKENS], second_scale[TOKENS];
};

struct Worker {
    Position positions[GROUP];
    Kept kept[LAYERS];
    alignas(64) float stream[TOKENS][W], gradient[TOKENS][W];
    alignas(64) Half normal[TOKENS][W], pool[TOKENS][O], origin[2][TOKENS][P], target[2][TOKENS][P];
    float scale[TOKENS];
    alignas(64) float chunk[CHUNK * (F > MIXED ? (F > QKV ? F : QKV) : MIXED)];
    alignas(64) Half narrow_gradient[TOKENS][W], wide_gradient[TOKENS][F > MIXED ? F : MIXED];
    alignas(64) Half d_qkv[TOKENS][QKV], d_ray[TOKENS][W], d_policy[TOKENS][P], d_pool[TOKENS][O];
    alignas(64) float d_heard[TOKENS][W], d_origin[TOKENS][P], d_target[TOKENS][P];
    alignas(64) Half a_tiles[TOKENS * (F > QKV ? F : QKV)], b_tiles[TOKENS * (F > MIXED ? F : MIXED)];
    alignas(64) Half query[64 * 32], key_tiles[4 * 512], value_tiles[2 * 512], d_out[64 * 32], transposed[8 * 512];
    alignas(64) Half scores_gradient[64 * 64];
    alignas(64) float scores[64 * 64], thin[64 * 16];
    Gradients gradients;

    Worker() {
        memset(query, 0, sizeof query);
        memset(key_tiles, 0, sizeof key_tiles);
        memset(d_out, 0, sizeof d_out);
    }

    void embed(const Network& net) {
        const Embedding& e = net.embedding;
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
    void embed_back() {
        Embedding& e = gradients.embedding;
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

    void normalise(bool quantised, Half (*to)[W], float* scales) {
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
    // Adds what the gradients (rows, W) of normalised tokens say to the stream's.
    void normalise_back(bool quantised, int from, int rows, float* given, const Half (*normals)[W], const float* scales) {
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

    // Calls `each(token, column, sums)` for 16 columns at a time of X times the matrix, plus its bias.
    template <int OUTPUTS, int INPUTS, class Each>
    void forward(const Half* x, const Matrix<OUTPUTS, INPUTS>& matrix, Each each) {
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<OUTPUTS, INPUTS>(x + from * INPUTS, INPUTS, matrix.there, chunk);
            for (int row = 0; row < CHUNK; row++)
                for (int column = 0; column < OUTPUTS; column += 16)
                    each(from + row, column,
                         _mm512_add_ps(_mm512_load_ps(chunk + row * OUTPUTS + column), _mm512_loadu_ps(matrix.bias + column)));
        }
    }
    template <int OUTPUTS, int INPUTS>
    void learn(const Half* dy, const Half* x, MatrixGradient<OUTPUTS, INPUTS>& g) {
        to_transposed_a_tiles(dy, OUTPUTS, TOKENS, OUTPUTS, a_tiles);
        to_b_tiles(x, INPUTS, TOKENS, INPUTS, b_tiles);
        weight_gradient<OUTPUTS, INPUTS>(a_tiles, b_tiles, g.weight);
        for (int column = 0; column < OUTPUTS; column += 16) {
            __m512 sum = _mm512_loadu_ps(g.bias + column);
            for (int token = 0; token < TOKENS; token++) sum = _mm512_add_ps(sum, wide(dy + token * OUTPUTS + column));
            _mm512_storeu_ps(g.bias + column, sum);
        }
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

    void attend(const Network& net, const Block& block, Kept& k, int place) {
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
                    if (net.quantised) s[i] = _mm512_roundscale_ps(_mm512_mul_ps(s[i], _mm512_set1_ps(127)), 8);
                    sum = _mm512_add_ps(sum, s[i]);
                }
                const float total = _mm512_reduce_add_ps(sum);
                scale[row] = 1 / total;  // free until the heads
                const __m512 part = _mm512_set1_ps(net.quantised ? 1.0f : 1 / total);
                for (int i = 0; i < 4; i++) narrow(k.share[place][head][row] + 16 * i, _mm512_mul_ps(s[i], part));
            }
            to_b_tiles(at + 2 * INNER, QKV, 64, 16, value_tiles);
            thin_product(k.share[place][head][0], 16 * 64, 32, 128, value_tiles, thin);
            for (int row = 0; row < 64; row++) {
                __m512 value = _mm512_load_ps(thin + 16 * row);
                if (net.quantised) {
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
    // From the gradient of what was attended to (in `wide_gradient`) to that of queries, keys and values.
    void attend_back(const Network& net, const Block& block, BlockGradient& g, const Kept& k, int place) {
        for (int head = 0; head < HEADS; head++) {
            const Half* at = k.qkv[place * SQUARES] + head * DEPTH;
            const Half* out = (const Half*)wide_gradient + place * SQUARES * MIXED + head * DEPTH;
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
            for (int row = 0; row < 64; row++) {
                __m512 value = _mm512_load_ps(thin + 16 * row);
                if (net.quantised) value = within(value, wide(at + row * QKV + 2 * INNER), block.sites.value[head], 127);
                narrow(to + row * QKV + 2 * INNER, value);
            }
            // Queries.
            to_b_tiles(at + INNER, QKV, 64, 16, value_tiles);
            thin_product(scores_gradient, 16 * 64, 32, 128, value_tiles, thin);
            for (int row = 0; row < 64; row++) {
                __m512 value = _mm512_load_ps(thin + 16 * row);
                if (net.quantised) value = within(value, wide(at + row * QKV), block.sites.query[head], 63);
                narrow(to + row * QKV, _mm512_mul_ps(value, _mm512_set1_ps(halved(DEPTH))));
            }
            // Keys.
            to_transposed_a_tiles(scores_gradient, 64, 64, 64, transposed);
            to_b_tiles(at, QKV, 64, 16, value_tiles);
            thin_product(transposed, 1024, 512, 64, value_tiles, thin);
            for (int row = 0; row < 64; row++) {
                __m512 value = _mm512_load_ps(thin + 16 * row);
                if (net.quantised) value = within(value, wide(at + row * QKV + INNER), block.sites.key[head], 127);
                narrow(to + row * QKV + INNER, value);
            }
        }
    }

    void block_there(const Network& net, const Block& block, Kept& k) {
        const bool quantised = net.quantised;
        normalise(quantised, k.first, k.first_scale);
        forward(k.first[0], block.qkv, [&](int token, int column, __m512 value) {
            const int kind = column / INNER, head = column % INNER / DEPTH;
            if (kind == 0) value = _mm512_mul_ps(value, _mm512_set1_ps(halved(DEPTH)));
            if (quantised) {
                const float unit = kind == 0 ? block.sites.query[head] : kind == 1 ? block.sites.key[head] : block.sites.value[head];
                const float most = kind == 0 ? 63 : 127;
                value = rounded(value, unit, -most, most);
            }
            narrow(k.qkv[token] + column, value);
        });
        forward(k.first[0], block.ray, [&](int token, int column, __m512 value) {
            if (quantised) {
                if (RAY == 16) {
                    value = rounded(value, block.sites.ray[column / RAY], -63, 63);
                } else {
                    const __m512 low = rounded(value, block.sites.ray[column / 8], -63, 63);
                    const __m512 high = rounded(value, block.sites.ray[column / 8 + 1], -63, 63);
                    value = _mm512_mask_blend_ps(0xff00, low, high);
                }
            }
            narrow(k.ray[token] + column, value);
        });
        for (int place = 0; place < GROUP; place++) {
            attend(net, block, k, place);
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
        forward(k.mixed[0], block.out, add);
        normalise(quantised, k.second, k.second_scale);
        forward(k.second[0], block.rise, [&](int token, int column, __m512 value) {
            value = _mm512_max_ps(value, _mm512_setzero_ps());
            narrow(k.positive[token] + column, value);
            value = _mm512_mul_ps(value, value);
            if (quantised) value = rounded(value, block.sites.hidden, 0, 127);
            narrow(k.hidden[token] + column, value);
        });
        forward(k.hidden[0], block.fall, add);
    }

    void narrow_stream_gradient() {
        for (int token = 0; token < TOKENS; token++)
            for (int i = 0; i < W; i += 16) narrow(narrow_gradient[token] + i, _mm512_load_ps(gradient[token] + i));
    }

    void block_back(const Network& net, const Block& block, BlockGradient& g, Kept& k) {
        const bool quantised = net.quantised;
        Half* dh = (Half*)wide_gradient;
        narrow_stream_gradient();
        learn<W, F>(narrow_gradient[0], k.hidden[0], g.fall);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<F, W>(narrow_gradient[from], W, block.fall.back, chunk);
            for (int row = 0; row < CHUNK; row++)
                for (int column = 0; column < F; column += 16) {
                    __m512 value = _mm512_load_ps(chunk + row * F + column);
                    if (quantised) value = within(value, wide(k.hidden[from + row] + column), block.sites.hidden, 127);
                    const __m512 positive = wide(k.positive[from + row] + column);
                    narrow(dh + (from + row) * F + column, _mm512_mul_ps(value, _mm512_add_ps(positive, positive)));
                }
        }
        learn<F, W>(dh, k.second[0], g.rise);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<W, F>(dh + from * F, F, block.rise.back, chunk);
            normalise_back(quantised, from, CHUNK, chunk, k.second, k.second_scale);
        }
        narrow_stream_gradient();
        learn<W, MIXED>(narrow_gradient[0], k.mixed[0], g.out);
        Half* dm = (Half*)wide_gradient;
        memset(d_heard, 0, sizeof d_heard);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<MIXED, W>(narrow_gradient[from], W, block.out.back, chunk);
            for (int row = 0; row < CHUNK; row++) {
                const int token = from + row, place = token / SQUARES;
                for (int column = 0; column < INNER; column += 16) {
                    __m512 value = _mm512_load_ps(chunk + row * MIXED + column);
                    if (quantised) value = within(value, wide(k.mixed[token] + column), block.sites.out[column / DEPTH], 63);
                    narrow(dm + token * MIXED + column, value);
                }
                for (int ray = 0; ray < RAYS; ray++) {
                    const int heard = positions[place].heard[token % SQUARES][ray];
                    if (heard == 64) continue;
                    const float* source = chunk + row * MIXED + INNER + RAY * ray;
                    float* to = d_heard[place * SQUARES + heard] + RAY * ray;
                    for (int i = 0; i < RAY; i++) to[i] += source[i];
                }
            }
        }
        for (int token = 0; token < TOKENS; token++)
            for (int column = 0; column < W; column += 16) {
                __m512 value = _mm512_load_ps(d_heard[token] + column);
                if (quantised) {
                    const __m512 kept = wide(k.ray[token] + column);
                    if (RAY == 16)
                        value = within(value, kept, block.sites.ray[column / RAY], 63);
                    else
                        value = _mm512_mask_blend_ps(0xff00, within(value, kept, block.sites.ray[column / 8], 63),
                                                     within(value, kept, block.sites.ray[column / 8 + 1], 63));
                }
                narrow(d_ray[token] + column, value);
            }
        for (int place = 0; place < GROUP; place++) attend_back(net, block, g, k, place);
        learn<QKV, W>(d_qkv[0], k.first[0], g.qkv);
        learn<W, W>(d_ray[0], k.first[0], g.ray);
        for (int from = 0; from < TOKENS; from += CHUNK) {
            product<W, QKV>(d_qkv[from], QKV, block.qkv.back, chunk);
            product<W, W, true>(d_ray[from], W, block.ray.back, chunk);
            normalise_back(quantised, from, CHUNK, chunk, k.first, k.first_scale);
        }
    }

    // Logits of a policy, then from `share` times their gradient to those of departures and arrivals. `offset` is
    // added to the logits where there is one.
    void policy(const Network& net, int which, const int16_t* const* offsets, float share, float* d_normal, double* losses) {
        const Policy& head = net.policies[which];
        PolicyGradient& g = gradients.policies[which];
        const float scale = halved(P);
        forward(normal[0], head.origin, [&](int token, int column, __m512 value) {
            value = _mm512_mul_ps(value, _mm512_set1_ps(scale));
            if (net.quantised) value = rounded(value, head.sites.origin, -63, 63);
            narrow(origin[which][token] + column, value);
        });
        forward(normal[0], head.target, [&](int token, int column, __m512 value) {
            if (net.quantised) value = rounded(value, head.sites.target, -127, 127);
            narrow(target[which][token] + column, value);
        });
        memset(d_origin, 0, sizeof d_origin);
        memset(d_target, 0, sizeof d_target);
        for (int place = 0; place < GROUP; place++) {
            const Position& seen = positions[place];
            if (seen.played < 0 || !seen.moves || (offsets && !offsets[place])) continue;
            float logits[MOST_MOVES], most = -1e30f, sum = 0;
            for (int move = 0; move < seen.moves; move++) {
                const Half* o = origin[which][place * SQUARES + seen.from[move]];
                const Half* t = target[which][place * SQUARES + seen.to[move]];
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
                    _mm512_store_ps(at, _mm512_fmadd_ps(by, wide(target[which][to] + i), _mm512_load_ps(at)));
                    _mm512_store_ps(there, _mm512_fmadd_ps(by, wide(origin[which][from] + i), _mm512_load_ps(there)));
                }
                g.pair[seen.from[move] * 64 + seen.to[move]] += d;
                if (const int kind = seen.promotion[move]) {
                    g.promotion_bias[kind - 1] += d;
                    for (int i = 0; i < W; i++) {
                        g.promotion[kind - 1][i] += d * widened(normal[to][i]);
                        d_normal[to * W + i] += d * head.promotion[kind - 1][i];
                    }
                }
            }
        }
        for (int side = 0; side < 2; side++) {
            const float(*from)[P] = side ? d_target : d_origin;
            const Half(*value)[P] = side ? target[which] : origin[which];
            for (int token = 0; token < TOKENS; token++)
                for (int i = 0; i < P; i += 16) {
                    __m512 v = _mm512_load_ps(from[token] + i);
                    if (net.quantised)
                        v = within(v, wide(value[token] + i), side ? head.sites.target : head.sites.origin, side ? 127 : 63);
                    if (!side) v = _mm512_mul_ps(v, _mm512_set1_ps(scale));
                    narrow(d_policy[token] + i, v);
                }
            const Matrix<P, W>& matrix = side ? head.target : head.origin;
            learn<P, W>(d_policy[0], normal[0], side ? g.target : g.origin);
            for (int at = 0; at < TOKENS; at += CHUNK)
                product<W, P, true>(d_policy[at], P, matrix.back, d_normal + at * W);
        }
    }

    void ends(const Network& net, float share, float* d_normal, double* losses) {
        forward(normal[0], net.pool, [&](int token, int column, __m512 value) {
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
        learn<O, W>(d_pool[0], normal[0], gradients.pool);
        for (int at = 0; at < TOKENS; at += CHUNK) product<W, O, true>(d_pool[at], O, net.pool.back, d_normal + at * W);
    }

    void group(const Network& net, const int16_t* const* offsets, float share, float offset_share) {
        embed(net);
        for (int layer = 0; layer < LAYERS; layer++) block_there(net, net.blocks[layer], kept[layer]);
        normalise(net.quantised, normal, scale);
        memset(gradient, 0, sizeof gradient);
        float* d_normal = d_heard[0];  // free until the blocks
        memset(d_heard, 0, sizeof d_heard);
        policy(net, 0, nullptr, share, d_normal, gradients.losses);
        if (offsets) policy(net, 1, offsets, offset_share, d_normal, gradients.losses + 4);
        ends(net, share, d_normal, gradients.losses + 2);
        normalise_back(net.quantised, 0, TOKENS, d_normal, normal, scale);
        for (int layer = LAYERS - 1; layer >= 0; layer--)
            block_back(net, net.blocks[layer], gradients.blocks[layer], kept[layer]);
        embed_back();
    }
};

uint8_t reach[SQUARES][16][8];

Network* network;
std::vector<Worker*> workers;

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

// Asks for the tile registers. Returns 0, or what the system refused with.
int tiles_begin(int threads, const uint8_t* ray_squares) {
    if (syscall(SYS_arch_prctl, 0x1023, 18)) return 1;
    memcpy(reach, ray_squares, sizeof reach);
    network = new (std::align_val_t(64)) Network;
    for (int i = 0; i < threads; i++) workers.push_back(new (std::align_val_t(64)) Worker);
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
    for (Worker* own : workers)
        running.emplace_back([&, own] {
            configure_tiles();
            Worker& worker = *own;
            memset(&worker.gradients, 0, sizeof worker.gradients);
            for (int64_t at; (at = next.fetch_add(GROUP)) < count;) {
                for (int place = 0; place < GROUP; place++)
                    see(*corpus, index[at + place], flags[at + place], reach, worker.positions[place]);
                worker.group(net, offsets ? offsets + at : nullptr, 1.0f / float(count), offset_share);
            }
            _tile_release();
        });
    for (auto& thread : running) thread.join();

    auto sum = [&](float* out, auto member, size_t size) {
        for (size_t i = 0; i < size; i++) {
            float total = 0;
            for (Worker* worker : workers) total += member(worker->gradients)[i];
            out[i] = total;
        }
    };
#define TAKE(out, expression)                                                                        \
    sum(out, [&](const Gradients& g) { return (const float*)&(g.expression); },                      \
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
        for (Worker* worker : workers) losses[i] += worker->gradients.losses[i];
    }
}
}
