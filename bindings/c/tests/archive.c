/* Archives that are open. */
#include "check.h"

/* The games one after the other are the original, and each has the tags that its PGN has. */
static void the_games_are_the_original(const plyzip_archive *archive, plyzip_bytes famous) {
    plyzip_error *error;
    size_t at = 0;
    uint64_t games = plyzip_archive_games(archive);
    for (uint64_t index = 0; index < games; index++) {
        plyzip_bytes game, from_columns, from_game;
        OK(plyzip_archive_game(archive, index, &game, &error), error);
        CHECK(at + game.size <= famous.size && memcmp(game.data, famous.data + at, game.size) == 0);
        at += game.size;
        const char *names[] = {"White", "Black", "Date", "Result", "Event"};
        for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
            OK(plyzip_archive_tag(archive, index, names[name], &from_columns, &error), error);
            OK(plyzip_game_tag(game.data, game.size, names[name], &from_game, &error), error);
            CHECK(from_columns.size > 0 && same(from_columns, from_game));
            plyzip_bytes_free(&from_columns);
            plyzip_bytes_free(&from_game);
        }
        OK(plyzip_archive_tag(archive, index, "NoSuchTag", &from_columns, &error), error);
        CHECK(from_columns.data == NULL && from_columns.size == 0);
        plyzip_bytes_free(&game);
    }
    CHECK(at == famous.size && plyzip_archive_original_size(archive) == famous.size);
}

static void tags_are_read_as_they_are_meant(void) {
    const char *pgn = "[White \"M\xfcller \\\"Bob\\\"\"]\n[Black \"\"]\n\n1. e4 *\n";
    plyzip_options *options = fast();
    plyzip_archive *archive;
    plyzip_bytes data, value;
    plyzip_error *error;
    OK(plyzip_compress((const uint8_t *)pgn, strlen(pgn), options, &data, &error), error);
    OK(plyzip_archive_open_memory(data.data, data.size, NULL, &archive, &error), error);
    /* The archive has a copy. */
    memset(data.data, 0, data.size);
    plyzip_bytes_free(&data);
    plyzip_options_free(options);
    OK(plyzip_archive_tag(archive, 0, "White", &value, &error), error);
    CHECK(is_text(value, "M\xc3\xbcller \"Bob\""));
    plyzip_bytes_free(&value);
    OK(plyzip_archive_tag(archive, 0, "Black", &value, &error), error);
    CHECK(is_text(value, ""));
    plyzip_bytes_free(&value);
    plyzip_archive_free(archive);
}

void test_archive(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_archive *archive;
    plyzip_bytes data;
    plyzip_error *error;
    /* A single page, pages of two games, blocks of three. */
    for (int cut = 0; cut < 3; cut++) {
        if (cut == 1) {
            OK(plyzip_options_set_page_games(options, 2, &error), error);
        } else if (cut == 2) {
            OK(plyzip_options_set_block_games(options, 3, &error), error);
        }
        OK(plyzip_compress(famous.data, famous.size, options, &data, &error), error);
        OK(plyzip_archive_open_memory(data.data, data.size, options, &archive, &error), error);
        CHECK(plyzip_archive_games(archive) > 3 && plyzip_archive_moves(archive) > 100);
        the_games_are_the_original(archive, famous);
        plyzip_archive_free(archive);
        plyzip_bytes_free(&data);
    }
    /* Nothing is an archive, too. */
    OK(plyzip_compress(NULL, 0, options, &data, &error), error);
    OK(plyzip_archive_open_memory(data.data, data.size, options, &archive, &error), error);
    CHECK(plyzip_archive_games(archive) == 0 && plyzip_archive_original_size(archive) == 0);
    plyzip_archive_free(archive);
    plyzip_bytes_free(&data);
    plyzip_options_free(options);
    tags_are_read_as_they_are_meant();
}
