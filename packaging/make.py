#!/usr/bin/env python3
"""Makes what other systems' package managers want of a release, from Cargo.toml and the release's checksums.

    make.py FOLDER OUT

FOLDER has the bundles of ci/release.sh and SHA256SUMS. OUT gets a file for each of packaging/templates: a formula of
Homebrew, a manifest of Scoop, a PKGBUILD for Arch Linux; and the folder `image` with a Dockerfile and the programs
that it wants. The address is `repository` of Cargo.toml, and
nothing else: the bundles are expected where GitHub has the files of a release.
"""

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def package() -> dict:
    """What Cargo.toml says of the program."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=HERE.parent)
    packages = json.loads(found.stdout)["packages"]
    return next(package for package in packages if package["name"] == "plyzip")


def values(package: dict, sums: str) -> dict[str, str]:
    """What stands for each `@name@` of a template."""
    version, repository = package["version"], package["repository"]
    found = {
        "version": version,
        "description": package["description"],
        # Homebrew's has at most 80 letters, and neither an article nor a full stop.
        "short_description": package["description"].split(":")[0],
        "homepage": package["homepage"] or repository,
        "license": package["license"],
    }
    for line in sums.splitlines():
        digest, name = line.split(maxsplit=1)
        bundle = re.fullmatch(rf"plyzip-{re.escape(version)}-(.+?)\.(tar\.gz|zip)", name)
        if bundle:
            target = bundle[1]
            found[f"url:{target}"] = f"{repository}/releases/download/v{version}/{name}"
            found[f"sha256:{target}"] = digest
            found[f"folder:{target}"] = f"plyzip-{version}-{target}"
    return found


def image(folder: Path, version: str, out: Path) -> None:
    """Unpacks what an image holds, a folder for each processor."""
    for arch, cpu in {"amd64": "x86_64", "arm64": "aarch64"}.items():
        name = f"plyzip-{version}-{cpu}-unknown-linux-musl"
        (out / arch).mkdir(parents=True, exist_ok=True)
        with tarfile.open(folder / f"{name}.tar.gz") as bundle:
            for file in ["plyzip", "LICENSE", "THIRD-PARTY.txt"]:
                (out / arch / file).write_bytes(bundle.extractfile(f"{name}/{file}").read())
        (out / arch / "plyzip").chmod(0o755)


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    found = values(package(), (folder / "SHA256SUMS").read_text())
    image(folder, found["version"], out / "image")
    for template in sorted((HERE / "templates").iterdir()):
        text = template.read_text()
        missing = {name for name in re.findall(r"@([a-z0-9_:-]+)@", text) if name not in found}
        if missing:
            sys.exit(f"{template.name} needs {', '.join(sorted(missing))}")
        file = out / ("image" if template.name == "Dockerfile" else "") / template.name
        file.write_text(re.sub(r"@([a-z0-9_:-]+)@", lambda name: found[name[1]], text))
        print(file)


if __name__ == "__main__":
    main()
