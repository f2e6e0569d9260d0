#!/usr/bin/env python3
"""Bundles a folder to a .tar.gz or a .zip whose bytes depend on names and contents alone.

    bundle.py FOLDER OUT

All members have the time $SOURCE_DATE_EPOCH (seconds since 1970), the owner 0, sorted names, and the mode 755 if they
are programs or folders, 644 otherwise.
"""

import gzip
import io
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path

PROGRAMS = ("plyzip", "plyzip.exe")


def mode(path: Path) -> int:
    return 0o755 if path.is_dir() or path.name in PROGRAMS else 0o644


def tar(folder: Path, members: list[Path], seconds: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in members:
            member = tarfile.TarInfo(path.relative_to(folder.parent).as_posix())
            member.mtime, member.mode = seconds, mode(path)
            if path.is_dir():
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            else:
                content = path.read_bytes()
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 9, mtime=0)


def zipped(folder: Path, members: list[Path], seconds: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in members:
            if path.is_dir():
                continue
            name = path.relative_to(folder.parent).as_posix()
            member = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            # As Unix writes it, whatever system this is.
            member.create_system = 3
            member.external_attr = (0o100000 | mode(path)) << 16
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    members = [folder, *sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())]
    packed = zipped if out.suffix == ".zip" else tar
    out.write_bytes(packed(folder, members, seconds))


if __name__ == "__main__":
    main()
