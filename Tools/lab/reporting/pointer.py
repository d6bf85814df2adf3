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
    report = json.loads(output([bench, "pointer", *folders, "--labels", ROOT / LABELS, "--json"]))
    yield "pointer", machine.provenance("Tools/report pointer DIR...") | {"weights": machine.weights(WEIGHTS)} | rounded(report)


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value
