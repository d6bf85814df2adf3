"""Teaches the pixel front end new gestures: `finetune VIDEOS --output MODEL --front-end pixels --rehearsal COLUMNS`.

Runs `gesturetrain.finetune` on the shipped weights and then `gesture-import`. COLUMNS is a folder of `gesturetrain.columns`, which requires a bank of
sprites; the landmark front end requires none.
"""

import argparse
import pathlib
import subprocess
import tempfile
import types

import torch

import needs

from . import columns, finetune

WEIGHTS = pathlib.Path(__file__).resolve().parents[4] / "Weights"


def main():
    parser = argparse.ArgumentParser(prog="finetune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", type=pathlib.Path, metavar="VIDEOS")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="MODEL")
    parser.add_argument("--rehearsal", type=pathlib.Path, required=True, metavar="COLUMNS", help="columns of clips of the old classes")
    parser.add_argument("--checkpoint", type=pathlib.Path, default=WEIGHTS / "checkpoint.safetensors")
    parser.add_argument("--model", type=pathlib.Path, default=WEIGHTS / "gesture-tcn-int8.safetensors", help="the int8 model made of it")
    parser.add_argument("--mirror", action="append", default=[], metavar="A=B")
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bench", type=pathlib.Path, default=columns.BENCH, help="gesture-bench, with gesture-import beside it")
    args = parser.parse_args()
    needs.check(needs.folders(args.videos, args.rehearsal, args.output.absolute().parent), needs.files(args.checkpoint, args.model),
                needs.built(args.bench, args.bench.parent / "gesture-import"))
    if args.output.is_dir():
        raise SystemExit(f"{args.output} is a folder: --output is the file to write")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        finetune.finetune(types.SimpleNamespace(
            checkpoint=args.checkpoint, model=args.model, clips=args.videos, out=out, rehearsal=args.rehearsal, mirror=args.mirror,
            steps=args.steps, batch=24, rate=1e-2, noise=0.02, keep=8.0, seed=args.seed, threads=args.threads, bench=args.bench))
        subprocess.run([args.bench.parent / "gesture-import", "import", out / "checkpoint.safetensors", "--precision", "int8", "--replace-head",
                        out / "labels.json", "--output", args.output], check=True)


if __name__ == "__main__":
    main()
