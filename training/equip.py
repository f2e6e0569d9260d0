"""Gives a model what goes with its network, or other such parts instead of those that it has.

    python3 training/equip.py network.onnx models/standard.onnx --built-in-book codec/tables/book.bin
    python3 training/equip.py network.onnx models/max.onnx --book book --repertoires repertoires \\
        --search "105000 12" --nnue nnue --search-features search_features --reranker reranker

The parts are tensors of bytes that no node uses; the program takes them out before it looks at the graph
(`codec/src/predict/model`); `schema.json` maps their names to those in the file, which are those that the first models
had. What is not named stays as it is. The manifest beside the output is that of the input with what has changed.
"""

import argparse
import json
import os
import re

import blake3
import numpy as np
import onnx
from onnx import helper, numpy_helper

from schema import schema

# Parts that are books, as they are, and parts that are numbers (i16 in their files).
BOOKS = "book", "repertoires"
OF_SEARCH = "nnue", "search_features", "reranker", "mixer_scales"
NUMBERS = *OF_SEARCH, "board_weights"
# What the program reads of a board network's file (docs/format/board.md); the rest is for its graph.
BOARD_TENSORS = re.compile(
    r"(now|square|past|condition)_table|exponential"
    r"|block_\d+_((qkv|ray_matrix|out_matrix|rise|fall)(_unit|_bias)?|(query|key|value|out|ray|hidden)_unit|relation)"
    r"|(played|taught)_((origin|target|promotion_matrix)(_unit|_bias)?|(origin|target)_site_unit|pair)"
    r"|(pool|end_matrix|value_matrix)(_unit|_bias)?|pooled_unit"
)

# What the scores of moves, squares and the game's end are sums of.
LAST_LAYERS = "score", "square_scores", "square_scores_bias", "end", "end_bias"


def short_numbers(numbers):
    """Numbers as bytes: one for those from -127 to 127, for others `long` and two, little-endian."""
    words = numbers.astype("<i2").tobytes()
    long = bytes([schema.model.long])

    def number(place):
        word = words[2 * place : 2 * place + 2]
        return word[:1] if -127 <= numbers[place] <= 127 else long + word

    return np.frombuffer(b"".join(map(number, range(len(numbers)))), np.uint8)


def board_file(path):
    """The bytes of a board network's file without its graph."""
    whole = onnx.load(path)
    bare = onnx.ModelProto(ir_version=whole.ir_version, metadata_props=whole.metadata_props)
    tensors = whole.graph.initializer
    bare.graph.initializer.extend(tensor for tensor in tensors if BOARD_TENSORS.fullmatch(tensor.name))
    return np.frombuffer(bare.SerializeToString(deterministic=True), np.uint8)


def no_board_weights():
    """Weights with which a board network says nothing, until others are learned."""
    alone = [schema.model.one_board_weight, 0, 0, schema.model.one_board_weight, 0]
    return np.array(alone * (schema.model.board_weights // len(alone)), np.int16)


def manifest_of(path):
    return os.path.splitext(path)[0] + ".json"


def leave_out(part, model, properties, manifest, dropped):
    """Takes a part out of the model: adds its tensors to `dropped`, takes its properties away, or has the network's
    last layers score nothing."""
    keys, tensors = schema.model.properties, vars(schema.model.tensors)
    gone = {"search": OF_SEARCH, "board": ("board", "board_weights"), "network": ()}.get(part, (part,))
    dropped.update(tensors[name] for name in gone if name)
    if part == "search":
        properties.pop(keys.search, None)
        manifest.pop("search", None)
    if part == "board":
        properties[keys.features_version] = properties[keys.features_version].removesuffix(schema.model.with_board)
    if part == "book":
        properties.pop(keys.built_in_book, None)
        manifest.pop("built_in_book", None)
    if part == "network":
        for tensor in model.graph.initializer:
            if tensor.name in LAST_LAYERS:
                numbers = numpy_helper.to_array(tensor)
                tensor.CopyFrom(numpy_helper.from_array(np.zeros_like(numbers), tensor.name))
        # The scores of the 160 moves and 4 positions of the check are 0, too (docs/format/network.md).
        properties[keys.check] = manifest["check"] = blake3.blake3(bytes(4 * (160 + 4))).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--name", help="another name for the model")
    version = "the program's version now, if what has changed since is not what the model's network is given"
    parser.add_argument("--features-version", help=version)
    search = (
        "nodes for a position and moves that are searched thoroughly, such as `105000 12`, and by how many centipawns "
        "others may seem to be worse: `105000 12 40`"
    )
    parser.add_argument("--search", help=search)
    own = "an opening book of the model's own (plyzip-training book); with --built-in-book, what that one lacks"
    parser.add_argument("--book", help=own)
    built_in = "the opening book that is built into the program, which the model then names by its BLAKE3"
    parser.add_argument("--built-in-book", help=built_in)
    parser.add_argument("--repertoires", help="what players play (plyzip-training repertoires)")
    parser.add_argument("--nnue", help="the network of the search (nnue.py)")
    parser.add_argument("--search-features", help="the weights of the search features (search_features.py)")
    parser.add_argument("--reranker", help="the reranker of what the search found (search_features.py)")
    scales = "the scales that the mixer begins with (plyzip-training mixer-scales)"
    parser.add_argument("--mixer-scales", help=scales)
    parser.add_argument("--board", help="the board network (board/export.py)")
    weights_of_board = "the weights of its outputs (plyzip-training board-weights); without them it says nothing"
    parser.add_argument("--board-weights", help=weights_of_board)
    without = "leaves a part out, to measure what it is worth; `network`: all of its scores are 0"
    parts_to_leave_out = "network", "search", *BOOKS, "reranker", "mixer_scales", "board"
    parser.add_argument("--without", choices=parts_to_leave_out, help=without)
    options = parser.parse_args()

    model = onnx.load(options.model)
    with open(manifest_of(options.model)) as file:
        manifest = json.load(file)
    properties = {property.key: property.value for property in model.metadata_props}
    keys, tensors = schema.model.properties, vars(schema.model.tensors)
    if options.name:
        properties[keys.name] = manifest["name"] = options.name
    if options.features_version:
        properties[keys.features_version] = options.features_version
        manifest["features_version"] = int(options.features_version)
    if options.search:
        properties[keys.search] = manifest["search"] = options.search
    parts = {}
    for part in (*BOOKS, *NUMBERS):
        path = getattr(options, part)
        if path:
            name = tensors[part]
            parts[name] = np.fromfile(path, np.uint8) if part in BOOKS else short_numbers(np.fromfile(path, "<i2"))
            manifest[f"{name.removeprefix('plyzip.')}_bytes"] = len(parts[name])
    names = [tensor.name for tensor in model.graph.initializer]
    if options.board:
        parts[tensors["board"]] = board_file(options.board)
        manifest["board_bytes"] = len(parts[tensors["board"]])
        version = properties[keys.features_version].removesuffix(schema.model.with_board)
        properties[keys.features_version] = version + schema.model.with_board
        if tensors["board_weights"] not in [*names, *parts]:
            parts[tensors["board_weights"]] = short_numbers(no_board_weights())
    if options.book:
        properties.pop(keys.built_in_book, None)
        manifest.pop("built_in_book", None)
    dropped = set(parts)
    leave_out(options.without, model, properties, manifest, dropped)
    if options.built_in_book:
        with open(options.built_in_book, "rb") as file:
            properties[keys.built_in_book] = manifest["built_in_book"] = blake3.blake3(file.read()).hexdigest()
        if not options.book:
            dropped.add(tensors["book"])
            manifest.pop("book_bytes", None)
    weights = tensors["search_features"]
    if keys.search in properties and weights not in [*names, *parts]:
        # A model that searches has weights, if only to find out better ones.
        parts[weights] = np.zeros(schema.search_features.features, np.uint8)
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in dropped]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    model.graph.initializer.extend(numpy_helper.from_array(numbers, name) for name, numbers in parts.items())
    del model.metadata_props[:]
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    with open(options.out, "wb") as file:
        file.write(data)
    manifest |= {"file": os.path.basename(options.out), "bytes": len(data), "blake3": blake3.blake3(data).hexdigest()}
    with open(manifest_of(options.out), "w") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
