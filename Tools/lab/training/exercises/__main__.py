"""Writes clips of a rigged body that exercises, or checks what a tracker says of them.

`exercise --body MESHDIR --output DIR [--only squat]` writes DIR/NAME.mp4, DIR/truth.json with the times of the repetitions,
DIR/joints.npz with the joints of every frame (shares of width and height) and DIR/standing.png.
`exercise --check GESTURE_BENCH DIR` prints two tables: where a tracker's joints are, and repetitions counted against true ones.
"""

import argparse
import dataclasses
import json
import pathlib
import sys
import tempfile

import cv2
import numpy as np

import needs

from . import check
from .clips import CLIPS, RATE, Film, write
from .motions import ACTIVITIES


def chosen(only):
    """The clips whose name or activity begins with one of these words; all without."""
    return [clip for clip in CLIPS if not only or any(name.startswith(word) for word in only for name in (clip.name, clip.activity))]


def standing(body):
    """A picture of a standing person, whole in view, of few enough colours to be small: uint8 [360,480,3] red, green, blue."""
    clip = next(clip for clip in CLIPS if clip.name == "null-front")
    film = Film(dataclasses.replace(clip, size=(480, 360), share=0.85), body)
    film.grain[:] = 0
    return film.frame(15)[0] // 8 * 8 + 4


def make(body, output, only):
    """Writes the clips with their truth."""
    output.mkdir(parents=True, exist_ok=True)
    truth, joints = [], {}
    for clip in chosen(only):
        film = Film(clip, body)
        joints[clip.name] = write(film, output / f"{clip.name}.mp4")
        truth.append(film.truth())
        print(f"{clip.name}: {film.frames} frames, {len(truth[-1]['repetitions'])} repetitions")
    (output / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    np.savez_compressed(output / "joints.npz", **joints)
    cv2.imwrite(str(output / "standing.png"), standing(body)[..., ::-1], (cv2.IMWRITE_PNG_COMPRESSION, 9))


def shrink(body, output):
    """Writes the fixtures of the tests: ten seconds each, small."""
    output.mkdir(parents=True, exist_ok=True)
    truth = []
    for name in ("squat-front", "jacks-front"):
        clip = next(clip for clip in CLIPS if clip.name == name)
        film = Film(dataclasses.replace(clip, size=(320, 240), seconds=10, tempo=min(clip.tempo, 1.6)), body)
        write(film, output / f"{name}.mp4", crf=30)
        truth.append(film.truth())
    (output / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


def report(command, folder, only, options):
    """Prints the tables. options: more ones for the tracker."""
    truth = [clip for clip in json.loads((folder / "truth.json").read_text())
             if not only or any(name.startswith(word) for word in only for name in (clip["activity"], clip["clip"]))]
    places = np.load(folder / "joints.npz") if (folder / "joints.npz").exists() else {}
    print("| clip | frames with a person | least presence | points visible | median | p95, torso lengths |\n|---|---|---|---|---|---|")
    for clip in truth:
        name = pathlib.Path(clip["clip"]).stem
        if name in places:
            found = check.joints(check.run(command, folder / clip["clip"]), places[name], (clip["width"], clip["height"]))
            print(f"| {name} | {found['found']:.1%} | {found['presence']:.2f} | {found['visible']:.1%} | {found['median']:.3f} | {found['p95']:.3f} |",
                  flush=True)
    rates = [RATE, RATE // 2, RATE // 3]
    print("\n| clip | activity asked for | true |" + "".join(f" {rate} fps |" for rate in rates) + "\n|---|---|---|" + "---|" * len(rates))
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for clip in truth:
            asked = ACTIVITIES[:-1] if clip["activity"] == "null" else (clip["activity"],)
            paths = [folder / clip["clip"]]
            for keep in (2, 3):
                paths.append(pathlib.Path(work) / f"{RATE // keep}-{clip['clip']}")
                check.thinned(paths[0], paths[-1], keep)
            for activity in asked:
                counts = [check.counted(check.run(command, path, "--activity", activity, *options)) for path in paths]
                wrong += sum(count != len(clip["repetitions"]) for count in counts)
                print(f"| {pathlib.Path(clip['clip']).stem} | {activity} | {len(clip['repetitions'])} |" + "".join(f" {n} |" for n in counts), flush=True)
    print(f"\n{wrong} counts differ from the truth.")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="exercise", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", type=pathlib.Path, help="folder of the MakeHuman base mesh: base.obj, default.mhskel, default_weights.mhw")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="clips whose name or activity begins so; may be repeated")
    parser.add_argument("--fixtures", action="store_true", help="write the small clips of the package's tests instead")
    parser.add_argument("--check", nargs=2, type=pathlib.Path, metavar=("GESTURE_BENCH", "DIR"))
    parser.add_argument("--option", action="append", default=[], help="one more option for gesture-bench when counting, such as --option=--hide=3")
    args = parser.parse_args(arguments)
    if bool(args.check) == bool(args.body and args.output):
        parser.error("give either --body and --output, or --check")
    if not args.check and not chosen(args.only):
        parser.error(f"no clip begins with {', '.join(args.only)}; the clips are {', '.join(clip.name for clip in CLIPS)}")
    if args.check:
        needs.check(needs.built(args.check[0]), needs.files(args.check[1] / "truth.json"), needs.programs("ffmpeg"))
    else:
        needs.check(needs.files(*(args.body / name for name in ("base.obj", "default.mhskel", "default_weights.mhw"))), needs.programs("ffmpeg"))
    try:
        if args.check:
            report(*args.check, args.only, args.option)
        elif args.fixtures:
            shrink(args.body, args.output)
        else:
            make(args.body, args.output, args.only)
    except (OSError, RuntimeError) as error:
        sys.exit(f"exercise: {error}")


if __name__ == "__main__":
    main()
