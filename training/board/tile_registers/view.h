// What the network sees of a position: `view.py` in C++, from the arrays of `corpus.py`.
#pragma once

#include <algorithm>

#include "sizes.h"

namespace tiles {

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

}  // namespace tiles
