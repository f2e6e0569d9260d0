/* Errors: damaged archives, arguments that make no sense, limits. */
#include "check.h"

static void damage_is_an_error(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes archive, back;
    plyzip_archive *opened;
    plyzip_error *error;
    OK(plyzip_options_set_page_games(options, 2, &error), error);
    OK(plyzip_compress(famous.data, famous.size, options, &archive, &error), error);
    for (size_t size = 0; size < archive.size; size += 1 + size / 16) {
        EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_decompress(archive.data, size, options, &back, &error), error);
        CHECK(back.data == NULL && back.size == 0);
        EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_archive_open_memory(archive.data, size, options, &opened, &error), error);
        CHECK(opened == NULL);
    }
    for (size_t at = 0; at < archive.size; at += 3) {
        archive.data[at] ^= 0x20;
        plyzip_status status = plyzip_decompress(archive.data, archive.size, options, &back, &error);
        CHECK(status != PLYZIP_OK && status != PLYZIP_ERROR_DEFECT && status != PLYZIP_ERROR_IO);
        EXPECT(status, status, error);
        if (plyzip_archive_open_memory(archive.data, archive.size, options, &opened, &error) == PLYZIP_OK) {
            plyzip_bytes game;
            for (uint64_t index = 0; index < plyzip_archive_games(opened); index++) {
                status = plyzip_archive_game(opened, index, &game, NULL);
                CHECK(status != PLYZIP_ERROR_DEFECT && (status == PLYZIP_OK) == (game.data != NULL));
                plyzip_bytes_free(&game);
            }
        }
        plyzip_archive_free(opened);
        plyzip_error_free(error);
        archive.data[at] ^= 0x20;
    }
    /* A version and a generation that nobody has written yet. */
    archive.data[4] = 99;
    EXPECT(PLYZIP_ERROR_UNSUPPORTED, plyzip_decompress(archive.data, archive.size, options, &back, &error), error);
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_decompress(famous.data, famous.size, options, &back, &error), error);
    plyzip_bytes_free(&archive);
    plyzip_options_free(options);
}

static void null_is_an_error_and_no_crash(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes out;
    plyzip_archive *archive;
    plyzip_error *error;
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress(NULL, 1, options, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress(famous.data, famous.size, options, NULL, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress(famous.data, SIZE_MAX, options, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_decompress(NULL, 1, NULL, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_decompress(famous.data, 9, NULL, NULL, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_open(NULL, NULL, &archive, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_open("games.plz", NULL, NULL, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_open_memory(NULL, 1, NULL, &archive, &error), error);
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_archive_open_memory(NULL, 0, NULL, &archive, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_game(NULL, 0, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_tag(NULL, 0, "White", &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_tag(famous.data, famous.size, NULL, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_moves(famous.data, famous.size, NULL, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_encode(NULL, NULL, options, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_game_decode(NULL, NULL, 1, options, &out, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress_file("a", NULL, options, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_decompress_file(NULL, "a", options, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_model(options, NULL, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_model(NULL, "none", &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_level(options, 0, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_level(options, 10, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_threads(NULL, 1, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_limit(NULL, PLYZIP_LIMIT_GAMES, 1, &error), error);
    /* Who does not want the error need not take it. */
    CHECK(plyzip_compress(NULL, 1, options, NULL, NULL) == PLYZIP_ERROR_USAGE);
    CHECK(plyzip_archive_games(NULL) == 0 && plyzip_archive_moves(NULL) == 0);
    CHECK(plyzip_archive_original_size(NULL) == 0);
    CHECK(plyzip_error_status(NULL) == PLYZIP_OK && plyzip_error_system_code(NULL) == 0);
    CHECK(strcmp(plyzip_error_message(NULL), "") == 0);
    plyzip_bytes_free(NULL);
    plyzip_archive_free(NULL);
    plyzip_error_free(NULL);
    plyzip_options_free(NULL);
    plyzip_options_interrupt(NULL);
    plyzip_options_resume(NULL);
    plyzip_options_free(options);
}

static void what_makes_no_sense_is_an_error(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes data, game;
    plyzip_archive *archive;
    plyzip_error *error;
    OK(plyzip_compress(famous.data, famous.size, options, &data, &error), error);
    OK(plyzip_archive_open_memory(data.data, data.size, options, &archive, &error), error);
    uint64_t games = plyzip_archive_games(archive);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_game(archive, games, &game, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_game(archive, UINT64_MAX, &game, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_tag(archive, games, "White", &game, &error), error);
    OK(plyzip_archive_game(archive, games - 1, &game, &error), error);
    plyzip_bytes_free(&game);
    plyzip_archive_free(archive);

    EXPECT(PLYZIP_ERROR_MODEL_MISSING, plyzip_options_set_model(options, "giant", &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_model(options, "\xff", &error), error);
    EXPECT(PLYZIP_ERROR_IO, plyzip_options_set_model(options, "./missing.onnx", &error), error);
    FILE *file = fopen("broken.onnx", "wb");
    CHECK(file != NULL && fputs("broken", file) >= 0 && fclose(file) == 0);
    EXPECT(PLYZIP_ERROR_MODEL, plyzip_options_set_model(options, "./broken.onnx", &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_options_set_limit(options, 77, 1, &error), error);

    plyzip_bytes none = {NULL, 0};
    OK(plyzip_options_set_block_games(options, 0, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress(famous.data, famous.size, options, &none, &error), error);
    OK(plyzip_options_set_block_games(options, 10, &error), error);
    OK(plyzip_options_set_page_games(options, 0, &error), error);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_compress(famous.data, famous.size, options, &none, &error), error);
    plyzip_bytes_free(&data);
    plyzip_options_free(options);
}

static void limits_hold(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes data, back;
    plyzip_archive *archive;
    plyzip_error *error;
    OK(plyzip_compress(famous.data, famous.size, options, &data, &error), error);
    OK(plyzip_options_set_limit(options, PLYZIP_LIMIT_ORIGINAL, famous.size, &error), error);
    OK(plyzip_decompress(data.data, data.size, options, &back, &error), error);
    plyzip_bytes_free(&back);
    uint32_t kinds[] = {PLYZIP_LIMIT_ORIGINAL, PLYZIP_LIMIT_GAMES, PLYZIP_LIMIT_BLOCK_ORIGINAL,
                        PLYZIP_LIMIT_BLOCK_PAYLOAD, PLYZIP_LIMIT_BLOCK_GAMES, PLYZIP_LIMIT_BLOCKS};
    for (size_t at = 0; at < sizeof kinds / sizeof *kinds; at++) {
        OK(plyzip_options_set_limit(options, kinds[at], 0, &error), error);
        EXPECT(PLYZIP_ERROR_LIMIT, plyzip_decompress(data.data, data.size, options, &back, &error), error);
        plyzip_status status = plyzip_archive_open_memory(data.data, data.size, options, &archive, &error);
        if (status == PLYZIP_OK) {
            /* What a block asks for is known when it is read. */
            status = plyzip_archive_game(archive, 0, &back, &error);
        }
        EXPECT(PLYZIP_ERROR_LIMIT, status, error);
        plyzip_archive_free(archive);
        OK(plyzip_options_set_limit(options, kinds[at], UINT64_MAX, &error), error);
    }
    plyzip_bytes_free(&data);
    plyzip_options_free(options);
}

/* What is small as an archive, and 33 times 2^25 bytes as an original. */
static void a_bomb_is_over_the_limit(void) {
    plyzip_options *options = fast();
    plyzip_bytes piece, back;
    plyzip_error *error;
    size_t zeros_size = 1 << 25, pieces = 33;
    uint8_t *zeros = calloc(zeros_size, 1);
    CHECK(zeros != NULL);
    OK(plyzip_options_set_verify(options, 0, &error), error);
    OK(plyzip_compress(zeros, zeros_size, options, &piece, &error), error);
    free(zeros);
    uint8_t *bomb = malloc(piece.size * pieces);
    CHECK(bomb != NULL && piece.size < 100000);
    for (size_t at = 0; at < pieces; at++) {
        memcpy(bomb + at * piece.size, piece.data, piece.size);
    }
    EXPECT(PLYZIP_ERROR_LIMIT, plyzip_decompress(bomb, piece.size * pieces, options, &back, &error), error);
    /* The limit may be another one. */
    OK(plyzip_options_set_limit(options, PLYZIP_LIMIT_ORIGINAL, 2 * zeros_size, &error), error);
    EXPECT(PLYZIP_ERROR_LIMIT, plyzip_decompress(bomb, piece.size * 3, options, &back, &error), error);
    OK(plyzip_decompress(bomb, piece.size * 2, options, &back, &error), error);
    CHECK(back.size == 2 * zeros_size);
    plyzip_bytes_free(&back);
    free(bomb);
    plyzip_bytes_free(&piece);
    plyzip_options_free(options);
}

void test_errors(plyzip_bytes famous) {
    damage_is_an_error(famous);
    null_is_an_error_and_no_crash(famous);
    what_makes_no_sense_is_an_error(famous);
    limits_hold(famous);
    a_bomb_is_over_the_limit();
}
