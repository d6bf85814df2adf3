"""How a hand points and presses in recordings with labelled pinches, beside public scripts on the same landmarks."""

import json

from . import machine
from .machine import ROOT, output

LABELS = "Tools/lab/reporting/pointer-labels.csv"
WEIGHTS = ("hands/hand-landmark-lite.safetensors", "hands/palm-detection-lite.safetensors")


def measure(options):
    """(name, result) of the measurement."""
    bench = options.bench.resolve()
    machine.need(bench, "ffmpeg", "ffprobe")
    machine.need_paths(*options.folders)
    folders = [folder.resolve() for folder in options.folders]
    text = output([bench, "pointer", *folders, "--labels", ROOT / LABELS, "--json"])
    report = json.loads(text, parse_float=lambda number: round(float(number), 3))
    yield "pointer", machine.provenance("Tools/report pointer DIR...") | {"weights": machine.weights(WEIGHTS)} | report
