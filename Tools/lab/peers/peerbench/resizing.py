"""Times of preprocessing, ours and the peers', in rounds."""

import json
import statistics
import subprocess
import sys

from .preprocessing import SOURCES
from .processes import WorkerError, pinned


def measure(engine, core, rounds, times=None):
    """engine -> source -> median microseconds; ours for NV12 1280x720 comes with the latency rounds in `times`."""
    with pinned([core]):
        process = subprocess.Popen([sys.executable, "-m", "peerbench.preprocessing"], text=True, bufsize=1,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    samples = {}
    for _ in range(rounds):
        process.stdin.write(json.dumps({"count": 60}) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        try:
            answer["ours"] = engine.resize([core])
        except WorkerError:
            answer["ours"] = {}
        for name, sources in answer.items():
            for source, value in sources.items():
                samples.setdefault((name, source), []).append(value)
    process.stdin.close()
    process.wait()
    result = {"opencv": {}, "libyuv": {}, "ours": {}}
    for (name, source), values in samples.items():
        result[name][source] = statistics.median(values)
    from_latency = times.median("ours", "int8", "preprocess") if times else None
    if "luma 1280x720" not in result["ours"] and from_latency is not None:
        result["ours"]["luma 1280x720"] = from_latency
    assert set(result["opencv"]) == set(SOURCES)
    return result
