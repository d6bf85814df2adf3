"""What a run of a recipe left: hashes, and the record of every stage, in WORK/manifest.json.

    {"format": 1, "recipe": "hands", "stages": {"clips-1": {
        "command": "handtrain.clips", "arguments": ["{bank/bank}", "{clips}", "--seed", "1"], "parameters": {"seed": 1},
        "inputs": {"bank/bank": SHA-256}, "outputs": {"clips": SHA-256}, "code": {"commit": HEX, "changed": false},
        "started": TIME, "seconds": 81.2, "versions": {"python": "3.11.4", "numpy": "2.4.6"}}}}

In the arguments are names in place of paths. The hash of a folder is that of its files' names and hashes. In `recipes/archive`, where rounds were not
run by recipes, a hash that was not written down is "unknown", and other such fields are missing.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from .plan import Refused

FORMAT = 1
UNKNOWN = "unknown"
PACKAGES = ("torch", "numpy", "opencv-python-headless", "safetensors", "mediapipe")
FIELDS = {"command", "arguments", "parameters", "inputs", "outputs"}
MAY = {"code", "started", "seconds", "versions", "tools", "note"}
SHA256 = re.compile(r"[0-9a-f]{64}")
ROOT = pathlib.Path(__file__).resolve().parents[4]


class Hashes:
    """SHA-256 of files and folders; a file whose size, time and inode are those of before is not read again."""

    def __init__(self, store):
        self.store, self.known = store, {}
        if store.exists():
            try:
                self.known = json.loads(store.read_text())
            except ValueError:
                pass

    def file(self, path):
        stat, key = path.stat(), str(path.resolve())
        mark = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
        if self.known.get(key, [None])[0] != mark:
            with open(path, "rb") as file:
                self.known[key] = [mark, hashlib.file_digest(file, "sha256").hexdigest()]
        return self.known[key][1]

    def of(self, path):
        """A file's or a folder's; None where there is nothing."""
        if path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.is_file())
            listing = "".join(f"{self.file(p)}  {p.relative_to(path).as_posix()}\n" for p in files)
            return hashlib.sha256(listing.encode()).hexdigest()
        return self.file(path) if path.exists() else None

    def save(self):
        write(self.store, self.known)


def write(path, value):
    part = path.with_name(path.name + ".tmp")
    part.write_text(json.dumps(value, indent=1) + "\n")
    os.replace(part, path)


def code():
    """The checkout's commit, and whether Tools/lab/training differs from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)

    head = git("rev-parse", "HEAD")
    if head.returncode:
        return {"commit": UNKNOWN, "changed": UNKNOWN}
    return {"commit": head.stdout.strip(), "changed": bool(git("status", "--porcelain", "--", "Tools/lab/training").stdout.strip())}


def versions(python=sys.executable):
    """Those of an interpreter and of the packages that stages use."""
    asked = ("import json, platform\nfrom importlib import metadata\nout = {'python': platform.python_version()}\n"
             f"for name in {PACKAGES!r}:\n    try:\n        out[name] = metadata.version(name)\n    except metadata.PackageNotFoundError:\n        pass\n"
             "print(json.dumps(out))")
    try:
        said = subprocess.run([python, "-c", asked], capture_output=True, text=True)
    except OSError as error:
        raise Refused(f"{python} cannot be run: {error.strerror}") from None
    if said.returncode:
        raise Refused(f"{python} does not run as Python: {said.stderr.strip().splitlines()[-1:] or said.returncode}")
    return json.loads(said.stdout)


def check(manifest, where):
    """Refuses what is no manifest."""
    def wrong(what):
        raise Refused(f"{where} is not a manifest of this format: {what}")

    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not isinstance(manifest.get("stages"), dict):
        wrong(f'it needs "format": {FORMAT}, "recipe" and "stages"')
    for name, stage in manifest["stages"].items():
        if not isinstance(stage, dict) or set(stage) - MAY != FIELDS:
            wrong(f"stage {name} has not the fields {', '.join(sorted(FIELDS))}")
        for part in ("inputs", "outputs"):
            for key, value in stage[part].items():
                if value != UNKNOWN and not SHA256.fullmatch(str(value)):
                    wrong(f"stage {name}: the hash of {key} is {value}")
    return manifest


def read(path):
    """-> the manifest of a work folder; an empty one where there is none."""
    if not path.exists():
        return {"format": FORMAT, "recipe": None, "stages": {}}
    try:
        return check(json.loads(path.read_text()), path)
    except ValueError as error:
        raise Refused(f"{path} is not a manifest of this format: {error}") from None
