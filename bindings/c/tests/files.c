/* Files. */
#include <errno.h>

#include "check.h"

static void write_file(const char *path, plyzip_bytes bytes) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes.data, 1, bytes.size, file) == bytes.size && fclose(file) == 0);
}

/* The call's error is PLYZIP_ERROR_IO with this number and the file's name; it is freed. */
#define EXPECT_SYSTEM(call, error, number, path)                                     \
    do {                                                                             \
        plyzip_status ended_ = (call);                                               \
        CHECK(plyzip_error_system_code(error) == (number));                          \
        CHECK(strstr(plyzip_error_message(error), path) != NULL);                    \
        EXPECT(PLYZIP_ERROR_IO, ended_, error);                                      \
    } while (0)

void test_files(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes archive;
    plyzip_archive *opened;
    plyzip_error *error;
    remove("new.plz");
    remove("back.pgn");
    write_file("new.pgn", famous);
    OK(plyzip_compress_file("new.pgn", "new.plz", options, &error), error);
    OK(plyzip_compress(famous.data, famous.size, options, &archive, &error), error);
    plyzip_bytes file = read_file("new.plz");
    CHECK(same(file, archive));
    free(file.data);

    /* What exists is not replaced unless that is allowed, and what fails leaves nothing. */
    EXPECT_SYSTEM(plyzip_compress_file("new.pgn", "new.plz", options, &error), error, EEXIST, "new.plz");
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_decompress_file("new.pgn", "back.pgn", options, &error), error);
    CHECK(fopen("back.pgn", "rb") == NULL);
    OK(plyzip_options_set_overwrite(options, 1, &error), error);
    OK(plyzip_compress_file("new.pgn", "new.plz", options, &error), error);
    EXPECT(PLYZIP_ERROR_DAMAGED, plyzip_decompress_file("new.pgn", "new.plz", options, &error), error);
    OK(plyzip_decompress_file("new.plz", "back.pgn", options, &error), error);
    plyzip_bytes back = read_file("back.pgn");
    CHECK(same(back, famous));
    free(back.data);

    OK(plyzip_archive_open("new.plz", options, &opened, &error), error);
    CHECK(plyzip_archive_original_size(opened) == famous.size);
    plyzip_archive_free(opened);
    EXPECT_SYSTEM(plyzip_archive_open("missing.plz", NULL, &opened, &error), error, ENOENT, "missing.plz");
    CHECK(opened == NULL);
    EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_open("", NULL, &opened, &error), error);
    /* A folder opens as a file does on Unix, and cannot be read. */
    plyzip_status status = plyzip_archive_open(".", NULL, &opened, &error);
    CHECK(opened == NULL);
    EXPECT(PLYZIP_ERROR_IO, status, error);
    EXPECT_SYSTEM(plyzip_compress_file("missing.pgn", "a.plz", options, &error), error, ENOENT, "missing.pgn");
    EXPECT(PLYZIP_ERROR_IO, plyzip_compress_file("new.pgn", "no/a.plz", options, &error), error);
    plyzip_bytes_free(&archive);
    plyzip_options_free(options);
}
