"""One engine in a process of its own: reads commands as JSON lines, answers each with one.

A process each keeps thread pools, allocators and ONEDNN_MAX_CPU_ISA apart; between commands it sleeps on its pipe.

    {"do": "time", "form": "int8", "what": "step-trimmed", "count": 200}   -> {"us": [...]}, "what" as in timing.COUNTS
    {"do": "overhead", "form": "int8", "count": 2000}                      -> {"us": [...]}
    {"do": "logits", "form": "int8", "frames": "x.npy", "output": "y.npy"} -> {"windows": n, "spread": d}

`--cold stream` or `--cold window` instead loads the int8 graphs and computes the first prediction of 16 frames, once.
"""

import argparse
import json
import os
import pathlib
import sys
import time

import numpy as np

from . import network


class Worker:
    def __init__(self, engine, folder, frames):
        self.engine, self.folder, self.frames = engine, folder, frames
        self.loaded = {}

    def graph(self, form, name):
        if (form, name) not in self.loaded:
            self.loaded[form, name] = self.engine.load(self.folder / form, name)
        return self.loaded[form, name]

    def column(self, form, frame):
        encoder = self.graph(form, "encoder")
        encoder.write(frame)
        encoder.run()
        return encoder.read().reshape(-1)

    def logits(self, form, frames):
        """Streaming with the trimmed head: [N - 15, 13], and how far the other graphs stray from it."""
        columns = np.stack([self.column(form, frame) for frame in frames], axis=1)
        rows, spread = [], 0.0
        for end in range(network.WINDOW, len(frames) + 1):
            rows.append(self._run(form, "head-trimmed", columns[:, end - network.TRIMMED_COLUMNS:end]))
            whole = self._run(form, "head", columns[:, end - network.WINDOW:end])
            spread = max(spread, float(np.abs(whole - rows[-1]).max()))
        for end in range(network.WINDOW, len(frames) + 1, network.WINDOW):
            window = self._run(form, "window", frames[end - network.WINDOW:end, None])
            spread = max(spread, float(np.abs(window - rows[end - network.WINDOW]).max()))
        return np.stack(rows), spread

    def _run(self, form, name, array):
        graph = self.graph(form, name)
        graph.write(array)
        graph.run()
        return graph.read().reshape(-1).copy()

    def time(self, form, what, count):
        """Microseconds of `count` runs, after a tenth of them unmeasured. Frames change between runs, off the clock."""
        if what == "window":
            graph = self.graph(form, "window")
            graph.write(self.frames[:network.WINDOW, None])
            return _sample([graph.run], count, lambda index: None)
        encoder = self.graph(form, "encoder")
        if what == "window-by-frame":
            head = self.graph(form, "head-trimmed")
            return _sample([encoder.run] * network.WINDOW + [head.run], count, lambda index: None)
        calls = [encoder.run]
        if what != "encoder":
            head = self.graph(form, {"step": "head", "step-trimmed": "head-trimmed"}[what])
            steps = network.WINDOW if what == "step" else network.TRIMMED_COLUMNS
            head.write(np.stack([self.column(form, frame) for frame in self.frames[:steps]], axis=1))
            calls.append(head.run)
        return _sample(calls, count, lambda index: encoder.write(self.frames[index % len(self.frames)]))

    def overhead(self, form, count):
        """A graph that does nothing: what one call costs, Python and the engine's dispatch together."""
        graph = self.engine.load(self.folder / "fp32", "identity")
        return _sample([graph.run], count, lambda index: None)


def _sample(calls, count, refresh):
    samples = []
    clock = time.perf_counter_ns
    for index in range(-max(count // 10, 2), count):
        refresh(index)
        begin = clock()
        for call in calls:
            call()
        elapsed = clock() - begin
        if index >= 0:
            samples.append(elapsed / 1000)
    return samples


def _cold(module, folder, frames, way):
    """Seconds from an imported library to the first logits."""
    begin = time.perf_counter()
    worker = Worker(module.Engine(1), folder, frames)
    if way == "window":
        worker._run("int8", "window", frames[:network.WINDOW, None])
    else:
        columns = np.stack([worker.column("int8", frame) for frame in frames[:network.WINDOW]], axis=1)
        worker._run("int8", "head-trimmed", columns[:, -network.TRIMMED_COLUMNS:])
    return {"seconds": time.perf_counter() - begin}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--frames", type=pathlib.Path, required=True)
    parser.add_argument("--cold", choices=("stream", "window"))
    options = parser.parse_args()

    # What native libraries print must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value):
        print(json.dumps(value), file=answers, flush=True)

    from . import engines
    module = engines.module(options.engine)
    frames = np.load(options.frames)
    if options.cold:
        answer(_cold(module, options.folder, frames, options.cold))
        os._exit(0)
    worker = Worker(module.Engine(options.threads), options.folder, frames)
    answer({"version": module.version()})
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if command["do"] == "time":
                answer({"us": worker.time(command["form"], command["what"], command["count"])})
            elif command["do"] == "overhead":
                answer({"us": worker.overhead(command["form"], command["count"])})
            else:
                logits, spread = worker.logits(command["form"], np.load(command["frames"]))
                np.save(command["output"], logits.astype(np.float32))
                answer({"windows": len(logits), "spread": spread})
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})
    # Some engines' destructors complain about the order in which Python lets go of things.
    os._exit(0)


if __name__ == "__main__":
    main()
