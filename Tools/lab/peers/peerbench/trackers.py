"""The networks of the hand and body trackers against LiteRT on the same files, and our tracked frames against MediaPipe's graphs.

Run as a program, with a TFLite file, it is the worker that times LiteRT: a line with a number of runs on standard input
gives a line with a JSON list of microseconds.
"""

import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from .processes import output, pinned

ROOT = pathlib.Path(__file__).resolve().parents[4]
# What is compared: the TFLite file, the side of its picture, our int8 graph of it, and what each form may take of LiteRT's float32
# time with dot products of bytes and with AVX2 alone.
NETWORKS = (
    ("hand_landmark_lite.tflite", 224, "hands/hand-landmark-lite.safetensors", {"float32": (0.80, 0.88), "int8": (0.45, 0.65)}),
    ("palm_detection_lite.tflite", 192, "hands/palm-detection-lite.safetensors", {"float32": (0.80, 0.80), "int8": (0.45, None)}),
    ("pose_landmark_full.tflite", 256, "body/pose-landmark-full.safetensors", {"float32": (0.80, 0.80), "int8": (0.45, None)}),
    ("pose_detection.tflite", 224, "body/pose-detection.safetensors", {"float32": (None, None), "int8": (None, None)}),
)
# Of MediaPipe's time of a tracked frame, by what is tracked.
TRACKED = {"hand": (0.35, 0.65), "person": (0.40, 0.40)}
RUNS = 60


def _percentiles(samples):
    """(median, 99th percentile)"""
    return float(np.percentile(samples, 50)), float(np.percentile(samples, 99))


def _ours(bench, model, rows, core, tiers):
    """(median, 99th percentile) of one call's runs, microseconds."""
    text = output([str(bench), "graph", str(model), "--input", str(rows), "--time", str(RUNS), *tiers], [core])
    found = re.search(r"median ([\d.,]+) us, p99 ([\d.,]+) us", text)
    if not found:
        raise SystemExit(f"{bench} graph --time printed no times: {text[-200:]}")
    return tuple(float(number.replace(",", "")) for number in found.groups())


def _worker(command, core):
    with pinned([core]):
        return subprocess.Popen([str(word) for word in command], text=True, bufsize=1, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _ask(process, count):
    process.stdin.write(f"{count}\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"{process.args[:4]} ended with status {process.wait()}")
    return json.loads(line)


def _close(process):
    process.stdin.close()
    process.wait()


def networks(binaries, files, core, rounds, tiers):
    """Rows of (file, form, LiteRT median and p99, our median and p99, limits), all in turn in each round."""
    with tempfile.TemporaryDirectory() as folder:
        for name, side, bundled, limits in NETWORKS:
            model = files / name
            if not model.exists():
                continue
            exact = pathlib.Path(folder) / f"{name}.safetensors"
            subprocess.run([binaries / "gesture-import", "graph", model, "--precision", "float32", "--output", exact],
                           check=True, stdout=subprocess.DEVNULL)
            rows = pathlib.Path(folder) / "rows.npy"
            np.save(rows, np.random.default_rng(1).random((1, side, side, 3), np.float32))
            litert = _worker([sys.executable, "-m", "peerbench.trackers", model], core)
            forms = {"float32": exact, "int8": ROOT / "Weights" / bundled}
            theirs, mine = [], {form: [] for form in forms}
            for _ in range(rounds):
                theirs.append(_percentiles(_ask(litert, RUNS)))
                for form, graph in forms.items():
                    mine[form].append(_ours(binaries / "gesture-bench", graph, rows, core, tiers))
            _close(litert)
            for form in forms:
                yield (name, form, *np.median(theirs, axis=0), *np.median(mine[form], axis=0), limits[form])


def tracked(binaries, clip, core, rounds, tiers, what="hand"):
    """A row of the same kind: one frame of 1280x720 with a hand or a person that is tracked."""
    options = {"hand": ["--front-end", "landmarks"], "person": ["--body"]}[what]
    mediapipe = _worker([ROOT / "Tools/lab/peers/trackers/run", "track", clip, *(["--bodies"] if what == "person" else [])], core)
    theirs, mine = [], []
    for _ in range(rounds):
        theirs.append(_percentiles(_ask(mediapipe, RUNS)))
        report = json.loads(output(
            [str(binaries / "gesture-bench"), "latency", *options, "--clip", str(clip), "--json", "--frames", "200", *tiers], [core]))
        mine.append((report["tracked"]["p50_us"], report["tracked"]["p99_us"]))
    _close(mediapipe)
    name = {"hand": "tracked frame, 1280x720", "person": "tracked person, 1280x720"}[what]
    return (name, "int8", *np.median(theirs, axis=0), *np.median(mine, axis=0), TRACKED[what])


def report(rows, has_dot_products):
    """The table as lines of Markdown; times in milliseconds, ratios of the medians."""
    lines = ["| | ours | LiteRT or MediaPipe, float32: p50 | p99 | ours: p50 | p99 | ratio | at most | |",
             "|---|---|---|---|---|---|---|---|---|"]
    for what, form, their_median, their_last, median, last, limits in rows:
        limit = limits[0 if has_dot_products else 1]
        ratio = median / their_median
        verdict = "–" if limit is None else "met" if ratio <= limit else "**missed**"
        lines.append(f"| {what} | {form} | {their_median / 1000:.2f} | {their_last / 1000:.2f} | {median / 1000:.2f} "
                     f"| {last / 1000:.2f} | {ratio:.2f} | {'–' if limit is None else f'{limit:.2f}'} | {verdict} |")
    return lines


def as_json(rows, has_dot_products):
    """The same as plain data; times in microseconds."""
    found = []
    for what, form, their_median, their_last, median, last, limits in rows:
        limit, ratio = limits[0 if has_dot_products else 1], float(median / their_median)
        found.append({"what": what, "form": form, "peer_p50_us": float(their_median), "peer_p99_us": float(their_last),
                      "ours_p50_us": float(median), "ours_p99_us": float(last), "ratio": ratio, "target": limit,
                      "met": None if limit is None else ratio <= limit})
    return found


def versions(root):
    """Of LiteRT here, and of MediaPipe in the environment of its own."""
    pinned_there = (root / "Tools/lab/peers/trackers/requirements.in").read_text().split()
    return {"LiteRT (XNNPACK)": importlib.metadata.version("ai-edge-litert"),
            **{name: version for name, version in (line.split("==") for line in pinned_there) if name == "mediapipe"}}


def serve(file):
    """Times LiteRT with XNNPACK on one thread, the input set before."""
    import time

    from ai_edge_litert.interpreter import Interpreter
    interpreter = Interpreter(model_path=file, num_threads=1)
    interpreter.allocate_tensors()
    source = interpreter.get_input_details()[0]
    values = np.random.default_rng(1).random(source["shape"], np.float32)
    interpreter.set_tensor(source["index"], values)
    for _ in range(10):
        interpreter.invoke()
    for line in sys.stdin:
        samples = []
        for _ in range(int(line)):
            begin = time.perf_counter_ns()
            interpreter.invoke()
            samples.append((time.perf_counter_ns() - begin) / 1000)
        print(json.dumps(samples), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
