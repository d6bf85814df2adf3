"""How many streams MediaPipe's hand or body graph holds on this machine: `run streams [--bodies] CLIP`.

The counterpart of `gesture-bench streams`, by the same rules: each stream is a graph of its own with a camera of its own, whose
frames are those of the clip, forth and back, at times between those of the others. A frame that waits while the graph runs is
replaced by the next one. Late is a result after more than the time from one frame to the next. Streams are held while at most
--allowed of their frames are late or replaced. Frames are in memory as RGB, which the graph takes, before the clock starts.

Streams are threads of as many processes as there are cores: the graph lets other threads run while it works, and Python does not.
For a number of cores: `taskset -c 0,1`. Prints a row of a table for each rate, or JSON with --json.
"""

import argparse
import json
import multiprocessing
import os
import sys
import threading
import time

import numpy as np

import mediapipe_graphs
from clips import forth_and_back, frames

MOST = 90
SETTLING = 10


def feed(loop, place, count, options, start, period, results):
    """Runs stream `place` of `count`; adds (frames, missed, latencies in seconds)."""
    missed, latencies, index = 0, [], 0
    pushed = max(1, int(options.seconds / period))
    with mediapipe_graphs.pose() if options.bodies else mediapipe_graphs.hands() as tracker:
        for settling in range(SETTLING):
            tracker.process(loop[(settling + 7 * place) % len(loop)])
        start.wait()
        begin = start.time.value + place / count * period
        while index < pushed:
            due = begin + index * period
            now = time.monotonic()
            if now < due:
                time.sleep(due - now)
            else:
                # The newest frame that is there; those before it were replaced.
                newest = min(pushed - 1, int((now - begin) / period))
                missed += newest - index
                index, due = newest, begin + newest * period
            tracker.process(loop[(SETTLING + index + 7 * place) % len(loop)])
            latency = time.monotonic() - due
            latencies.append(latency)
            missed += latency > period
            index += 1
    results.append((pushed, missed, latencies))


class Start:
    """All streams of all processes begin at one time."""

    def __init__(self, count):
        self.barrier = multiprocessing.Barrier(count, action=self.note)
        self.time = multiprocessing.Value("d", 0.0, lock=False)

    def note(self):
        self.time.value = time.monotonic() + 0.05

    def wait(self):
        self.barrier.wait()


def serve(loop, places, count, options, start, period, queue):
    """Runs some of the streams of a trial, a thread each."""
    results = []
    threads = [
        threading.Thread(target=feed, args=(loop, place, count, options, start, period, results)) for place in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    queue.put(results)


def trial(loop, count, rate, options):
    """What `count` streams at once missed."""
    period, queue = 1 / rate, multiprocessing.Queue()
    start = Start(count)
    workers = min(count, len(os.sched_getaffinity(0)))
    processes = [
        multiprocessing.Process(
            target=serve, args=(loop, range(worker, count, workers), count, options, start, period, queue))
        for worker in range(workers)]
    for process in processes:
        process.start()
    results = [result for _ in processes for result in queue.get()]
    for process in processes:
        process.join()
        if process.exitcode:
            sys.exit(f"a process of streams ended with {process.exitcode}")
    if len(results) != count:
        sys.exit(f"{count - len(results)} streams gave no result")
    return {
        "streams": count, "rate": rate, "missed": sum(r[1] for r in results) / sum(r[0] for r in results),
        "p50_ms": 1000 * float(np.median([np.median(r[2]) for r in results])),
        "p99_ms": 1000 * max(float(np.percentile(r[2], 99)) for r in results), "load": round(os.getloadavg()[0], 1)}


def best(loop, count, rate, options):
    """The trial with the fewest missed frames: one that is not held is tried twice more, as one stall of the machine misses two."""
    tried = trial(loop, count, rate, options)
    for _ in range(2):
        if tried["missed"] > options.allowed:
            tried = min(tried, trial(loop, count, rate, options), key=lambda result: result["missed"])
    return tried


def hold(loop, rate, options):
    """Doubles the number of streams until they are not held, and then halves the distance: the most held, and twice as many."""
    held, beyond, count = None, None, 1
    while True:
        tried = best(loop, count, rate, options)
        if tried["missed"] <= options.allowed:
            held = tried
        else:
            beyond = tried
        low = held["streams"] if held else 0
        if beyond is None:
            count = 2 * low
            continue
        if beyond["streams"] - low <= max(1, low // 16):
            break
        count = (low + beyond["streams"]) // 2
    return held, beyond, trial(loop, 2 * low, rate, options) if held else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip")
    parser.add_argument("--bodies", action="store_true", help="people instead of hands")
    parser.add_argument("--rate", type=int, action="append", help="frames a second of each camera (default: 30, 60 and 120)")
    parser.add_argument("--seconds", type=float, default=3, help="seconds of each trial (default: 3)")
    parser.add_argument("--allowed", type=float, default=0.01, help="the share of frames that may be missed (default: 0.01)")
    parser.add_argument("--json", action="store_true", help="one JSON object a rate instead of rows of a table")
    options = parser.parse_args()
    pictures = []
    for picture in frames(options.clip):
        pictures.append(np.ascontiguousarray(picture[:, :, ::-1]))
        if len(pictures) == MOST:
            break
    loop = forth_and_back(pictures)
    kind = "bodies" if options.bodies else "landmarks"
    if not options.json:
        print("| streams of | frames/s | streams | missed | p50 ms | p99 ms | twice as many: missed | load |")
        print("|---|---|---|---|---|---|---|---|")
    for rate in options.rate or (30, 60, 120):
        held, beyond, doubled = hold(loop, rate, options)
        if options.json:
            print(json.dumps({"kind": kind, "held": held, "beyond": beyond, "doubled": doubled}), flush=True)
        elif held is None:
            print(f"| {kind} | {rate} | 0 | {100 * beyond['missed']:.1f}% of one | | | | {beyond['load']} |", flush=True)
        else:
            print(f"| {kind} | {rate} | {held['streams']} | {100 * held['missed']:.1f}% | {held['p50_ms']:.1f} | {held['p99_ms']:.1f} "
                  f"| {100 * doubled['missed']:.1f}% | {held['load']} |", flush=True)


if __name__ == "__main__":
    main()
