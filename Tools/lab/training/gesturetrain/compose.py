"""Composes clips: a hand from the sprite bank moving on its timeline, over a scene, through a camera. Deterministic from a seed.

`python -m gesturetrain.compose BANK --split test --count N --out DIR` writes videos and label JSON.
"""

import argparse
import json
import pathlib
import subprocess

import cv2
import numpy as np

from common.labels import LABELS, NULL, WINDOW

from . import hand
from .mattes import HAND_LENGTH
from .scene import Person, cluttered, dressed_person, drawn_person, noise_texture, paste, room, texture
from .script import DISTRACTORS, TICK, Manner, can_do, write_script
from .visible import settle

SPLITS = {"train": 0, "test": 1}
# Source rates (low, high, share) for each grid; a camera slower than its grid repeats frames.
SOURCES = {
    30: ((30, 30, 0.5), (22, 29.9, 0.15), (14, 20, 0.13), (10, 12, 0.22)),
    60: ((60, 60, 0.5), (45, 59.9, 0.2), (30, 30, 0.2), (10, 25, 0.1)),
    120: ((120, 120, 0.55), (90, 118, 0.25), (60, 60, 0.1), (30, 30, 0.07), (10, 20, 0.03)),
}
# The same for cameras that are only as fast as needed: as many clips from two thirds of the frames.
SLOW = {
    30: ((30, 30, 0.3), (22, 29.9, 0.2), (14, 20, 0.3), (10, 12, 0.2)),
    60: ((30, 30, 0.5), (20, 29.9, 0.4), (10, 20, 0.1)),
    120: ((60, 60, 0.2), (30, 59, 0.7), (10, 30, 0.1)),
}
# The weight of each source of suitable hands; photographs of many people have 1.
WEIGHTS = {"mesh-webxr-generic-hand": 0.7, "mesh-makehuman": 0.7, "emrecandir-static-poses": 0.5}
AUX = ("present", "x", "y", "size", "roll_sin", "roll_cos", "open", "pose")
RANDOMISED = Manner(busy=0.2, slow=0.5, steady=0.5)
MARGIN = 1.3  # ratio of a background's size to the frame's
# Stops of light at the beginning and at the end of a clip, in addition to its own lighting. A pixel value is light to the power of 1/2.2, so the ramp
# multiplies pixel values by 0.39 to 1.6.
EXPOSURES = {"steady": (0.0, 0.0), "ramp": (-3.0, 1.5), "low": (-3.0, -3.0)}


class Composer:
    """Reads a bank; `clip` composes.

    randomised: hands in their own light (`hand.Look.randomised`), cluttered rooms, working hands and more slow strokes, which training clips have and
    held-out clips have not. sources: as `SOURCES`.
    """

    def __init__(self, bank, split, randomised=None, sources=SOURCES):
        bank = pathlib.Path(bank)
        self.split, self.sources = split, sources
        self.randomised = split == "train" if randomised is None else randomised
        self.sprites = np.load(bank / "sprites.npy", mmap_mode="r")
        self.arms = np.load(bank / "arms.npy")
        self.actors = [a for a in json.loads((bank / "actors.json").read_text()) if a["split"] == split]
        frames = np.load(bank / "backgrounds.npy", mmap_mode="r")
        self.videos = [frames[a:b] for _, s, a, b in json.loads((bank / "backgrounds.json").read_text()) if s == split]
        first, end = json.loads((bank / "people.json").read_text())[split]
        self.rendered = np.load(bank / "people.npy", mmap_mode="r")[first:end]
        self.by_label = {name: [a for a in self.actors if name in can_do(a)] for name in LABELS[:NULL]}

    def actor(self, rng, wanted):
        """An actor that can show the wanted label; sources have fixed weights, whatever their number of actors."""
        pool = self.actors if wanted == "null" else self.by_label[wanted]
        sources = sorted({a["source"] for a in pool})
        weight = np.array([WEIGHTS.get(source, 1.0) for source in sources])
        source = rng.choice(sources, p=weight / weight.sum())
        pool = [a for a in pool if a["source"] == source]
        return pool[rng.integers(len(pool))]

    def clip(self, seed, rate=None, wanted=None, steps=48, size=(224, 224), min_hand=0.08, faces=True, source=None,
             whole=False, exposure="steady", **script):
        """One clip of `steps` grid frames. -> dict:

        frames uint8 [n,H,W]: the distinct source frames; index int [steps]: the source frame in each grid frame; label, ignore [steps]; aux float32
        [n,8] as in AUX; events [[label, onset_s, end_s]]; rate, lighting. whole: start at the beginning of the script instead of around a gesture of
        the wanted label. exposure: a key of EXPOSURES. It changes only the exposure: the same seed gives the same scene and movement.
        """
        rng = np.random.default_rng([SPLITS[self.split], seed])
        rate = int(rng.choice([30, 60, 120], p=[0.45, 0.25, 0.3])) if rate is None else rate
        if wanted is None:
            wanted = LABELS[rng.choice(NULL)] if rng.random() < 0.75 else "null"
        actor = self.actor(rng, wanted)
        if source is None:
            low, high, share = zip(*self.sources[rate])
            k = rng.choice(len(share), p=np.array(share) / sum(share))
            source = rng.uniform(low[k], high[k])
        seconds = steps / rate
        length = np.exp(rng.triangular(np.log(min_hand), np.log(max(0.33, min_hand + 0.01)), np.log(0.65)))
        track, events = write_script(rng, actor, rate, length, seconds + 0.6, None if whole else wanted,
                                     manner=RANDOMISED if self.randomised else Manner(), **script)
        ticks = len(track["x"])
        begin = 0.0
        if not whole:
            own = [e for e in events if e[0] == wanted]
            if own and rng.random() < 0.85:
                begin = own[0][1] / TICK - rng.uniform(min(15, steps / 2), max(steps - 8, steps / 2)) / rate
            else:
                begin = rng.uniform(0, ticks / TICK - seconds)
            begin = float(np.clip(begin, 0, max(ticks / TICK - seconds - 0.01, 0)))
        return self.film(rng, track, rate, source, begin, steps, size, faces, identity=actor["identity"],
                         exposure=exposure)

    def film(self, rng, track, rate, source, begin, steps, size, faces, identity, calm=False, exposure="steady", names=LABELS):
        """Films `steps` grid frames of a timeline from `begin` seconds on. calm: good light, hardly any noise; names: of the classes."""
        ticks = len(track["x"])
        phase = rng.random()
        index = np.floor(np.arange(steps) * source / rate + phase + 1e-6).astype(int)
        index = np.minimum(index - index[0], int(np.ceil(steps * source / rate)))
        count = index[-1] + 1
        times = begin + np.arange(count) / source
        at = np.clip(np.rint(times * TICK).astype(int), 0, ticks - 1)
        frames, aux, lighting = self._render(rng, track, at, times, source, size, faces, calm, exposure)
        label = track["label"][at].copy()
        label[aux[:, 0] < 0.5] = NULL
        label, ignore = settle(label[index], track["ignore"][at][index], aux[index], rate)
        return {"frames": frames, "index": index, "label": label, "ignore": ignore, "aux": aux, "rate": rate,
                "source": source, "lighting": lighting, "exposure": exposure, "actor": identity, "names": names,
                "events": _events(label, rate, names)}

    # Rendering

    def _background(self, rng, width, height, faces):
        """-> function of time giving a uint8 canvas of MARGIN times the frame; `drawn` is true if no person is in it yet."""
        w, h = int(width * MARGIN), int(height * MARGIN)
        kind = rng.random()
        if kind < 0.35 and faces:
            video = self.videos[rng.integers(len(self.videos))]
            bh, bw = video.shape[1:]
            share = rng.uniform(0.55, 1.0)
            cw, ch = int(bw * share), int(bh * share)
            x, y = rng.integers(0, bw - cw + 1), rng.integers(0, bh - ch + 1)
            flip, gamma = rng.random() < 0.5, np.exp(rng.normal(0, 0.3))
            table = np.uint8(255 * (np.arange(256) / 255) ** gamma)
            start = rng.integers(len(video))
            pace = 12.0 if rng.random() < 0.5 else 0.0
            cache = {}

            def shown(t):
                k = int(start + pace * t) % (2 * len(video))
                k = k if k < len(video) else 2 * len(video) - 1 - k
                if k not in cache:
                    cache.clear()
                    part = cv2.resize(video[k, y:y + ch, x:x + cw], (w, h), interpolation=cv2.INTER_LINEAR)
                    cache[k] = cv2.LUT(part[:, ::-1] if flip else part, table)
                return cache[k]
            shown.drawn = False
            return shown
        still = room(rng, w, h) if kind < 0.8 else texture(rng, w, h)
        if self.randomised and rng.random() < 0.5:
            cluttered(rng, still)

        def fixed(t):
            return still
        fixed.drawn = True
        return fixed

    def _person(self, rng, skin, cloth):
        if rng.random() < 0.25:
            return Person(rng, drawn_person(rng, skin), bust=False)
        rendered = np.asarray(self.rendered[rng.integers(len(self.rendered))])
        if rng.random() < 0.5:
            rendered = rendered[:, ::-1]
        return Person(rng, dressed_person(rng, skin * rng.uniform(0.85, 1.1), cloth, rendered), bust=True)

    def _others(self, rng, size):
        """One to three hands of people in the background, in poses that are not gestures. -> list of (sprite, look, function of time: x, y, size,
        roll)."""
        out = []
        for _ in range(rng.integers(1, 4)):
            actor = self.actors[rng.integers(len(self.actors))]
            idle = [s for name, s in actor["poses"].items() if name in DISTRACTORS]
            if not idle:
                continue
            x, y, roll = rng.uniform(0, 1), rng.uniform(0.2, 1), rng.normal(0, 25)
            sway, rate, phase = rng.uniform(0, 0.04, 2), rng.uniform(0.1, 1.0, 2), rng.uniform(0, 6.3, 2)
            away = size * rng.uniform(0.3, 0.65)

            def place(t, x=x, y=y, away=away, roll=roll, sway=sway, rate=rate, phase=phase):
                dx, dy = sway * np.sin(6.28 * rate * t + phase)
                return x + dx, y + dy, away, roll + 200 * dx
            out.append((idle[rng.integers(len(idle))], hand.Look.drawn(rng, rng.uniform(60, 215)), place))
        return out

    def _sprite(self, i, halvings):
        sprite = np.asarray(self.sprites[i])
        for _ in range(halvings):
            sprite = cv2.pyrDown(sprite)
        return sprite

    def _render(self, rng, track, at, times, source, size, faces, calm, exposure):
        width, height = size
        n = len(at)
        aspect = rng.choice([4 / 3, 16 / 9, 1.0, 3 / 4], p=[0.5, 0.27, 0.13, 0.1]) if width == height else width / height
        squeeze = width / (aspect * height)
        background = self._background(rng, width, height, faces)
        skin = float(np.clip(rng.choice([rng.uniform(110, 215), rng.uniform(50, 130)], p=[0.7, 0.3]), 40, 225))
        people, look = [], hand.Look.drawn(rng, skin)
        if self.randomised:
            look = look.randomised(rng)
        if rng.random() < (0.75 if background.drawn else 0.1):
            people.append((self._person(rng, skin, look.sleeve), height * rng.uniform(0.9, 1.0) / 256))
            if rng.random() < 0.12:
                people.append((self._person(rng, rng.uniform(60, 210), rng.uniform(15, 225)), height / 256 * 0.7))
        mirror = rng.random() < 0.5

        # Camera
        shake = rng.choice([0.0, rng.uniform(0.0005, 0.003), rng.uniform(0.003, 0.012)], p=[0.5, 0.38, 0.12])
        rates, phases = rng.uniform(0.5, 5, (2, 3)), rng.uniform(0, 6.3, (2, 3))
        pan = rng.normal(0, 0.15, 2) if rng.random() < 0.08 else np.zeros(2)
        pan0 = rng.uniform(-0.5, 0.5)

        # Light
        lighting = str(rng.choice(["normal", "dim", "bright", "drift"], p=[0.6, 0.15, 0.12, 0.13]))
        gain = {"normal": rng.uniform(0.75, 1.2), "dim": rng.uniform(0.35, 0.65), "bright": rng.uniform(1.2, 1.7),
                "drift": rng.uniform(0.6, 1.2)}[lighting]
        if lighting != "dim" and rng.random() < 0.7:
            # A camera that has adjusted its exposure to the room.
            gain *= float(np.clip(rng.uniform(80, 145) / max(background(times[0]).mean(), 20.0), 0.4, 2.5))
        gains = np.full(n, gain)
        if lighting == "drift":
            gains *= np.exp(rng.uniform(-0.5, 0.5) * (times - times[0]) + 0.15 * np.sin(6.28 * rng.uniform(0.2, 1.5) * times))
        if rng.random() < 0.05:
            gains[times > rng.uniform(times[0], times[-1] + 1e-6)] *= np.exp(rng.normal(0, 0.5))
        gamma = np.exp(rng.normal(0, 0.2))
        flicker = rng.uniform(0, 0.02) if rng.random() < 0.3 else 0.0
        ramp = np.arange(256) / 255
        light_map = None
        if rng.random() < 0.5:
            light_map = (1 + (noise_texture(rng, width, height, 2) - 0.5) * rng.uniform(0.2, 1.0)).astype(np.float32)
        soft = rng.uniform(0.3, 1.3) if rng.random() < 0.6 else 0.0
        sigma = rng.uniform(0, 4) if lighting != "dim" else rng.uniform(1, 9)
        grain = None
        if sigma > 0.4:
            grain = rng.normal(0, sigma, (height + 48, width + 48)).astype(np.float32)
            if rng.random() < 0.5:
                grain = cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6
            grain = grain.astype(np.int16)
        quality = int(rng.uniform(25, 85)) if rng.random() < 0.35 else 0
        shutter = rng.uniform(0.15, 0.95) / source if source > 25 else rng.uniform(0.01, 0.05)
        readout = rng.uniform(0.004, 0.03) / height if rng.random() < 0.6 else 0.0  # seconds a row
        others = self._others(rng, float(np.median(track["size"]))) if rng.random() < 0.1 else []
        if calm:
            lighting, gains, grain, quality, flicker, soft, shake, pan = "normal", np.full(n, 1.0), None, 0, 0.0, 0.6, 0.0, np.zeros(2)
            gamma = 1.0
        gains = gains * exposure_gains(exposure, times)

        frames = np.empty((n, height, width), np.uint8)
        aux = np.zeros((n, len(AUX)), np.float32)
        velocity_x, velocity_y = np.gradient(track["x"]) * TICK, np.gradient(track["y"]) * TICK
        change = _fades(track["sprite"])
        for k in range(n):
            t, i = times[k], at[k]
            wobble = shake * np.sin(6.28 * rates * t + phases).sum(1)
            panned = pan * (t - times[0] + pan0)
            canvas = background(t)
            room_x, room_y = width * (MARGIN - 1) / 2, height * (MARGIN - 1) / 2
            ox = np.clip(room_x + (wobble[0] + panned[0]) * width, 0, 2 * room_x - 1)
            oy = np.clip(room_y + (wobble[1] + panned[1]) * height, 0, 2 * room_y - 1)
            if shake or pan.any():
                frame = cv2.warpAffine(canvas, np.float32([[1, 0, -ox], [0, 1, -oy]]), (width, height))
            else:
                frame = canvas[int(oy):int(oy) + height, int(ox):int(ox) + width].copy()
            for person, unit in people:
                px, py, roll = person.at(t)
                matrix = hand.similarity(128, 128, (px - wobble[0]) * width, (py - wobble[1]) * height, unit * person.size, roll, squeeze, False)
                paste(frame, person.sprite, matrix, 1.0)
            for sprite, other, place in others:
                ox, oy, away, roll = place(t)
                hand.place(frame, self._sprite(sprite, hand.level(away * height / HAND_LENGTH)), self.arms[sprite], other,
                           (ox - wobble[0]) * width, (oy - wobble[1]) * height, away, roll, squeeze, mirror)
            if track["sprite"][i] >= 0:
                aux[k] = self._hand(frame, track, i, change, wobble, squeeze, mirror, look,
                                    np.array([velocity_x[i] * width, velocity_y[i] * height]), shutter, readout)
            if light_map is not None:
                frame = cv2.multiply(frame, light_map, dtype=cv2.CV_8U)
            level = gains[k] * (1 + flicker * np.sin(6.28 * 13.7 * t))
            table = np.uint8(np.clip(255 * np.minimum(level * ramp, 1.15) ** gamma, 0, 255))
            frame = cv2.LUT(frame, table)
            if soft:
                frame = cv2.GaussianBlur(frame, (0, 0), soft)
            if grain is not None:
                gx, gy = rng.integers(0, 48, 2)
                frame = cv2.add(frame, grain[gy:gy + height, gx:gx + width], dtype=cv2.CV_8U)
            if quality:
                frame = cv2.imdecode(cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, quality))[1], cv2.IMREAD_GRAYSCALE)
            frames[k] = frame
        return frames, aux, lighting

    def _hand(self, frame, track, i, change, wobble, squeeze, mirror, look, velocity, shutter, readout):
        """Draws forearm and hand into the frame, with motion blur and rolling shutter. -> the encoder's auxiliary targets."""
        height, width = frame.shape
        x, y, size, roll = (float(track[name][i]) for name in ("x", "y", "size", "roll"))
        halvings = hand.level(size * height / HAND_LENGTH)
        sprite = self._sprite(track["sprite"][i], halvings)
        before, mix = change[0][i], change[1][i]
        if mix < 1:
            sprite = cv2.addWeighted(sprite, float(mix), self._sprite(before, halvings), float(1 - mix), 0)
        x, y = x - wobble[0], y - wobble[1]
        seen = hand.place(frame, sprite, self.arms[track["sprite"][i]], look, x * width, y * height, size, roll, squeeze, mirror,
                          velocity * shutter, velocity * readout)
        angle = np.deg2rad(roll)
        return (float(seen > 0.35), x, y, size, np.sin(angle), np.cos(angle), float(track["open"][i]), float(track["pose"][i]))


def _fades(sprite, seconds=0.08):
    """Cross-fades between poses that are not neighbours in a motion: (sprite before, share of the new one)."""
    before, mix = sprite.copy(), np.ones(len(sprite), np.float32)
    n = int(seconds * TICK)
    for i in np.flatnonzero(np.diff(sprite)):
        a, b = sprite[i], sprite[i + 1]
        if a >= 0 and b >= 0 and abs(int(a) - int(b)) > 1:
            end = min(i + 1 + n, len(sprite))
            before[i + 1:end] = a
            mix[i + 1:end] = (np.arange(end - i - 1) + 1) / n
    return before, mix


def runs(label):
    """[[first, end, label index]] covering every frame."""
    cut = np.flatnonzero(np.diff(label)) + 1
    edges = [0, *cut.tolist(), len(label)]
    return [[a, b, int(label[a])] for a, b in zip(edges[:-1], edges[1:])]


def _events(label, rate, names):
    return [[names[c], a / rate, b / rate] for a, b, c in runs(label) if c != NULL]


def uncut(clip, longest):
    """The part of a clip, of at most `longest` frames, with the most events and no event cut by its edges; None if there is none.

    Before the first event it has as many null frames as the network's window, after the last one 0.3 s of them: an event that is already going on at
    the start, or not over at the end, has no onset or end to check.
    """
    null = clip["label"] == NULL
    tail = round(0.3 * clip["rate"])
    length = len(null)
    run = np.concatenate([[0], np.cumsum(null)])
    starts = np.flatnonzero(run[WINDOW:] - run[:-WINDOW] == WINDOW)
    ends = np.flatnonzero(run[tail:] - run[:-tail] == tail) + tail
    onsets = np.concatenate([[0], np.cumsum(~null & np.concatenate([[True], clip["label"][1:] != clip["label"][:-1]]))])
    parts = [(onsets[b] - onsets[a], b - a, a, b)
             for a in starts for b in ends[(ends > a + WINDOW + tail) & (ends <= min(a + longest, length))][-1:]]
    if not parts:
        return None
    *_, a, b = max(parts)
    index, label = clip["index"][a:b], clip["label"][a:b]
    shown = slice(index[0], index[-1] + 1)
    return {**clip, "index": index - index[0], "label": label, "ignore": clip["ignore"][a:b], "frames": clip["frames"][shown],
            "aux": clip["aux"][shown], "events": _events(label, clip["rate"], clip["names"])}


def exposure_gains(name, times):
    """Factor of the pixel values at each time [n] of a clip: the logarithm of the light changes at a constant rate."""
    first, last = EXPOSURES[name]
    share = (times - times[0]) / max(times[-1] - times[0], 1e-6)
    return 2 ** ((first + (last - first) * share) / 2.2)


def describe(clip, seed, split):
    """The label JSON of a clip."""
    return {"rate_hz": clip["rate"], "frames": len(clip["index"]), "seed": seed, "split": split, "lighting": clip["lighting"],
            "exposure": clip["exposure"],
            "source_hz": round(float(clip["source"]), 2), "hand": clip["actor"],
            "events": [{"label": n, "onset_s": round(a, 4), "end_s": round(b, 4)} for n, a, b in clip["events"]],
            "labels": [[a, b, clip["names"][c]] for a, b, c in runs(clip["label"])],
            "undecided": [[a, b] for a, b, ignored in runs(clip["ignore"]) if ignored]}


def write_video(path, frames, rate, crf):
    """Gray frames [T,H,W] -> H.264, yuv420p."""
    height, width = frames.shape[1:]
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(rate),
               "-i", "-", "-c:v", "libx264", "-preset", "medium", "-crf", str(crf), "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               "-threads", "1", str(path)]
    subprocess.run(command, input=np.ascontiguousarray(frames).tobytes(), check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("--split", choices=sorted(SPLITS), default="test")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="number of the first clip, to go on with a set")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1_000_000, help="seed of clip 0; the others follow")
    parser.add_argument("--crf", type=int, default=18)
    parser.add_argument("--null", action="store_true", help="clips in which no gesture happens")
    parser.add_argument("--exposure", choices=sorted(EXPOSURES), default="steady",
                        help="change of exposure over each clip before it is cut, on top of its own lighting")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    composer = Composer(args.bank, args.split)
    args.out.mkdir(parents=True, exist_ok=True)
    seed = args.seed + args.first
    for k in range(args.first, args.first + args.count):
        rate = (30, 60, 120)[k % 3]
        size = (224, 224) if k % 2 else (320, 240)

        def compose(seed):
            frames = int(np.random.default_rng(seed).uniform(3, 5) * rate)
            if args.null:
                clip = composer.clip(seed, rate=rate, wanted="null", steps=frames, size=size, exposure=args.exposure)
                # A hand that rests in a static pose is a gesture even if none was wanted.
                return None if clip["events"] else clip
            return uncut(composer.clip(seed, rate=rate, wanted=LABELS[k % NULL], steps=frames + 2 * rate, size=size, exposure=args.exposure), frames)

        while (clip := compose(seed)) is None:
            seed += 1
        name = args.out / f"{args.split}-{k:03d}-{rate}"
        write_video(name.with_suffix(".mp4"), clip["frames"][clip["index"]], rate, args.crf)
        name.with_suffix(".json").write_text(json.dumps(describe(clip, seed, args.split), indent=1))
        seed += 1


if __name__ == "__main__":
    main()
