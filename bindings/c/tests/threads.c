/* Threads that share archives and options, interruption, fork. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { READERS = 6 };

typedef struct {
    const plyzip_archive *archive;
    const plyzip_options *options;
    plyzip_bytes famous;
    uint64_t seed;
} reader;

/* Reads games in an order of its own, and compresses with the same options in between. */
static void *read_games(void *argument) {
    reader *self = argument;
    plyzip_error *error;
    uint64_t games = plyzip_archive_games(self->archive);
    for (int round = 0; round < 40; round++) {
        self->seed = self->seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t index = (self->seed >> 33) % games;
        plyzip_bytes game, tag, white;
        OK(plyzip_archive_game(self->archive, index, &game, &error), error);
        OK(plyzip_archive_tag(self->archive, index, "White", &tag, &error), error);
        OK(plyzip_game_tag(game.data, game.size, "White", &white, &error), error);
        CHECK(same(tag, white));
        plyzip_bytes_free(&tag);
        plyzip_bytes_free(&white);
        plyzip_bytes_free(&game);
        EXPECT(PLYZIP_ERROR_USAGE, plyzip_archive_game(self->archive, games + index, &game, &error), error);
        if (round % 20 == 0) {
            plyzip_bytes archive, back;
            OK(plyzip_compress(self->famous.data, self->famous.size, self->options, &archive, &error), error);
            OK(plyzip_decompress(archive.data, archive.size, self->options, &back, &error), error);
            CHECK(same(back, self->famous));
            plyzip_bytes_free(&archive);
            plyzip_bytes_free(&back);
        }
    }
    return NULL;
}

static void one_archive_serves_many_threads(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes data;
    plyzip_archive *archive;
    plyzip_error *error;
    OK(plyzip_options_set_threads(options, 2, &error), error);
    OK(plyzip_options_set_page_games(options, 2, &error), error);
    OK(plyzip_options_set_block_games(options, 5, &error), error);
    OK(plyzip_compress(famous.data, famous.size, options, &data, &error), error);
    OK(plyzip_archive_open_memory(data.data, data.size, options, &archive, &error), error);
    plyzip_bytes_free(&data);
    pthread_t threads[READERS];
    reader readers[READERS];
    for (int at = 0; at < READERS; at++) {
        readers[at] = (reader){archive, options, famous, (uint64_t)at};
        CHECK(pthread_create(&threads[at], NULL, read_games, &readers[at]) == 0);
    }
    for (int at = 0; at < READERS; at++) {
        CHECK(pthread_join(threads[at], NULL) == 0);
    }
    plyzip_archive_free(archive);
    plyzip_options_free(options);
}

typedef struct {
    plyzip_options *options;
    plyzip_bytes data;
    plyzip_status status;
} job;

static void *compress_much(void *argument) {
    job *self = argument;
    plyzip_bytes archive;
    self->status = plyzip_compress(self->data.data, self->data.size, self->options, &archive, NULL);
    plyzip_bytes_free(&archive);
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* An hour of work ends within seconds, and the options are as good as before. */
static void work_can_be_ended(plyzip_bytes famous) {
    size_t copies = 20000;
    job much = {plyzip_options_new(), {malloc(copies * famous.size), copies * famous.size}, PLYZIP_OK};
    plyzip_bytes archive;
    plyzip_error *error;
    CHECK(much.data.data != NULL);
    for (size_t at = 0; at < copies; at++) {
        memcpy(much.data.data + at * famous.size, famous.data, famous.size);
    }
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, compress_much, &much) == 0);
    nanosleep(&(struct timespec){1, 500000000}, NULL);
    double begin = seconds();
    plyzip_options_interrupt(much.options);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(much.status == PLYZIP_ERROR_INTERRUPTED);
    printf("interrupted after %.2f s\n", seconds() - begin);
    CHECK(seconds() - begin < 10);
    EXPECT(PLYZIP_ERROR_INTERRUPTED, plyzip_compress(famous.data, famous.size, much.options, &archive, &error), error);
    plyzip_options_resume(much.options);
    OK(plyzip_compress(famous.data, famous.size, much.options, &archive, &error), error);
    plyzip_bytes_free(&archive);
    free(much.data.data);
    plyzip_options_free(much.options);
}

/* A child has none of its parent's threads, and gets new ones. */
static void a_child_works_too(plyzip_bytes famous) {
    plyzip_options *options = fast();
    plyzip_bytes archive, back;
    plyzip_error *error;
    OK(plyzip_compress(famous.data, famous.size, options, &archive, &error), error);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(plyzip_decompress(archive.data, archive.size, options, &back, NULL) == PLYZIP_OK ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    plyzip_bytes_free(&archive);
    plyzip_options_free(options);
}

/* The threads of this process; 0 where /proc does not tell. */
static int threads_now(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    int threads = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "Threads: %d", &threads);
    }
    if (file != NULL) {
        fclose(file);
    }
    return threads;
}

/* Archives and options at rest have no threads, and nobody gets more than there are cores. */
static void many_archives_have_few_threads(plyzip_bytes famous) {
    enum { ARCHIVES = 1000, OPTIONS = 40 };
    static plyzip_archive *archives[ARCHIVES];
    plyzip_options *options[OPTIONS];
    plyzip_bytes data, game;
    plyzip_error *error;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double begin = seconds();
    for (int at = 0; at < OPTIONS; at++) {
        options[at] = fast();
        OK(plyzip_options_set_threads(options[at], at % 2 ? SIZE_MAX - (size_t)at : (size_t)at, &error), error);
    }
    OK(plyzip_compress(famous.data, famous.size, options[1], &data, &error), error);
    for (int at = 0; at < ARCHIVES; at++) {
        OK(plyzip_archive_open_memory(data.data, data.size, options[at % OPTIONS], &archives[at], &error), error);
        if (at % 10 == 0) {
            OK(plyzip_archive_game(archives[at], 0, &game, &error), error);
            plyzip_bytes_free(&game);
        }
    }
    printf("%d archives, %.2f s\n", ARCHIVES, seconds() - begin);
    /* One call after the other: two threads a core are kept at most, and there may be one more of a sanitizer's. Those
       that are not kept end soon. */
    double end = seconds() + 10;
    while (threads_now() > 2 + 2 * cores && seconds() < end) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    printf("%d threads\n", threads_now());
    CHECK(threads_now() <= 2 + 2 * cores);
    for (int at = 0; at < ARCHIVES; at++) {
        plyzip_archive_free(archives[at]);
    }
    for (int at = 0; at < OPTIONS; at++) {
        plyzip_options_free(options[at]);
    }
    plyzip_bytes_free(&data);
}

void test_threads(plyzip_bytes famous) {
    many_archives_have_few_threads(famous);
    one_archive_serves_many_threads(famous);
    work_can_be_ended(famous);
    a_child_works_too(famous);
}
