"""How many live streams all cores hold: this engine's, and MediaPipe's by the same rules."""

import json

from . import machine
from .machine import ROOT, say
from .speed import BODY_CLIP, CLIP


def measure(options):
    """(name, result) of the measurement."""
    bench = options.bench.resolve()
    machine.need(bench, "ffmpeg")
    machine.need_paths(ROOT / CLIP, ROOT / BODY_CLIP)
    result = machine.provenance("Tools/report streams") | {"seconds": options.seconds, "load_before": machine.quiet_load()}
    say("this engine")
    ours = json.loads(machine.output(
        [bench, "streams", "--json", "--seconds", options.seconds, "--clip", CLIP, "--body-clip", BODY_CLIP]))
    result |= {"allowed": ours["allowed"], "ours": ours["held"], "theirs": []}
    for clip, more in ((CLIP, []), (BODY_CLIP, ["--bodies"])):
        say(f"MediaPipe, {clip}")
        text = machine.output([ROOT / "Tools/lab/peers/trackers/run", "streams", clip, "--json", "--seconds", options.seconds, *more])
        result["theirs"] += [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    result["load_after"] = machine.load()
    say("done")
    yield "streams", result
