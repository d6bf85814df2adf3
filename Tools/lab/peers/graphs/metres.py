"""Makes the fixture of points in metres: `run metres hand_landmark_lite.tflite HANDS.npy -o FOLDER`.

HANDS.npy is what `run crops` wrote. Each crop is halved, so that the fixture stays small, and the network gets every pixel
four times. `metres.crops.npy` holds the halved crops, `metres.points.npy` what LiteRT makes of them: uint8 [N, 112, 112, 3]
and float32 [N, 63]. Hands of which the network is not sure are left out.
"""

import argparse
import pathlib

import numpy as np

from outputs import Graph


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("hands")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    hands = np.load(options.hands)
    count, side = hands.shape[:2]
    halves = np.rint(hands.reshape(count, side // 2, 2, side // 2, 2, 3).mean(axis=(2, 4))).astype(np.uint8)
    outputs = Graph(options.file).run(halves.repeat(2, axis=1).repeat(2, axis=2) / np.float32(255))
    sure = outputs["Identity_1"][:, 0] > 0.9
    folder = pathlib.Path(options.output)
    np.save(folder / "metres.crops.npy", halves[sure])
    np.save(folder / "metres.points.npy", outputs["Identity_3"][sure])
    print(f"{sure.sum()} of {count} hands")


if __name__ == "__main__":
    main()
