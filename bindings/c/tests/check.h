/* What the tests share. */
#ifndef CHECK_H
#define CHECK_H

#include <plyzip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))

/* The call's status is the one expected; the error, looked at after the call, says the same and why, and is freed. */
#define EXPECT(wanted, call, error)                                   \
    do {                                                              \
        plyzip_status status_ = (call);                               \
        expect(__FILE__, __LINE__, wanted, status_, error);           \
    } while (0)
#define OK(call, error) EXPECT(PLYZIP_OK, call, error)

static inline void fail(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(1);
}

static inline void expect(const char *file, int line, plyzip_status wanted, plyzip_status status, plyzip_error *error) {
    if (status != wanted || plyzip_error_status(error) != wanted || (error == NULL) != (wanted == PLYZIP_OK)
        || (plyzip_error_message(error)[0] == '\0') != (wanted == PLYZIP_OK)) {
        fprintf(stderr, "status %d, error %d (%s)\n", status, plyzip_error_status(error), plyzip_error_message(error));
        fail(file, line, "another status was expected");
    }
    plyzip_error_free(error);
}

static inline int same(plyzip_bytes one, plyzip_bytes other) {
    return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
}

static inline int is_text(plyzip_bytes bytes, const char *text) {
    return bytes.data != NULL && bytes.size == strlen(text) && strcmp((const char *)bytes.data, text) == 0;
}

/* A file, or a buffer that is to be freed with `free`. */
static inline plyzip_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    plyzip_bytes bytes = {malloc(1 << 24), 0};
    if (file == NULL || bytes.data == NULL) {
        fail(path, 0, "cannot be read");
    }
    bytes.size = fread(bytes.data, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

/* Options with the model `none`, for tests that are not about models. */
static inline plyzip_options *fast(void) {
    plyzip_options *options = plyzip_options_new();
    plyzip_error *error;
    OK(plyzip_options_set_model(options, "none", &error), error);
    return options;
}

/* Each file of tests has one of these. `famous` is samples/famous.pgn; files are written below the current folder. */
void test_whole(plyzip_bytes famous, const char *program_archive);
void test_archive(plyzip_bytes famous);
void test_errors(plyzip_bytes famous);
void test_files(plyzip_bytes famous);
void test_single(plyzip_bytes famous);
void test_threads(plyzip_bytes famous);

#endif
