"""Clips of the gestures that the shipped head knows, small enough to be committed, for rehearsal during fine-tuning.

`python -m handtrain.rehearsal BANK.npz [OUTPUT]` writes them, made as in `handtrain.clips` from the skeletons in BANK (`handtrain.skeletons`; those
that are not held out), with separate seeds. The file is an .npz inside .xz: `codes` uint8 [N,48,USED] as differences from column to column (modulo
256), `label` int8 [N,48] as in `handtrain.clips`, `ignore` bool [N,48]: another class is also correct, `wanted` int8 [N], `probe` uint8 [P,48,USED]
and `about`, JSON about its origin. EACH clips contain each gesture where a window can decide it; NULLS clips contain none.

`probe` are a few clips made from the skeletons in the tests' fixture instead of BANK's: with them a test can check that the file was made by the
current scripts.
"""

import argparse
import hashlib
import io
import json
import lzma
import os
import pathlib

import numpy as np

from common.labels import LABELS, NULL, WINDOW

from . import clips, fixture, script
from .export import SOURCES
from .features import CODES, USED

PATH = pathlib.Path(__file__).resolve().parents[1] / "rehearsal.npz.xz"
COLUMNS = 48
EACH, NULLS = 23, 184
SEED = 7_000_000_000  # of the first clip; `handtrain.clips` does not use it for a --seed below 700
RECORDINGS = {"repository": "Jxshyz/Gesture_Recognition", "licence": "Apache-2.0", "attribution": "recorded landmarks of closings and pinches"}


def cut(rng, codes, label, ignore, wanted):
    """The first of COLUMNS columns of a clip that show `wanted` in a decided row, or nothing but null; None if there are none."""
    last = len(label) - COLUMNS
    if wanted == NULL:
        first = int(rng.integers(0, last + 1))
        part = slice(first, first + COLUMNS)
        return first if (codes[part, 0] > 0).mean() > 0.6 and (label[part] == NULL).all() else None
    rows = np.flatnonzero((label == wanted) & ~ignore)
    rows = rows[rows >= WINDOW]
    if len(rows) < 3:
        return None
    first = int(rows[len(rows) // 2]) - int(rng.integers(20, COLUMNS - 6))
    return min(max(first, 0), last)


def some(shapes, wanted, count, seed):
    """-> [(codes, label, ignore)] of `count` clips; seeds that do not show the wanted class are skipped."""
    out = []
    while len(out) < count:
        codes, label, also = clips.make(seed, shapes, clips.SECONDS, LABELS[wanted], 0.5)
        ignore = also != 1 << label.astype(np.int16)
        first = cut(np.random.default_rng([seed, 3]), codes, label, ignore, wanted)
        if first is not None:
            part = slice(first, first + COLUMNS)
            out.append((codes[part, :USED], label[part], ignore[part]))
        seed += 1
    return out


def probe():
    """uint8 [P,COLUMNS,USED]: clips of the fixture's skeletons."""
    shapes = script.Shapes(fixture.bank(), False)
    return np.stack([some(shapes, LABELS.index(name), 1, SEED)[0][0] for name in ("swipeLeft", "grab", "zoomIn", "thumbsUp", "null")])


def make(bank):
    """-> dict of arrays as in the file, without the differences."""
    shapes = script.Shapes(bank, False)
    wanted = [c for c in range(len(LABELS)) for _ in range(NULLS if c == NULL else EACH)]
    rows = [row for c in range(len(LABELS)) for row in some(shapes, c, NULLS if c == NULL else EACH, SEED + 100_000 * c)]
    codes, label, ignore = (np.stack(x) for x in zip(*rows))
    digest = hashlib.sha256()
    for name in sorted(bank):
        digest.update(np.ascontiguousarray(bank[name]).tobytes())
    about = {"made_by": "python -m handtrain.rehearsal", "seed": SEED, "each": EACH, "nulls": NULLS, "columns": COLUMNS,
             "bank_sha256": digest.hexdigest(), "sources": [*SOURCES, RECORDINGS], "numpy": np.__version__}
    return {"codes": codes, "label": label.astype(np.int8), "ignore": ignore, "wanted": np.array(wanted, np.int8), "probe": probe(),
            "about": np.array(json.dumps(about))}


def write(path, arrays):
    arrays = dict(arrays)
    for name in ("codes", "probe"):
        arrays[name] = np.diff(arrays[name], axis=1, prepend=np.uint8(0))
    plain = io.BytesIO()
    np.savez(plain, **arrays)
    part = path.with_suffix(".part")
    part.write_bytes(lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    os.replace(part, path)


def read(path=PATH):
    """-> dict of arrays as in the file, `codes` and `probe` as whole columns [...,128], `about` an object."""
    arrays = dict(np.load(io.BytesIO(lzma.decompress(pathlib.Path(path).read_bytes()))))
    for name in ("codes", "probe"):
        whole = np.cumsum(arrays[name], axis=1, dtype=np.uint8)
        arrays[name] = np.concatenate([whole, np.zeros((*whole.shape[:2], CODES - USED), np.uint8)], 2)
    return arrays | {"about": json.loads(str(arrays["about"]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, nargs="?", default=PATH)
    args = parser.parse_args()
    arrays = make(dict(np.load(args.bank)))
    write(args.output, arrays)
    shown = np.bincount(arrays["label"][~arrays["ignore"]], minlength=len(LABELS))
    print(f"{len(arrays['codes'])} clips of {COLUMNS} columns, {args.output.stat().st_size:,} bytes; decided columns: "
          + ", ".join(f"{n} {c}" for n, c in zip(LABELS, shown)))


if __name__ == "__main__":
    main()
