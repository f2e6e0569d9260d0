/* Runs all tests: `tests FAMOUS [ARCHIVE]`, samples/famous.pgn and what the program made of it. */
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 2 || count == 3);
    plyzip_bytes famous = read_file(arguments[1]);
    CHECK(famous.size > 5000);
    test_whole(famous, arguments[2]);
    puts("whole archives");
    test_archive(famous);
    puts("archives that are open");
    test_errors(famous);
    puts("errors");
    test_files(famous);
    puts("files");
    test_single(famous);
    puts("single games");
    test_threads(famous);
    puts("threads");
    free(famous.data);
    return 0;
}
