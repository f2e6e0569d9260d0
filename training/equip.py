"""Gives a model what goes with its network, or other such parts instead of those that it has.

    python3 training/equip.py network.onnx models/standard.onnx --book book
    python3 training/equip.py network.onnx models/max.onnx --book book --repertoires repertoires \\
        --search "105000 12" --values values --verdicts verdicts --second-look second_look

The parts are tensors of bytes that no node uses; the program takes them out before it looks at the graph (`src/predict/model.rs`). What is not
named stays as it is. The manifest beside the output is that of the input with what has changed.
"""

import argparse
import json
import os

import blake3
import numpy as np
import onnx
from onnx import helper, numpy_helper

# Parts that are books, as they are, and parts that are numbers (i16 in their files).
BOOKS = {"book": "plyzip.book", "repertoires": "plyzip.repertoires"}
NUMBERS = {"values": "plyzip.values", "verdicts": "plyzip.verdicts", "second_look": "plyzip.second_look"}
VERDICT_FEATURES = 656


def short_numbers(numbers):
    """Numbers as bytes: one for those from -127 to 127, for others 0x80 and two, little-endian."""
    words = numbers.astype("<i2").tobytes()
    number = lambda place: bytes([words[2 * place]]) if -127 <= numbers[place] <= 127 else b"\x80" + words[2 * place : 2 * place + 2]
    return np.frombuffer(b"".join(map(number, range(len(numbers)))), np.uint8)


def manifest_of(path):
    return os.path.splitext(path)[0] + ".json"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--name", help="another name for the model")
    parser.add_argument("--features-version", help="the program's version now, if what has changed since the model was made is not what its network is given")
    parser.add_argument("--search", help="nodes for a position and moves that are looked at thoroughly, such as `105000 12`, and how good others must seem to be: `105000 12 40`")
    parser.add_argument("--book", help="an opening book (examples/opening_book.rs)")
    parser.add_argument("--repertoires", help="what players play (examples/repertoires.rs)")
    parser.add_argument("--values", help="the network of the search (values.py)")
    parser.add_argument("--verdicts", help="the weights of the search's verdicts (verdicts.py)")
    parser.add_argument("--second-look", help="the network that looks at what was found (verdicts.py)")
    options = parser.parse_args()

    model = onnx.load(options.model)
    with open(manifest_of(options.model)) as file:
        manifest = json.load(file)
    properties = {property.key: property.value for property in model.metadata_props}
    if options.name:
        properties["plyzip.name"] = manifest["name"] = options.name
    if options.features_version:
        properties["plyzip.features"] = options.features_version
        manifest["features_version"] = int(options.features_version)
    if options.search:
        properties["plyzip.search"] = manifest["search"] = options.search
    parts = {}
    for option, name in (BOOKS | NUMBERS).items():
        path = getattr(options, option)
        if path:
            parts[name] = np.fromfile(path, np.uint8) if option in BOOKS else short_numbers(np.fromfile(path, "<i2"))
            manifest[f"{option}_bytes"] = len(parts[name])
    names = [tensor.name for tensor in model.graph.initializer]
    if "plyzip.search" in properties and NUMBERS["verdicts"] not in [*names, *parts]:
        # A model that searches has weights, if only to find out better ones.
        parts[NUMBERS["verdicts"]] = np.zeros(VERDICT_FEATURES, np.uint8)
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in parts]
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
