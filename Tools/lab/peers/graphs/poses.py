"""Makes the fixture of the networks of poses:

    run poses EMBEDDER.tflite CLASSIFIER.tflite HANDS.jsonl --size WIDTH HEIGHT --frames OPEN CLOSED -o FOLDER

HANDS.jsonl is what `gesture-bench hands --json` prints of a clip in which an open hand closes. Of the hands of two frames, an open one
and a closed one, others are made, with the fingers of one and of the other, upright, tilted and upside down; noise is added. FOLDER gets
`poses.points.npy` [N, 21, 3] in pixels, `poses.embedding.npy` [N, 128] and `poses.scores.npy` [N, 8], what LiteRT makes of them.
"""

import argparse
import itertools
import json
import pathlib

import numpy as np

from outputs import Graph

# The points of each finger, the thumb's first.
FINGERS = [range(1 + 4 * finger, 5 + 4 * finger) for finger in range(5)]
TURNS = (0.0, 0.35, np.pi)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("embedder")
    parser.add_argument("classifier")
    parser.add_argument("hands")
    parser.add_argument("--size", type=int, nargs=2, required=True, metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--frames", type=int, nargs=2, required=True, metavar=("OPEN", "CLOSED"))
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    lines = [json.loads(line) for line in pathlib.Path(options.hands).read_text().splitlines()]
    width, height = options.size
    scale = np.array([width, height, width], np.float64)
    opened, closed = (np.array(lines[frame]["hands"][0]["landmarks"]) * scale for frame in options.frames)
    rows = []
    for turn in TURNS:
        for stretched in itertools.product((False, True), repeat=5):
            hand = closed.copy()
            for finger, is_open in zip(FINGERS, stretched):
                if is_open:
                    hand[finger] = opened[finger]
            across, along = np.cos(turn), np.sin(turn)
            hand[:, :2] = (hand[:, :2] - hand[0, :2]) @ np.array([[across, along], [-along, across]]) + hand[0, :2]
            rows.append(hand)
    rows += list(np.random.default_rng(1).uniform(0, 100, (4, 21, 3)))
    points = np.array(rows, np.float32)
    (embedding,) = Graph(options.embedder).run(points).values()
    (scores,) = Graph(options.classifier).run(embedding).values()
    for name, values in (("points", points), ("embedding", embedding), ("scores", scores)):
        np.save(options.output / f"poses.{name}.npy", values)
    print("rows by their highest score:", np.bincount(scores.argmax(1), minlength=scores.shape[1]))


if __name__ == "__main__":
    main()
