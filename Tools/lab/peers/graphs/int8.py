"""How far an int8 graph of a hand network moves its answers: `run int8 FILE.tflite MODEL.safetensors ROWS.npy`.

The rows are uint8 pictures as `run crops` writes them, better others than those that calibrated. The float answers are
LiteRT's. For landmarks, the distance of points is reported in shares of the hand's size, the longer side of the box around its
float points, of hands that the float network holds for present; for palms, pictures in which the surest score exceeds 0.5.
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np

from compare import REPOSITORY
from outputs import Graph


def landmarks(expected, found):
    present = expected["Identity_1"][:, 0] > 0.5
    points = [value["Identity"].reshape(-1, 21, 3)[present, :, :2] for value in (expected, found)]
    size = np.ptp(points[0], axis=1).max(axis=1)
    share = np.linalg.norm(points[0] - points[1], axis=-1) / size[:, None]
    agree = (found["Identity_1"][:, 0] > 0.5) == present
    print(f"{present.sum()} hands: landmarks move by {np.median(share):.2%} of the hand's size at the median, "
          f"{np.percentile(share, 95):.2%} at the 95th percentile")
    print(f"presence differs by {np.abs(found['Identity_1'] - expected['Identity_1']).max():.3f} at most, "
          f"present or not agrees in {agree.mean():.1%}")


def palms(expected, found):
    scores = [value["Identity_1"][..., 0] for value in (expected, found)]
    is_found = [value.max(axis=1) > 0 for value in scores]
    anchors = scores[0] > 0
    distance = np.abs(found["Identity"] - expected["Identity"])[anchors]
    print(f"{len(scores[0])} pictures: palm found or not agrees in {(is_found[0] == is_found[1]).mean():.1%}, "
          f"found in {is_found[0].mean():.1%}")
    if anchors.any():
        print(f"of the {anchors.sum()} anchors that see a palm, centres move by "
              f"{np.median(distance[:, :2]):.2f} pixels at the median, "
              f"{np.percentile(distance[:, :2], 95):.2f} at the 95th percentile")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("graph")
    parser.add_argument("rows")
    parser.add_argument("--limit", type=int, help="no more rows than this, spread evenly")
    parser.add_argument("--command", nargs="+", default=[str(REPOSITORY / ".build/release/gesture-import"), "run"])
    options = parser.parse_args()
    rows = np.load(options.rows).astype(np.float32) / 255
    if options.limit:
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, options.limit).astype(int))]
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/rows.npy", rows)
        subprocess.run([*options.command, options.graph, "--input", f"{folder}/rows.npy",
                        "--output", f"{folder}/outputs.npz"], check=True)
        found = dict(np.load(f"{folder}/outputs.npz"))
    expected = Graph(pathlib.Path(options.file)).run(rows)
    (landmarks if "Identity_3" in expected else palms)(expected, found)


if __name__ == "__main__":
    main()
