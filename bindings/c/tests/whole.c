/* Whole archives in memory. */
#include "check.h"

/* Compresses and decompresses; what the archive takes. */
static size_t there_and_back(const uint8_t *data, size_t size, const plyzip_options *options) {
    plyzip_bytes archive, back;
    plyzip_error *error;
    OK(plyzip_compress(data, size, options, &archive, &error), error);
    OK(plyzip_decompress(archive.data, archive.size, options, &back, &error), error);
    CHECK(back.size == size && back.data != NULL && (size == 0 || memcmp(back.data, data, size) == 0));
    CHECK(archive.data[archive.size] == '\0' && back.data[back.size] == '\0');
    size_t archive_size = archive.size;
    plyzip_bytes_free(&archive);
    plyzip_bytes_free(&back);
    CHECK(archive.data == NULL && archive.size == 0);
    /* Once more does nothing. */
    plyzip_bytes_free(&archive);
    return archive_size;
}

static void odd_bytes_come_back(const plyzip_options *options) {
    uint8_t all[4096];
    for (size_t at = 0; at < sizeof all; at++) {
        all[at] = (uint8_t)(at * at >> 3);
    }
    there_and_back(all, sizeof all, options);
    there_and_back(all, 1, options);
    there_and_back(all, 0, options);
    there_and_back(NULL, 0, options);
    const char *texts[] = {"1. e4 e5", "[Event \"", "\r\n\r\n", "no PGN", "[A \"\\\"\"]\n1.e4{\xff}*", "\xef\xbb\xbf"};
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        there_and_back((const uint8_t *)texts[at], strlen(texts[at]), options);
    }
}

/* The archive is that of the program, and does not depend on the threads. */
static void it_is_the_archive_of_the_program(plyzip_bytes famous, const char *path) {
    plyzip_options *one = plyzip_options_new();
    plyzip_bytes first, second;
    plyzip_error *error;
    OK(plyzip_options_set_threads(one, 1, &error), error);
    OK(plyzip_compress(famous.data, famous.size, one, &first, &error), error);
    OK(plyzip_options_set_threads(one, 5, &error), error);
    OK(plyzip_options_set_model(one, "standard", &error), error);
    OK(plyzip_compress(famous.data, famous.size, one, &second, &error), error);
    CHECK(same(first, second));
    plyzip_bytes_free(&second);
    OK(plyzip_options_set_level(one, 6, &error), error);
    OK(plyzip_compress(famous.data, famous.size, one, &second, &error), error);
    CHECK(same(first, second));
    if (path != NULL) {
        plyzip_bytes program = read_file(path);
        CHECK(same(first, program));
        free(program.data);
    } else {
        fputs("NOT CHECKED: the archive of the program, which is not there\n", stderr);
    }
    plyzip_bytes_free(&first);
    plyzip_bytes_free(&second);
    plyzip_options_free(one);
}

static void an_archive_may_hold_its_model(plyzip_bytes famous) {
    plyzip_options *options = plyzip_options_new();
    plyzip_bytes archive, back;
    plyzip_error *error;
    OK(plyzip_options_set_embed_model(options, 1, &error), error);
    OK(plyzip_compress(famous.data, famous.size, options, &archive, &error), error);
    CHECK(archive.size > 1 << 20);
    OK(plyzip_options_set_limit(options, PLYZIP_LIMIT_MODEL_FILE, 1 << 20, &error), error);
    EXPECT(PLYZIP_ERROR_LIMIT, plyzip_decompress(archive.data, archive.size, options, &back, &error), error);
    OK(plyzip_decompress(archive.data, archive.size, NULL, &back, &error), error);
    CHECK(same(back, famous));
    plyzip_bytes_free(&archive);
    plyzip_bytes_free(&back);
    plyzip_options_free(options);
}

void test_whole(plyzip_bytes famous, const char *program_archive) {
    plyzip_options *options = fast();
    CHECK(there_and_back(famous.data, famous.size, options) < famous.size / 4);
    plyzip_error *error;
    OK(plyzip_options_set_verify(options, 0, &error), error);
    size_t whole = there_and_back(famous.data, famous.size, options);
    OK(plyzip_options_set_block_games(options, 1, &error), error);
    CHECK(there_and_back(famous.data, famous.size, options) > whole);
    OK(plyzip_options_set_verify(options, 1, &error), error);
    odd_bytes_come_back(options);
    plyzip_options_free(options);
    it_is_the_archive_of_the_program(famous, program_archive);
    an_archive_may_hold_its_model(famous);
}
