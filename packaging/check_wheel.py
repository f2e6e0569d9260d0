#!/usr/bin/env python3
"""Checks that a wheel's metadata are whole.

check_wheel.py WHEEL
"""

import sys
import zipfile
from email.parser import BytesParser

WANTED = [
    "Name",
    "Version",
    "Summary",
    "Keywords",
    "License-Expression",
    "License-File",
    "Requires-Python",
    "Classifier",
    "Project-URL",
    "Description-Content-Type",
]


def main() -> None:
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        names = wheel.namelist()
        [name] = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = BytesParser().parsebytes(wheel.read(name))
    missing = [field for field in WANTED if not metadata[field]]
    if missing:
        sys.exit(f"the metadata have no {', '.join(missing)}")
    readme = metadata.get_payload()
    first = next((line for line in readme.splitlines() if line.strip()), "")
    if not first.startswith("`pip install plyzip`"):
        sys.exit(f"the README begins with {first!r}")
    for file in ["plyzip/py.typed", "plyzip/_plyzip.pyi"]:
        if file not in names:
            sys.exit(f"the wheel has no {file}")
    if not any(name.endswith("/LICENSE") for name in names):
        sys.exit("the wheel has no LICENSE")
    print(f"{metadata['Name']} {metadata['Version']}, {metadata['License-Expression']}: the metadata are whole")


if __name__ == "__main__":
    main()
