"""Times everything on this machine: this engine alone, and compared with others."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from . import machine
from .machine import ROOT, Failure, output, say

CLIP = "Weights/demo/hands.mp4"
# Drawn, with a whole person in view.
BODY_CLIP = "Tests/Fixtures/body/jacks-front.mp4"
# Best first; the tiers below the machine's best are timed, too.
TIERS = ("avx512vnni", "avxvnni", "avx2", "i8mm", "dotprod", "neon", "portable")
NETWORKS = ("hand_landmark_lite.tflite", "palm_detection_lite.tflite", "pose_landmark_full.tflite", "pose_detection.tflite")
# The keys of Tools/lab/peers' report that the page shows. The times of single rounds and the least times are long and left out.
PIXELS = ("date", "revision", "rounds", "weights", "versions", "opencv", "libyuv", "preprocessing", "cold", "windows", "missing",
          "names", "targets", "absolutes", "agreement")
SECTION = ("title", "environment", "excluded_tiers", "median_us", "call_overhead_us", "failures")


def measure(options):
    """(name, result) of each measurement."""
    begin = time.monotonic()
    bench = options.bench.resolve()
    core = options.core if options.core is not None else machine.last_core()
    machine.need(bench, bench.parent / "gesture-import", "ffmpeg", "ffprobe", *([] if core is None else ["taskset"]))
    machine.need_paths(options.hands, *((ROOT / clip) for clip in (CLIP, BODY_CLIP)))
    result = machine.provenance("Tools/report speed") | {"rounds": options.rounds}
    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        # Memory and start come first: they build programs, and the timing waits until the machine is quiet again.
        say("memory and start of a program")
        result["footprint"] = footprint()
        result["load_before"] = machine.quiet_load()
        say("stages of a frame")
        result["latency"] = latency(bench, core, scratch)
        tier = result["latency"]["pixels"]["tier"]
        result["tiers"] = lower_tiers(bench, core, tier)
        result["allocations"] = allocations(bench)
        reports = (options.reports or scratch / "peers").resolve()
        peers = ["--binaries", bench.parent, "--rounds", options.rounds, *([] if core is None else ["--core", core])]
        say("other engines, pixels")
        run_peers([*peers, "--output", reports])
        result["pixels"] = pixels(json.loads((reports / "report.json").read_text()))
        files = options.hands.resolve() if options.hands else networks(scratch)
        hands = [*peers, "--hands", files, "--hand-clip", CLIP, "--body-clip", BODY_CLIP]
        say("other engines, landmarks")
        run_peers([*hands, "--output", reports])
        result["hands"] = {"best": json.loads((reports / "hands.json").read_text())}
        if tier == "avx512vnni":
            say("other engines, landmarks, our AVX2 tier")
            run_peers([*hands, "--avx2", "--output", reports / "avx2"])
            result["hands"]["avx2"] = json.loads((reports / "avx2/hands.json").read_text())
    result |= {"tier": tier, "load_after": machine.load(), "minutes": round((time.monotonic() - begin) / 60, 1)}
    say(f"done after {result['minutes']} minutes")
    yield f"speed-{tier}", result


def run_peers(arguments):
    command = [str(word) for word in (ROOT / "Tools/lab/peers/run", *arguments)]
    # Its tables go to the same output as the progress.
    done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with status {done.returncode}")


def networks(scratch):
    """A folder with MediaPipe's networks from its package."""
    output(["Tools/lab/peers/trackers/run", "site"])
    found = {path.name: path for path in (ROOT / "Tools/lab/peers/trackers/.venv").glob("lib/*/site-packages/mediapipe/modules/*/*.tflite")}
    folder = scratch / "networks"
    folder.mkdir()
    for name in NETWORKS:
        if name not in found:
            raise Failure(f"MediaPipe's package has no {name}: --hands DIR")
        (folder / name).symlink_to(found[name])
    return folder


def latency(bench, core, scratch):
    """The reports of `gesture-bench latency`: pixels, landmarks of a hand, landmarks of a still frame without a hand: a corner of the composed clip
    without the person, because the tracker takes the person's face for a hand."""
    still = scratch / "still.mkv"
    output(["ffmpeg", "-v", "error", "-nostdin", "-i", "Weights/demo/demo.mp4", "-vf", "trim=end_frame=1,crop=320:180:160:0,loop=150:1:0,fps=30",
            "-c:v", "ffv1", still])
    landmarks = [bench, "latency", "--json", "--front-end", "landmarks"]
    return {
        "pixels": json.loads(output([bench, "latency", "--json", "--front-end", "pixels"], core)),
        "landmarks": json.loads(output([*landmarks, "--clip", CLIP], core)),
        "arms": json.loads(output([*landmarks, "--clip", CLIP, "--arms"], core)),
        "empty_scene": json.loads(output([*landmarks, "--empty-scene", "--clip", still], core)),
    }


def lower_tiers(bench, core, best):
    """tier -> median microseconds of the pixel network and of a tracked frame, for the tiers to which gesture-bench can be restricted."""
    text = output([bench, "latency", "--help"])
    known = [name for name in TIERS if re.search(rf"values:[^)]*\b{name}\b", text)]
    found, excluded = {}, []
    for higher, name in zip(known, known[1:]):
        excluded += ["--exclude-tier", higher]
        if TIERS.index(name) <= TIERS.index(best):
            continue
        common = [bench, "latency", "--json", "--frames", "100", *excluded]
        pixels = json.loads(output([*common, "--windows", "10", "--front-end", "pixels"], core))
        landmarks = json.loads(output([*common, "--front-end", "landmarks", "--clip", CLIP], core))
        found[pixels["tier"]] = {"network_us": pixels["streaming"]["network"]["p50_us"], "tracked_us": landmarks["tracked"]["p50_us"]}
    return found


def allocations(bench):
    """Heap allocations in all counted frames, by configuration."""
    found = {}
    for front_end, more in (("pixels", ["--front-end", "pixels"]), ("landmarks", ["--front-end", "landmarks", "--clip", CLIP])):
        text = output([bench, "allocations", *more])
        rows = re.findall(r"^(.*): (\d+) allocations in (\d+) frames", text, re.MULTILINE)
        if not rows:
            raise Failure(f"gesture-bench allocations printed no counts: {text[-200:]}")
        found[front_end] = {"allocations": sum(int(row[1]) for row in rows), "frames": sum(int(row[2]) for row in rows)}
    return found


def footprint():
    """Resident memory in KiB and start in ms of a program that uses the engine, and of an empty one."""
    # The gate's status tells whether the limits are met; the page shows that.
    text = output(["sh", "-c", "Tools/gates/footprint || true"])
    found = re.search(r"resident: (\d+) KiB, empty program (\d+) KiB.*?\(limit (\d+)\)\n"
                      r".*?first prediction: ([\d.]+) ms, empty program ([\d.]+) ms \(limit ([\d.]+)\)", text)
    if not found:
        raise Failure(f"Tools/gates/footprint printed no numbers: {text[-200:]}")
    names = ("resident_kib", "empty_kib", "limit_kib", "start_ms", "empty_ms", "limit_ms")
    return {name: float(value) for name, value in zip(names, found.groups())}


def pixels(report):
    kept = {key: report[key] for key in PIXELS if key in report}
    kept["sections"] = {key: {name: section[name] for name in SECTION if name in section}
                        for key, section in report["sections"].items()}
    return kept
