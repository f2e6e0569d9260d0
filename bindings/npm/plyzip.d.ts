/** Bytes in any form. Text beside them is taken as UTF-8. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView | Blob;

/** What is wanted, or several things that have to be true at once. */
export type Condition = string | number | readonly (string | number)[] | undefined;

/** What games have to meet, all of it: the options of `plyzip extract`. */
export interface Conditions {
  /** Numbers of games as the program counts them, from 1 on, such as `3,10-20,40-`. */
  games?: Condition;
  /** Words of the name of either player. */
  player?: Condition;
  white?: Condition;
  black?: Condition;
  event?: Condition;
  site?: Condition;
  /** Such as `1850..1860`, `2023-06` or `2023-06-15..`. */
  date?: Condition;
  /** Ratings of both players, such as `2600..`. */
  elo?: Condition;
  result?: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Codes and spans of codes, such as `B90-B99,C42,D`. */
  eco?: Condition;
  /** A tag with a pattern (a regular expression) for its value, such as `Round=^1\.`. */
  tag?: Condition;
  /** How many moves of either side, such as `20..40`. */
  plies?: Condition;
  /** First moves, such as `e4 c5 Nf3`. */
  moves?: Condition;
  /** A position that the game has, as FEN. */
  position?: Condition;
  /** The pieces of both sides, such as `KRPvKR`. */
  material?: Condition;
}

/** An archive in figures. */
export interface Figures {
  games: number;
  /** Moves of either side, those of variations included. */
  moves: number;
  originalBytes: number;
  archiveBytes: number;
  blocks: number;
  /** Names and bytes of the streams. */
  streams: [string, number][];
  bytesPerGame: number | null;
  bitsPerMove: number | null;
  /** The models without which the archive cannot be decoded. */
  models: { name: string; hash: string }[];
  /** The name of the original's file, if the archive has it. */
  file: string | null;
}

/** A line of a list. Games count from 0 on. */
export interface Listed {
  number: number;
  /** The tags that the archive has apart from the moves: not those that the moves foretell, such as ECO. */
  tags: Record<string, string>;
}

/** A game as it stands in the original. Games count from 0 on. */
export interface Game {
  number: number;
  bytes: Uint8Array;
  /** The bytes as text: UTF-8, or Latin-1 if they are none. */
  pgn: string;
}

/** A move as a prediction has it. Squares count from a8 on, line by line, to 63 for h1. */
export interface LikelyMove {
  san: string;
  uci: string;
  from: number;
  to: number;
  /** From 0 to 1. */
  probability: number;
}

/** A move that was played, and what it cost. */
export interface Ply extends LikelyMove {
  /** Such as 12 for either side's twelfth move. */
  number: number;
  white: boolean;
  /** What it cost: the binary logarithm of 1 / probability. */
  bits: number;
  /** How many legal moves were likelier. */
  rank: number;
  legal: number;
  /** The entropy of the prediction. */
  expectedBits: number;
  /** The likeliest of the others. */
  others: LikelyMove[];
  /** The pieces after the move: 64 letters from a8 on, as in FEN, `.` for none. */
  board: string;
}

/** A game move by move, with what each cost. */
export interface Replay {
  number: number;
  pgn: string;
  tags: Record<string, string>;
  /** The model that predicted. */
  model: string;
  /** Whether the game was predicted by itself, and not among the others of its page. */
  alone: boolean;
  /** The pieces before the first move, as {@link Ply.board}. */
  start: string;
  plies: Ply[];
  moveBits: number;
  endBits: number;
  variationBits: number;
}

export interface LoadOptions {
  /** The module `plyzip.wasm`: its address, its bytes, or the module itself; the file beside the code if not given. */
  module?: URL | string | BufferSource | WebAssembly.Module;
  /** The model's file `standard.onnx`: its address or bytes; the file beside the code if not given. */
  standard?: URL | string | Bytes;
}

/** Loads the module, which all other functions do if need be. Later calls change the address of `standard` alone. */
export function load(options?: LoadOptions): Promise<void>;

/** The version of plyzip. */
export function version(): Promise<string>;

/**
 * Takes the bytes of a model's file (`.onnx`), and gives its name, by which archives and `compress` find it.
 * @throws if it is no model of plyzip.
 */
export function addModel(file: Bytes): Promise<string>;

export interface WorkOptions {
  /** Hears how many bytes of the original are done. */
  onProgress?: (originalBytes: number) => void;
}

export interface CompressOptions extends WorkOptions {
  /** `standard`, `none`, or the name of a model that was added; `standard` if not given. */
  model?: string;
}

/**
 * The archive of an original, which is PGN or anything else: byte for byte that of `plyzip compress`. Everything is
 * decoded again and compared.
 */
export function compress(
  original: Bytes | string | AsyncIterable<Bytes | string>,
  options?: CompressOptions,
): Promise<Uint8Array>;

/**
 * The original of an archive.
 * @throws if it is no archive, is damaged, or its model is not at hand.
 */
export function decompress(archive: Bytes, options?: WorkOptions): Promise<Uint8Array>;

/**
 * The original of an archive, block by block. After the last, all of the archive was found in order.
 * @throws as `decompress` does.
 */
export function blocks(archive: Bytes, options?: WorkOptions): AsyncGenerator<Uint8Array, void, undefined>;

/**
 * Opens an archive to look into it.
 * @throws if it is no archive, or damaged where its index is.
 */
export function open(archive: Bytes): Promise<Archive>;

export interface SearchOptions {
  /** The games that do not meet the conditions, instead. */
  invert?: boolean;
}

/** An archive in memory; `open` makes it. */
export class Archive {
  private constructor();
  readonly figures: Figures;
  /** How many games it has. */
  readonly length: number;
  /**
   * The games that meet conditions, with their tags, in order. Nothing is decoded that the conditions can do without.
   * @throws if a condition makes no sense.
   */
  list(conditions?: Conditions, options?: SearchOptions): Generator<Listed, void, undefined>;
  /** As `list`, with the games' text, which takes the decoding of their pages. */
  filter(conditions?: Conditions, options?: SearchOptions): Generator<Game, void, undefined>;
  /**
   * A game.
   * @throws {RangeError} if there is no game of this number.
   */
  game(number: number): Game;
  /**
   * A game move by move: what each cost, and what was likelier. The first game of a page takes as long as all of it.
   * @throws {RangeError} if there is no game of this number.
   */
  replay(number: number): Replay;
  /** Gives its memory back. It cannot be used after that. */
  free(): void;
}

/**
 * Encodes the moves of single games, in a few bytes each. Whoever decodes gives the same tags and the same model: with
 * others it is an error, or once in 5,000 times and more a wrong game.
 */
export class GameCodec {
  private constructor();
  /** A codec that predicts with the model of this name, `standard` if not given. */
  static create(model?: string): Promise<GameCodec>;
  /**
   * The bytes of a game. Moves are those of UCI, such as `e2e4` or `e7e8q`. Of the tags, the start (`FEN`), the
   * players, ratings, result, date and pace count.
   * @throws if a move is not legal.
   */
  encode(moves: Iterable<string>, tags?: Record<string, string>): Uint8Array;
  /**
   * The moves of a game that `encode` wrote.
   * @throws if the bytes are not of a game with these tags and this model.
   */
  decode(bytes: Uint8Array, tags?: Record<string, string>): string[];
  /** Gives its memory back. It cannot be used after that. */
  free(): void;
}
