"""Times MediaPipe's hand or body graph on tracked frames: `run track CLIP [--bodies]`.

The clip's frames, fitted into 1280x720 and played forth and back as `gesture-bench latency` does, are RGB already. A line
with a number on standard input gives a line with a JSON list of so many microseconds, of frames in which there is a hand or
a person as in the frame before, so that none was looked for.
"""

import json
import sys
import time

import cv2
import numpy as np

import mediapipe_graphs
from clips import forth_and_back, frames

WIDTH, HEIGHT, MOST = 1280, 720, 120


def fitted(picture):
    """RGB [720, 1280, 3], black beside the picture."""
    height, width = picture.shape[:2]
    scale = min(WIDTH / width, HEIGHT / height)
    inner = cv2.resize(picture, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_LINEAR)
    whole = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    top, left = (HEIGHT - inner.shape[0]) // 2, (WIDTH - inner.shape[1]) // 2
    whole[top:top + inner.shape[0], left:left + inner.shape[1]] = inner[:, :, ::-1]
    return whole


def main():
    """Serves times until standard input ends."""
    pictures = []
    for picture in frames(sys.argv[1]):
        pictures.append(fitted(picture))
        if len(pictures) == MOST:
            break
    loop = forth_and_back(pictures)
    index, was_there = 0, False
    bodies = "--bodies" in sys.argv[2:]
    graph = mediapipe_graphs.pose() if bodies else mediapipe_graphs.hands()
    with graph:

        def step():
            nonlocal index, was_there
            begin = time.perf_counter_ns()
            result = graph.process(loop[index % len(loop)])
            elapsed = (time.perf_counter_ns() - begin) / 1000
            index += 1
            before, was_there = was_there, (result.pose_landmarks if bodies else result.multi_hand_landmarks) is not None
            return elapsed if before and was_there else None

        for _ in range(20):
            step()
        for line in sys.stdin:
            samples, tries, count = [], 0, int(line)
            while len(samples) < count:
                tries += 1
                if tries > 10 * count:
                    sys.exit("the clip shows too little")
                elapsed = step()
                if elapsed is not None:
                    samples.append(elapsed)
            print(json.dumps(samples), flush=True)


if __name__ == "__main__":
    main()
