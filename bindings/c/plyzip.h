/* plyzip for C: lossless compression of chess archives. Made by cbindgen from bindings/c; do not edit.
 *
 * docs/c.md of plyzip is the manual. In short:
 *
 * - A function that can fail returns a plyzip_status. Its last argument, which may be NULL, receives the error, which
 *   is to be freed, or NULL. What it gives out is NULL, or empty, after a failure.
 * - What a function gives out belongs to the caller, who frees it with plyzip_..._free. Arguments stay the caller's,
 *   and are not needed any more when the function returns. All plyzip_..._free take NULL.
 * - A pointer must be NULL or point at what its type says. NULL where something is wanted is an error.
 * - Texts that go in are UTF-8 and end with NUL. PGN and archives are bytes with a size.
 *
 * Part of plyzip. GPL-3.0-or-later.
 */

#ifndef PLYZIP_H
#define PLYZIP_H


#define PLYZIP_MAJOR 2
#define PLYZIP_MINOR 0
#define PLYZIP_PATCH 0


#include <stddef.h>
#include <stdint.h>

/**
 * How a call ended: well, or with an error of this kind. Later versions may have more kinds.
 */
typedef enum plyzip_status {
  /**
   * Done.
   */
  PLYZIP_OK = 0,
  /**
   * The operating system could not read or write, or had no memory for a result.
   */
  PLYZIP_ERROR_IO = 1,
  /**
   * The archive, or the bytes of a game, is not one or is damaged.
   */
  PLYZIP_ERROR_DAMAGED = 2,
  /**
   * The archive is sound, but newer than this library.
   */
  PLYZIP_ERROR_UNSUPPORTED = 3,
  /**
   * The archive asks for more than the limits allow.
   */
  PLYZIP_ERROR_LIMIT = 4,
  /**
   * A model is not at hand: one that an archive needs, or one that was asked for by name.
   */
  PLYZIP_ERROR_MODEL_MISSING = 5,
  /**
   * A model file is broken, unknown or would not compute exactly.
   */
  PLYZIP_ERROR_MODEL = 6,
  /**
   * The caller asked for something that makes no sense: NULL, a game that is not there, a move that is illegal.
   */
  PLYZIP_ERROR_USAGE = 7,
  /**
   * plyzip_options_interrupt ended the work.
   */
  PLYZIP_ERROR_INTERRUPTED = 8,
  /**
   * A defect of plyzip: please report it.
   */
  PLYZIP_ERROR_DEFECT = 9,
} plyzip_status;

/**
 * What plyzip_options_set_limit limits.
 *
 * Memory is bounded by the sizes of a block and of models' files. By default reading takes a few hundred megabytes,
 * and what it gives out.
 */
typedef enum plyzip_limit {
  /**
   * Bytes of the original, all of it: what decompression gives out. Default: 2^30 for plyzip_decompress, which has
   * it in memory, none otherwise.
   */
  PLYZIP_LIMIT_ORIGINAL = 0,
  /**
   * Games of the archive. Default: none.
   */
  PLYZIP_LIMIT_GAMES = 1,
  /**
   * Original bytes of one block. Default: 2^26.
   */
  PLYZIP_LIMIT_BLOCK_ORIGINAL = 2,
  /**
   * Compressed bytes of one block. Default: 65 * 2^20.
   */
  PLYZIP_LIMIT_BLOCK_PAYLOAD = 3,
  /**
   * Games of one block. Default: 2^20.
   */
  PLYZIP_LIMIT_BLOCK_GAMES = 4,
  /**
   * Blocks of the archive. Default: 2^22.
   */
  PLYZIP_LIMIT_BLOCKS = 5,
  /**
   * Archives that follow each other in one. Default: 2^20.
   */
  PLYZIP_LIMIT_MEMBERS = 6,
  /**
   * Models that the archive names. Default: 2^10.
   */
  PLYZIP_LIMIT_MODELS = 7,
  /**
   * Bytes of a model's file within the archive. Default: 2^26.
   */
  PLYZIP_LIMIT_MODEL_FILE = 8,
  /**
   * Bytes of all models' files within the archive. Default: 2^28.
   */
  PLYZIP_LIMIT_MODEL_FILES = 9,
} plyzip_limit;

/**
 * An archive that is open. Any number of threads may use it; they take turns.
 */
typedef struct plyzip_archive plyzip_archive;

/**
 * What went wrong.
 *
 * It belongs to who got it, and not to the thread: nothing is lost between threads, and nothing stays in one.
 */
typedef struct plyzip_error plyzip_error;

/**
 * What a call may use: model, threads, limits, how archives are cut. Where a function takes options, NULL stands for
 * the defaults.
 *
 * The model is opened once and kept: options are worth keeping, too. Any number of threads may use the same options, but
 * none while they are set.
 */
typedef struct plyzip_options plyzip_options;

/**
 * Bytes that belong to the caller, who frees them with plyzip_bytes_free and changes neither field.
 */
typedef struct plyzip_bytes {
  /**
   * The first of them. Behind the last stands a NUL that does not count. NULL if there is nothing, as after a
   * failure; not NULL for something that is empty.
   */
  uint8_t *data;
  /**
   * How many there are.
   */
  size_t size;
} plyzip_bytes;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library as "MAJOR.MINOR.PATCH". It is never freed.
 */
const char *plyzip_version(void);

/**
 * Opens the archive in a file. Its index is read, and no game. The file must stay as it is until the archive is freed
 * with plyzip_archive_free.
 */
enum plyzip_status plyzip_archive_open(const char *path,
                                       const struct plyzip_options *options,
                                       struct plyzip_archive **archive,
                                       struct plyzip_error **error);

/**
 * Opens an archive in memory, of which it takes a copy. Freed with plyzip_archive_free.
 */
enum plyzip_status plyzip_archive_open_memory(const uint8_t *data,
                                              size_t size,
                                              const struct plyzip_options *options,
                                              struct plyzip_archive **archive,
                                              struct plyzip_error **error);

/**
 * Closes and frees an archive, or nothing for NULL. No other call may use it then.
 */
void plyzip_archive_free(struct plyzip_archive *archive);

/**
 * How many games there are; 0 for NULL.
 */
uint64_t plyzip_archive_games(const struct plyzip_archive *archive);

/**
 * How many moves all games have together, each side's counted; 0 for NULL.
 */
uint64_t plyzip_archive_moves(const struct plyzip_archive *archive);

/**
 * How many bytes the original has; 0 for NULL.
 */
uint64_t plyzip_archive_original_size(const struct plyzip_archive *archive);

/**
 * A game as it stands in the original, from its tags to the next game. Games are counted from 0.
 *
 * Its page is decoded for it, 128 games by default, which takes up to seconds; games of the page that was last decoded
 * come at once.
 */
enum plyzip_status plyzip_archive_game(const struct plyzip_archive *archive,
                                       uint64_t index,
                                       struct plyzip_bytes *pgn,
                                       struct plyzip_error **error);

/**
 * A tag of a game, "White" for example, as UTF-8 without the escapes of PGN. The bytes' `data` is NULL if the game has
 * no such tag.
 *
 * No move is decoded for it, and the tags of a block are at hand once one of them was asked for. ECO, Opening and
 * others that the moves foretell are stored with the moves, and are not found here if the moves foretell them:
 * plyzip_game_tag finds them in what plyzip_archive_game gives.
 */
enum plyzip_status plyzip_archive_tag(const struct plyzip_archive *archive,
                                      uint64_t index,
                                      const char *name,
                                      struct plyzip_bytes *value,
                                      struct plyzip_error **error);

/**
 * Compresses PGN, or anything else. Any bytes come back from plyzip_decompress as they are; none will do, too. The
 * archive is byte for byte that of the program `plyzip compress`.
 */
enum plyzip_status plyzip_compress(const uint8_t *pgn,
                                   size_t pgn_size,
                                   const struct plyzip_options *options,
                                   struct plyzip_bytes *archive,
                                   struct plyzip_error **error);

/**
 * Decompresses an archive, and checks everything on the way.
 *
 * What comes out may be thousands of times as large as the archive. It is PLYZIP_ERROR_LIMIT if it has more bytes than
 * PLYZIP_LIMIT_ORIGINAL, which is 2^30 here unless it is set.
 */
enum plyzip_status plyzip_decompress(const uint8_t *archive,
                                     size_t archive_size,
                                     const struct plyzip_options *options,
                                     struct plyzip_bytes *pgn,
                                     struct plyzip_error **error);

/**
 * Frees bytes, and leaves none: NULL and 0. Does nothing for NULL, and for bytes that are freed.
 */
void plyzip_bytes_free(struct plyzip_bytes *bytes);

/**
 * The kind of an error; PLYZIP_OK for NULL.
 */
enum plyzip_status plyzip_error_status(const struct plyzip_error *error);

/**
 * What went wrong, as UTF-8 that ends with NUL. It is there until the error is freed; "" for NULL.
 */
const char *plyzip_error_message(const struct plyzip_error *error);

/**
 * The operating system's number of an error, as errno has it; 0 if it is not known.
 */
int32_t plyzip_error_system_code(const struct plyzip_error *error);

/**
 * Frees an error, or nothing for NULL.
 */
void plyzip_error_free(struct plyzip_error *error);

/**
 * Compresses a file into another one, which has its name only when it is complete, and which must not exist unless
 * plyzip_options_set_overwrite allows it. Memory does not grow with the file.
 */
enum plyzip_status plyzip_compress_file(const char *pgn_path,
                                        const char *archive_path,
                                        const struct plyzip_options *options,
                                        struct plyzip_error **error);

/**
 * Decompresses a file into another one, as plyzip_compress_file does.
 */
enum plyzip_status plyzip_decompress_file(const char *archive_path,
                                          const char *pgn_path,
                                          const struct plyzip_options *options,
                                          struct plyzip_error **error);

/**
 * New options, with the defaults. Freed with plyzip_options_free.
 */
struct plyzip_options *plyzip_options_new(void);

/**
 * Frees options, or nothing for NULL. Archives that were opened with them stay open.
 */
void plyzip_options_free(struct plyzip_options *options);

/**
 * Ends the work that is done with these options, and with archives that were opened with them: it fails soon with
 * PLYZIP_ERROR_INTERRUPTED, and so does all that begins before plyzip_options_resume. May be called by any thread.
 */
void plyzip_options_interrupt(const struct plyzip_options *options);

/**
 * Lets new work begin after plyzip_options_interrupt. Archives that are open can be read on.
 */
void plyzip_options_resume(const struct plyzip_options *options);

/**
 * Opens the model that archives and single games are coded with: "none", "standard" (the default), the name of one
 * that `plyzip models` lists, or the path of its file, as UTF-8. Reading an archive takes it only if the archive's
 * model is not among those at hand. After an error the model is the one of before.
 */
enum plyzip_status plyzip_options_set_model(struct plyzip_options *options,
                                            const char *name_or_path,
                                            struct plyzip_error **error);

/**
 * Opens the model of a level, 1 (the fastest) to 9 (the densest); 6 is the default. Level 9 needs the file of the model
 * "max". After an error the model is the one of before.
 */
enum plyzip_status plyzip_options_set_level(struct plyzip_options *options,
                                            uint32_t level,
                                            struct plyzip_error **error);

/**
 * Sets how many threads do the work; 0, the default, is as many as there are cores, and these are the most. No result
 * depends on it.
 */
enum plyzip_status plyzip_options_set_threads(struct plyzip_options *options,
                                              size_t threads,
                                              struct plyzip_error **error);

/**
 * Sets what an archive that is read may ask for, of one kind, a plyzip_limit. UINT64_MAX is no limit.
 */
enum plyzip_status plyzip_options_set_limit(struct plyzip_options *options,
                                            uint32_t kind,
                                            uint64_t most,
                                            struct plyzip_error **error);

/**
 * Sets how many games a block of a new archive has, 1 to 2^20; the default is 20,000. More are denser, fewer are
 * quicker to reach into. What is out of range is an error when an archive is made.
 */
enum plyzip_status plyzip_options_set_block_games(struct plyzip_options *options,
                                                  uint64_t games,
                                                  struct plyzip_error **error);

/**
 * Sets how many games a page of a new archive has, at least 1: what is decoded to reach one game. The default is 128
 * with a network, and 384 with none.
 */
enum plyzip_status plyzip_options_set_page_games(struct plyzip_options *options,
                                                 uint64_t games,
                                                 struct plyzip_error **error);

/**
 * Sets whether each block is decoded again and compared before it is written: 1, the default, or 0, in half the time.
 */
enum plyzip_status plyzip_options_set_verify(struct plyzip_options *options, int verify, struct plyzip_error **error);

/**
 * Sets whether a new archive holds its model's file, and can be read without it: 1, or 0, the default.
 */
enum plyzip_status plyzip_options_set_embed_model(struct plyzip_options *options,
                                                  int embed_model,
                                                  struct plyzip_error **error);

/**
 * Sets whether a file may be replaced that exists: 1, or 0, the default.
 */
enum plyzip_status plyzip_options_set_overwrite(struct plyzip_options *options,
                                                int overwrite,
                                                struct plyzip_error **error);

/**
 * A tag of a game in PGN, as plyzip_archive_tag gives it: all tags of the game are found.
 */
enum plyzip_status plyzip_game_tag(const uint8_t *pgn,
                                   size_t pgn_size,
                                   const char *name,
                                   struct plyzip_bytes *value,
                                   struct plyzip_error **error);

/**
 * The moves of a game in PGN as UCI has them, with a space between two: "e2e4 e7e5". The first game counts, without
 * its variations, and without the moves behind the first one that is not legal.
 */
enum plyzip_status plyzip_game_moves(const uint8_t *pgn,
                                     size_t pgn_size,
                                     struct plyzip_bytes *moves,
                                     struct plyzip_error **error);

/**
 * Encodes the moves of one game in a few bytes, for a database of games: less dense than an archive, but each game
 * alone. `moves` are as plyzip_game_moves has them.
 *
 * `tags` are PGN, and may be the whole game: players, ratings, date and so on make the moves more likely, and a game
 * that starts elsewhere needs FEN. NULL is none. Whoever decodes gives the same tags, and the same model in `options`.
 */
enum plyzip_status plyzip_game_encode(const char *tags,
                                      const char *moves,
                                      const struct plyzip_options *options,
                                      struct plyzip_bytes *data,
                                      struct plyzip_error **error);

/**
 * Decodes what plyzip_game_encode made of the moves of a game.
 *
 * Bytes that are damaged, or come with other tags or another model, give an error, but for 1 in some 150,000, or in
 * some 5,700 if it is only tags that are wrong and say nothing about the moves.
 */
enum plyzip_status plyzip_game_decode(const char *tags,
                                      const uint8_t *data,
                                      size_t data_size,
                                      const struct plyzip_options *options,
                                      struct plyzip_bytes *moves,
                                      struct plyzip_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLYZIP_H */
