"""Decodes an archive of plyzip: `python3 reference/decode.py A.plz -o A.pgn`, or its tags with `--tags`."""

import argparse
import json
import sys
from pathlib import Path

from plyzip_reference import archive
from plyzip_reference.errors import ArchiveError


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="where the original goes; standard output if not given")
    parser.add_argument("--tags", action="store_true", help="print the tags of each game as a line of JSON")
    parser.add_argument("--any-effort", action="store_true", help="decode with large searches too, which takes hours")
    options = parser.parse_args()
    data = options.archive.read_bytes()
    try:
        if options.tags:
            for tags in archive.tags(data):
                pairs = [[name.decode("latin-1"), value.decode("utf-8", "replace")] for name, value in tags]
                print(json.dumps(pairs, ensure_ascii=False))
            return
        original = archive.decode(data, options.any_effort)
    except ArchiveError as error:
        sys.exit(f"{options.archive}: {error}")
    if options.output:
        options.output.write_bytes(original)
    else:
        sys.stdout.buffer.write(original)


if __name__ == "__main__":
    main()
