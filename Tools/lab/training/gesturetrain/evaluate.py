"""Measures a checkpoint: frames of a held-out cache, events of composed videos, and the event log of real clips.

`python -m gesturetrain.evaluate WEIGHTS [--cache DIR --count N] [--videos DIR] [--clips DIR] [--grid 30]`
"""

import argparse
import json
import pathlib

import cv2
import numpy as np
import torch
from safetensors.torch import load_file

from common.labels import LABELS, NULL
from common.recognise import confusion, events, match, smooth, softmax

from . import cache
from .network import SIDE, WINDOW, network_of

SLACK = 0.25  # an event counts until this many seconds after its gesture's end


def features(net, frames, batch=128):
    """uint8 [n,224,224] (array or memmap) -> float32 [n,128], inference."""
    out = []
    with torch.inference_mode():
        for a in range(0, len(frames), batch):
            out.append(net.encode(torch.from_numpy(np.array(frames[a:a + batch]))).clone())
    return torch.cat(out)


def load(path):
    """Exported safetensors or a training checkpoint (its average) -> network in eval mode."""
    state = torch.load(path, weights_only=False)["average"] if str(path).endswith(".pt") else load_file(path)
    return network_of(state).eval().to(memory_format=torch.channels_last)


def read_video(path):
    """-> (uint8 [n,224,224] gray, stretched; source rate in Hz)."""
    capture, frames = cv2.VideoCapture(str(path)), []
    rate = capture.get(cv2.CAP_PROP_FPS)
    while True:
        ok, image = capture.read()
        if not ok:
            break
        frames.append(cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR))
    return np.stack(frames), rate


def on_grid(count, source, grid):
    """The source frame in every grid slot; missing slots repeat the previous frame."""
    return np.minimum((np.arange(int(count * grid / source)) * source / grid + 1e-6).astype(int), count - 1)


def clip_logits(net, frames, source, grid, lead=True):
    """Logits of every grid frame from the 16th; with lead the first frame is repeated 15 times before the clip."""
    column = features(net, frames)[torch.from_numpy(on_grid(len(frames), source, grid))]
    if lead:
        column = torch.cat([column[:1].expand(WINDOW - 1, -1), column])
    with torch.inference_mode():
        return net.temporal(column[None])[0].numpy()


def on_cache(net, folder, count):
    """Frame accuracy on a composed cache. Prints and returns a summary."""
    total = np.zeros((len(LABELS), len(LABELS)), int)
    sure = np.zeros(len(LABELS))
    false_sure, null_frames, decided, right = 0, 0, 0, 0
    hits, counts, false_events, seconds = np.zeros(len(LABELS)), np.zeros(len(LABELS)), 0, 0.0
    for chunk in sorted(int(p.stem[6:]) for p in pathlib.Path(folder).glob("chunk-*.npy"))[:count]:
        frames, meta = cache.read(folder, chunk)
        column = features(net, frames)
        where = torch.from_numpy(meta["first"][:, None] + meta["index"])
        with torch.inference_mode():
            logits = net.temporal(column[where]).numpy()
        label, ignore = meta["label"][:, WINDOW - 1:], meta["ignore"][:, WINDOW - 1:]
        guess, confidence = logits.argmax(-1), softmax(logits)
        total += confusion(label.ravel(), guess.ravel())
        keep = ~ignore
        decided += keep.sum()
        right += (guess == label)[keep].sum()
        for c in range(len(LABELS)):
            sure[c] += ((label == c) & (confidence[..., c] > 0.85)).sum()
        false_sure += ((label == NULL) & (confidence[..., :NULL].max(-1) > 0.85)).sum()
        null_frames += (label == NULL).sum()
        for row, truth, rate in zip(logits, label, meta["rate"]):
            found = events(row)
            cut = [[LABELS[c], a, b] for a, b, c in _runs(truth) if c != NULL and a > 0 and b - a >= 6]
            loose = [[LABELS[c], a, b] for a, b, c in _runs(truth) if c != NULL]
            hit, _ = match(found, cut, SLACK * rate)
            for (name, *_), h in zip(cut, hit):
                counts[LABELS.index(name)] += 1
                hits[LABELS.index(name)] += h
            _, extra = match(found, loose, SLACK * rate)
            false_events += len(extra)
            seconds += len(row) / rate
    recall = np.diag(total) / np.maximum(total.sum(1), 1)
    print(f"frames {total.sum()}: top-1 {np.trace(total) / total.sum():.4f}, decidable frames {right / decided:.4f}, "
          f"mean class recall {recall.mean():.4f}, null frames sure of a gesture {false_sure / null_frames:.4f}")
    for c, name in enumerate(LABELS):
        others = np.argsort(-total[c] * (np.arange(len(LABELS)) != c))[:2]
        print(f"  {name:11s} n {total[c].sum():6d} recall {recall[c]:.3f} above 0.85 {sure[c] / max(total[c].sum(), 1):.3f}"
              + (f" events {int(hits[c])}/{int(counts[c])}" if c != NULL else "")
              + "  taken for " + ", ".join(f"{LABELS[o]} {total[c, o]}" for o in others))
    print(f"  events {int(hits.sum())}/{int(counts.sum())}, false events {false_events} in {seconds:.0f} s", flush=True)
    return np.trace(total) / total.sum(), hits.sum() / max(counts.sum(), 1), false_events / seconds * 60


def _runs(label):
    cut = np.flatnonzero(np.diff(label)) + 1
    edges = [0, *cut.tolist(), len(label)]
    return [(a, b, int(label[a])) for a, b in zip(edges[:-1], edges[1:])]


def on_videos(net, folder, verbose=False):
    """Events of composed videos with label JSON."""
    hits, counts, extra, seconds = {}, {}, 0, 0.0
    for path in sorted(pathlib.Path(folder).glob("*.mp4")):
        truth = json.loads(path.with_suffix(".json").read_text())
        rate = truth["rate_hz"]
        frames, _ = read_video(path)
        found = [[n, a / rate, d / rate, e / rate, p] for n, a, d, e, p in events(clip_logits(net, frames, rate, rate))]
        wanted = [[e["label"], e["onset_s"], e["end_s"]] for e in truth["events"]]
        hit, false = match(found, wanted, SLACK)
        for (name, *_), h in zip(wanted, hit):
            counts[name] = counts.get(name, 0) + 1
            hits[name] = hits.get(name, 0) + h
        extra += len(false)
        seconds += len(frames) / rate
        if verbose:
            print(path.name, [(n, round(a, 2), h) for (n, a, _), h in zip(wanted, hit)], "false", [(e[0], round(e[2], 2)) for e in false])
    print("videos: " + ", ".join(f"{n} {hits.get(n, 0)}/{counts.get(n, 0)}" for n in LABELS[:NULL]))
    print(f"  events {sum(hits.values())}/{sum(counts.values())}, false {extra} in {seconds:.0f} s", flush=True)
    return hits, counts, extra, seconds


def on_clips(net, folder, grid):
    """Event log and class scores of real clips (every video below the folder)."""
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in (".gif", ".mp4")):
        frames, source = read_video(path)
        logits = clip_logits(net, frames, source, grid)
        found = events(logits)
        confidence = softmax(smooth(logits))
        top = np.bincount(confidence.argmax(1), minlength=len(LABELS))
        peak = confidence[:, :NULL].max(0)
        lean = ", ".join(f"{LABELS[c]} {top[c]} (peak {peak[c]:.2f})" if c != NULL else f"null {top[c]}"
                         for c in np.argsort(-top)[:4] if top[c])
        log = "; ".join(f"{n} {a / grid:.2f}-{e / grid:.2f} s ({p:.2f})" for n, a, d, e, p in found) or "none"
        print(f"{path.name} {len(frames)} frames at {source:.0f} Hz on {grid} Hz: events {log} | frames {lean}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10, help="chunks of the cache")
    parser.add_argument("--videos", type=pathlib.Path)
    parser.add_argument("--clips", type=pathlib.Path)
    parser.add_argument("--grid", type=int, default=30)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    net = load(args.weights)
    if args.cache:
        on_cache(net, args.cache, args.count)
    if args.videos:
        on_videos(net, args.videos, args.verbose)
    if args.clips:
        on_clips(net, args.clips, args.grid)


if __name__ == "__main__":
    main()
