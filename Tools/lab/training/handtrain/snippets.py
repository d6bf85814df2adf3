"""Short clips of real recordings and photographs, for training and testing: `python -m handtrain.snippets ASSETS OUT`. ASSETS as for
`gesturetrain.assets`.

- OUT/teach, OUT/test: folders for `finetune`, from handy-webcam-2people at 15 frames a second. horns and shaka are trained in one room and tested in
  the other, ok is trained on the first half of a run and tested on the second; so is null (fist, small pinch; in the test also pointing at the camera
  and at oneself). The test also has three of the shipped gestures.
- OUT/whole: each run's second part in one piece.
- OUT/enrol: horns, shaka and ok of both parts in pieces of seven frames, each also mirrored, between gray frames; OUT/photographs: two, four and ok
  of equally many people of signdigits-218, each photograph drifting for a second. Both with label files for `gesture-bench enrolment`.
- OUT/background, OUT/null: footage without gestures, for enrolment and for testing. OUT/bank: three of the shipped gestures.
- OUT/moves-teach, OUT/moves-test: landmarks (.npz) of kairess-landmarks, three gestures in motion, the first and the last half of each.
"""

import argparse
import json
import pathlib
import subprocess

import cv2
import numpy as np

RATE = 15  # of handy-webcam-2people: every second of a webcam's frames
RUNS = {"openPalm": 0, "horns": 1, "fist": 2, "thumbsUp": 3, "thumbsDown": 4, "ok": 5, "atCamera": 6, "atSelf": 7, "shaka": 8, "pinch": 9}
FIRST, SECOND = (0, 45), (52, 100)
DIGITS = {"two": 2, "four": 4, "ok": 9}
PEOPLE = 24


def frames(assets, name, first, end):
    folder = assets / "handy-webcam-2people" / "data" / str(RUNS[name])
    return [cv2.imread(str(folder / f"{2 * k}.jpg")) for k in range(first, end)]


def save(path, images, rate, parts=()):
    """A video of the images. parts: [(first, end, label, null)] become a label file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height, width = images[0].shape[:2]
    run = subprocess.Popen(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-",
                            "-c:v", "libx264", "-crf", "16", "-pix_fmt", "yuv420p", str(path)], stdin=subprocess.PIPE)
    for image in images:
        run.stdin.write(np.ascontiguousarray(image).tobytes())
    run.stdin.close()
    if run.wait():
        raise SystemExit(f"{path} could not be written")
    if parts:
        truth = {"rate_hz": rate, "frames": len(images), "labels": [[a, b, name] for a, b, name, _ in parts],
                 "events": [{"label": name, "onset_s": a / rate, "end_s": b / rate} for a, b, name, null in parts if not null]}
        path.with_suffix(".json").write_text(json.dumps(truth) + "\n")


def pieces(images, size):
    return [images[a:a + size] for a in range(0, len(images) - size + 1, size)]


def fine_tuning(assets, out):
    for name in RUNS:
        second = frames(assets, name, *SECOND)
        save(out / "whole" / f"{name}.mp4", second, RATE)
        folder = name if name in ("horns", "shaka", "ok", "openPalm", "thumbsUp", "thumbsDown") else "null"
        if name in ("horns", "shaka", "ok", "fist", "pinch"):
            for k, part in enumerate(pieces(frames(assets, name, *FIRST), 15)):
                save(out / "teach" / folder / f"{name}-{k}.mp4", part, RATE)
        for k, part in enumerate(pieces(second, 12)):
            save(out / "test" / folder / f"{name}-{k}.mp4", part, RATE)


def between(part, lead, trail):
    gray = np.full_like(part[0], 110)
    return [gray] * lead + list(part) + [gray] * trail, lead, lead + len(part)


def enrolled(assets, out):
    for name in ("horns", "shaka", "ok"):
        for half, (first, end) in enumerate((FIRST, SECOND)):
            for k, part in enumerate(pieces(frames(assets, name, first, end), 7)):
                for flip in (False, True):
                    images, a, b = between([np.ascontiguousarray(f[:, ::-1]) for f in part] if flip else part, 12, 6)
                    save(out / "enrol" / f"{name}-{half}{k}{'m' if flip else ''}.mp4", images, RATE,
                         [(0, a, "null", True), (a, b, name, False), (b, len(images), "null", True)])
    for name in ("fist", "pinch", "atCamera", "atSelf"):
        for folder, part in (("background", FIRST), ("null", SECOND)):
            images = frames(assets, name, *part)
            save(out / folder / f"{name}.mp4", images, RATE, [(0, len(images), "null", True)])
    for name in ("openPalm", "thumbsUp", "thumbsDown"):
        for k, part in enumerate(pieces(frames(assets, name, *FIRST), 22)):
            save(out / "bank" / f"{name}-{k}.mp4", part, RATE, [(0, len(part), name, False)])


def drifting(rng, photograph, count):
    """A photograph enlarged on its own background, moving a little like a hand that is held."""
    size = int(rng.uniform(220, 330))
    picture = cv2.resize(photograph, (size, size), interpolation=cv2.INTER_CUBIC)
    border = np.median(np.concatenate([picture[:8].reshape(-1, 3), picture[:, :8].reshape(-1, 3)]), axis=0)
    place, out = np.array([rng.uniform(200, 440), rng.uniform(190, 290)]), []
    way, turn, grow = rng.normal(0, 18, 2), rng.normal(0, 5), rng.normal(0, 0.06)
    for t in np.linspace(-0.5, 0.5, count):
        m = cv2.getRotationMatrix2D((size / 2, size / 2), turn * t, 1 + grow * t)
        m[:, 2] += place + way * t + rng.normal(0, 0.6, 2) - size / 2
        out.append(cv2.warpAffine(picture, m, (640, 480), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border.tolist()))
    return out


def photographs(assets, out):
    for name, digit in DIGITS.items():
        paths = sorted((assets / "signdigits-218" / "images" / str(digit)).iterdir())
        for k, n in enumerate(np.linspace(0, len(paths) - 1, PEOPLE).astype(int)):
            images, a, b = between(drifting(np.random.default_rng([digit, k]), cv2.imread(str(paths[n])), 30), 24, 12)
            save(out / "photographs" / f"{name}-{k:02d}.mp4", images, 30, [(0, a, "null", True), (a, b, name, False), (b, len(images), "null", True)])


def moves(assets, out):
    for name in ("come", "away", "spin"):
        rows = np.load(next((assets / "kairess-landmarks" / "dataset").glob(f"raw_{name}_*.npy")))
        points = rows[:, :84].reshape(-1, 21, 4)[..., :3].astype(np.float32)
        for folder, first, end in (("moves-teach", 0, 200), ("moves-test", len(points) // 2, len(points))):
            (out / folder / name).mkdir(parents=True, exist_ok=True)
            for k, a in enumerate(range(first, end - 29, 40)):
                # Thirty seconds of a webcam of 640x480, mirrored, of a right hand.
                np.savez(out / folder / name / f"{name}-{k}.npz", landmarks=points[a:a + 30], right=np.ones(30, np.float32), aspect=4 / 3, rate=len(points) / 30)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assets", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    for part in (fine_tuning, enrolled, photographs, moves):
        part(args.assets, args.out)
    for folder in sorted(p for p in args.out.iterdir() if p.is_dir()):
        print(f"{folder.name}: {sum(p.suffix in ('.mp4', '.npz') for p in folder.rglob('*'))} clips")


if __name__ == "__main__":
    main()
