"""Compares our outputs of graphs with LiteRT's: `run compare FILE.tflite... [--input X.npy] [--graph MODEL.safetensors]`.

Prints, an output a line, the largest difference as a share of the output's range over all rows, and exits with 1 where it
exceeds --limit. Without --input the rows are noise, smooth noise and a gradient.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from outputs import Graph

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]


def synthetic(shape, seed=1):
    """Rows in 0...1: noise, noise at an eighth of the resolution, and a gradient."""
    generator = np.random.default_rng(seed)
    height, width, channels = shape
    noise = generator.random((2, *shape))
    blocks = generator.random((2, -(-height // 8), -(-width // 8), channels))
    smooth = blocks.repeat(8, axis=1).repeat(8, axis=2)[:, :height, :width]
    gradient = np.broadcast_to(np.linspace(0, 1, width)[None, None, :, None], (1, *shape))
    return np.concatenate([noise, smooth, gradient]).astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="TFLite files")
    parser.add_argument("--input", help="float32 rows [N, height, width, channels]")
    parser.add_argument("--graph", help="what we run instead of the TFLite file itself (one file only)")
    parser.add_argument("--limit", type=float, default=1e-3)
    parser.add_argument("--command", nargs="+", default=[str(REPOSITORY / ".build/release/gesture-import"), "run"],
                        help="our program; gets GRAPH --input ROWS.npy --output OUTPUTS.npz; 'gesture-bench graph' is another")
    options = parser.parse_args()
    worst = 0
    print("| file | output | range | largest difference | share of the range |\n|---|---|---|---|---|")
    for file in map(pathlib.Path, options.files):
        graph = Graph(file)
        rows = np.load(options.input) if options.input else synthetic(graph.shape)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/rows.npy", rows)
            subprocess.run([*options.command, options.graph or file, "--input", f"{folder}/rows.npy",
                            "--output", f"{folder}/outputs.npz"], check=True)
            outputs = np.load(f"{folder}/outputs.npz")
            for name, expected in graph.run(rows).items():
                found = outputs[name]
                if found.shape != expected.shape:
                    sys.exit(f"{file.name}: {name} is {found.shape} instead of {expected.shape}")
                extent = float(expected.max() - expected.min())
                difference = float(np.abs(found - expected).max())
                share = difference / extent
                worst = max(worst, share)
                print(f"| {file.name} | {name} | {expected.min():.4g}...{expected.max():.4g} "
                      f"| {difference:.2e} | {share:.2e} |", flush=True)
    sys.exit(worst > options.limit)


if __name__ == "__main__":
    main()
