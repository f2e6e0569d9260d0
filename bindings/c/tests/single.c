/* Single games. */
#include "check.h"

static void moves_come_back(plyzip_bytes famous, const plyzip_options *options) {
    plyzip_bytes moves, data, back;
    plyzip_error *error;
    OK(plyzip_game_moves(famous.data, famous.size, &moves, &error), error);
    const char *spelled = (const char *)moves.data;
    CHECK(moves.size > 60 && spelled[4] == ' ' && strlen(spelled) == moves.size);
    /* The tags of the first game count; of the other games nothing is taken. */
    const char *tags = (const char *)famous.data;
    OK(plyzip_game_encode(tags, spelled, options, &data, &error), error);
    CHECK(data.size < moves.size / 5);
    OK(plyzip_game_decode(tags, data.data, data.size, options, &back, &error), error);
    CHECK(same(moves, back));
    plyzip_bytes_free(&back);
    data.data[data.size - 1] ^= 1;
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_game_decode(tags, data.data, data.size, options, &back, &error), error);
    plyzip_bytes_free(&data);
    plyzip_bytes_free(&moves);
}

void test_single(plyzip_bytes famous) {
    plyzip_options *none = fast(), *standard = plyzip_options_new();
    plyzip_bytes data, back;
    plyzip_error *error;
    uint8_t *text = malloc(famous.size + 1);
    CHECK(text != NULL);
    memcpy(text, famous.data, famous.size);
    text[famous.size] = '\0';
    plyzip_bytes pgn = {text, famous.size};
    moves_come_back(pgn, none);
    moves_come_back(pgn, standard);
    free(text);

    /* Another model is found out, and another start is told by FEN. */
    OK(plyzip_game_encode(NULL, " e2e4\te7e5\n", none, &data, &error), error);
    EXPECT(PLYZIP_ERROR_MODEL, plyzip_game_decode(NULL, data.data, data.size, standard, &back, &error), error);
    OK(plyzip_game_decode(NULL, data.data, data.size, none, &back, &error), error);
    CHECK(is_text(back, "e2e4 e7e5"));
    plyzip_bytes_free(&back);
    plyzip_bytes_free(&data);
    const char *start = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    OK(plyzip_game_encode(start, "e1g1 e8e7", none, &data, &error), error);
    OK(plyzip_game_decode(start, data.data, data.size, none, &back, &error), error);
    CHECK(is_text(back, "e1g1 e8e7"));
    plyzip_bytes_free(&back);
    plyzip_bytes_free(&data);
    OK(plyzip_game_encode("", "", none, &data, &error), error);
    OK(plyzip_game_decode(NULL, data.data, data.size, none, &back, &error), error);
    CHECK(is_text(back, ""));
    plyzip_bytes_free(&back);
    plyzip_bytes_free(&data);

    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_encode(NULL, "e2e4 e2e4", none, &data, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_encode(NULL, "e9", none, &data, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_encode(NULL, "P@e4", none, &data, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_encode("[FEN \"8/8 w\"]\n", "", none, &data, &error), error);
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_game_decode(NULL, NULL, 0, none, &back, &error), error);
    EXPECT(PLYZIP_ERROR_UNSUPPORTED, plyzip_game_decode(NULL, (const uint8_t *)"\xf0", 1, none, &back, &error), error);
    OK(plyzip_game_moves((const uint8_t *)"no PGN", 6, &back, &error), error);
    CHECK(is_text(back, ""));
    plyzip_bytes_free(&back);
    plyzip_options_free(none);
    plyzip_options_free(standard);
}
