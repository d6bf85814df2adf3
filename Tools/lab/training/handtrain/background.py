"""The background of enrolment: `background [OUTPUT]`, by `gesture-bench background` from the committed clips of `handtrain.rehearsal`.

The clips of null give what hands do when nothing is meant, the others what the model's own gestures look like. A column that another class may also
be is of no class (255).
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np

from . import recordings, rehearsal

OUTPUT = pathlib.Path(__file__).resolve().parents[4] / "Weights" / "hands" / "hand-background.safetensors"


def main():
    parser = argparse.ArgumentParser(prog="background", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, nargs="?", default=OUTPUT)
    parser.add_argument("--bench", type=pathlib.Path, default=recordings.BENCH)
    parser.add_argument("--model", type=pathlib.Path, help="another model of landmarks with the same classes")
    args = parser.parse_args()
    clips = rehearsal.read()
    classes = np.where(clips["ignore"], 255, clips["label"].astype(np.int16)).astype(np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        columns, kinds = (pathlib.Path(folder) / name for name in ("columns.npy", "classes.npy"))
        np.save(columns, clips["codes"].reshape(-1, clips["codes"].shape[-1]))
        np.save(kinds, classes.reshape(-1, 1))
        model = ["--model", args.model] if args.model else []
        subprocess.run([args.bench, "background", "--columns", columns, "--classes", kinds, "--length", str(rehearsal.COLUMNS), "--output", args.output,
                        *model], check=True)
    print(f"{args.output}: {args.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
