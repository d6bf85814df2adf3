"""The page about speed, made from the results of all machines."""

from . import streams_page
from .machine import ROOT
from .markdown import NONE, commit, number, table, verdict

# tier -> name of such a machine. A page without a result of one of the first two states that it is missing.
KINDS = {"avx512vnni": "AVX-512 VNNI", "avxvnni": "AVX-VNNI", "avx2": "AVX2 alone", "i8mm": "NEON with i8mm", "dotprod": "NEON with dot products",
         "neon": "NEON", "portable": "portable tier"}
EXPECTED = ("avx512vnni", "avx2")
WORKS = (("step", "step"), ("step-trimmed", "step, trimmed"), ("encoder", "encoder"), ("window", "window"),
         ("window-by-frame", "window by frame"))
FORMS = (("int8", "int8"), ("fp32", "float32"))
NETWORKS = {"hand_landmark_lite.tflite": "hand landmarks", "palm_detection_lite.tflite": "palm detection",
            "pose_landmark_full.tflite": "body landmarks", "pose_detection.tflite": "body detection"}


def ordered(speeds):
    """(tier, result), the best tier first."""
    known = [tier for tier in KINDS if tier in speeds]
    return [(tier, speeds[tier]) for tier in known + sorted(set(speeds) - set(known))]


def kind(tier):
    return KINDS.get(tier, tier)


def render(speeds, streams):
    lines = [
        "# Speed", "", "What a frame costs here, and what it costs others.", "", "## Overview", "",
        "`Tools/report speed` writes this page from what it measures; no number is written by hand. Everything runs on one core, with one "
        "thread and batch 1. Engines take turns, round after round, so that what else the machine does hits all alike; times are medians. "
        "A ratio is our time divided by that of the best other engine: below 1 is faster. `Tools/lab/peers/README.md` says how the comparison "
        "is kept fair.", ""]
    lines += sizes()
    missing = [tier for tier in EXPECTED if tier not in speeds]
    lines += [f"Not measured yet on a machine with {kind(tier)}: run the command there." for tier in missing]
    lines += [""] * bool(missing)
    if speeds:
        lines += machines(speeds) + summary(speeds)
    for tier, result in ordered(speeds):
        lines += one(tier, result)
    lines += streams_page.render(streams)
    return "\n".join(lines).rstrip("\n") + "\n"


def sizes():
    """The current sizes of the networks' files."""
    hands = sum(path.stat().st_size for path in (ROOT / "Weights/hands").glob("*.safetensors"))
    pixels = (ROOT / "Weights/gesture-tcn-int8.safetensors").stat().st_size
    return [f"`GestureHands` brings {hands / 1e6:.2f} MB of networks beside the program; the pixel network takes {pixels / 1e6:.2f} MB inside it.", ""]


def machines(speeds):
    columns = ordered(speeds)

    def row(name, value):
        return [name, *(value(result) for _, result in columns)]

    return ["## Machines", "", *table(["", *(kind(tier) for tier, _ in columns)], [
        row("CPU", lambda r: r["machine"]["cpu"]),
        row("features", lambda r: ", ".join(r["machine"]["features"]) or NONE),
        row("cores, memory", lambda r: f"{r['machine']['cores']}, {r['machine']['memory_gib']} GiB"),
        row("system", lambda r: r["machine"]["system"]),
        row("date, commit", lambda r: f"{r['date']}, {commit(r)}"),
        row("rounds, minutes", lambda r: f"{r['rounds']}, {r['minutes']:.0f}"),
        row("load before and after", lambda r: f"{r['load_before']:.2f}, {r['load_after']:.2f}"),
    ]), ""]


def summary(speeds):
    """This engine alone, with one column for each machine."""
    columns = ordered(speeds)

    def row(name, value):
        return [name, *(value(result) for _, result in columns)]

    def stage(report, *path):
        def value(result):
            found = result["latency"].get(report)
            if found is None:
                return NONE
            for key in path:
                found = found[key]
            return number(found, 3 if report == "pixels" else 2, "ms", 1e-3)
        return value

    return ["## Ours alone", "", *table(["", *(kind(tier) for tier, _ in columns)], [
        row("landmarks: frame of 1280x720 with a hand, median", stage("landmarks", "tracked", "p50_us")),
        row("95th percentile", stage("landmarks", "tracked", "p95_us")),
        row("every frame, mean", stage("landmarks", "step_mean_us")),
        row("frame in which a palm is looked for, palm detector alone", stage("landmarks", "streaming", "palm", "p50_us")),
        row("every frame, mean, with arms", stage("arms", "step_mean_us")),
        row("every frame, 99th percentile, with arms", stage("arms", "streaming", "step", "p99_us")),
        row("frame of a still picture without a hand, mean", stage("empty_scene", "step_mean_us")),
        row("pixels: frame of 1280x720, median", stage("pixels", "streaming", "step", "p50_us")),
        row("95th percentile", stage("pixels", "streaming", "step", "p95_us")),
        row("network alone", stage("pixels", "streaming", "network", "p50_us")),
        row("model loaded and first prediction of 16 frames", stage("pixels", "cold_us")),
        row("program from its start to the end of its first prediction", lambda r: number(r["footprint"]["start_ms"], 0, "ms")),
        row("memory more than an empty program's", lambda r: f"{(r['footprint']['resident_kib'] - r['footprint']['empty_kib']) / 1024:.1f} MiB"),
        row("heap allocations, landmarks", lambda r: allocations(r, "landmarks")),
        row("heap allocations, pixels", lambda r: allocations(r, "pixels")),
    ]), "", "`gesture-bench latency` gives the stages, `gesture-bench allocations` the heap, `Tools/gates/footprint` memory and start. "
        "`gesture-bench layers` and `gesture-bench graph MODEL --input X.npy --time 100` time the layers; <doc:Design#D12-Microseconds> says where the "
        "rest goes.", ""]


def allocations(result, front_end):
    found = result["allocations"][front_end]
    return f"{found['allocations']} in {found['frames']} frames"


def one(tier, result):
    name = kind(tier)
    lines = [f"## {name}: landmarks", ""]
    lines += hands(result["hands"]["best"], "")
    if "avx2" in result["hands"]:
        lines += ["The same machine with our kernels for AVX2, LiteRT and MediaPipe free to use what the CPU has, which is not "
                  "what a machine with AVX2 alone gives:", "", *hands(result["hands"]["avx2"], "AVX2 kernels")]
    return lines + [f"## {name}: pixels", "", *pixels(result["pixels"]), f"## {name}: stages", "", *stages(result)]


def stages(result):
    """The times of a frame's stages, and what the lower tiers would take."""
    rows = []
    for report, whole, parts in (("pixels", "pixels, whole frame", ("preprocess", "encoder", "temporal", "recognition")),
                                 ("landmarks", "landmarks, whole frame", ("crop", "landmark", "palm", "motion", "features", "temporal", "recognition"))):
        streaming = result["latency"][report]["streaming"]
        rows += [[name, *(number(streaming[key][at], 1) for at in ("min_us", "p50_us", "p95_us", "p99_us")), str(streaming[key]["n"])]
                 for key, name in (("step", whole), *((part, "– " + part) for part in parts if part in streaming))]
    lines = table(["microseconds", "least", "median", "p95", "p99", "n"], rows)
    if result["tiers"]:
        lines += ["", "The same machine, held to a tier below:", "", *table(["tier", "pixels, network", "landmarks, frame with a hand"], [
            [f"`{tier}`", number(found["network_us"], 2, "ms", 1e-3), number(found["tracked_us"], 2, "ms", 1e-3)]
            for tier, found in result["tiers"].items()])]
    return lines + [""]


def hands(report, note):
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    rows = [[NETWORKS.get(r["what"], r["what"]), r["form"], number(r["ours_p50_us"], 2, "ms", 1e-3), number(r["ours_p99_us"], 2, "ms", 1e-3),
             number(r["peer_p50_us"], 2, "ms", 1e-3), number(r["peer_p99_us"], 2, "ms", 1e-3), number(r["ratio"], 2),
             number(r["target"], 2), verdict(r["met"])] for r in report["rows"]]
    # Targets apply to machines, not to a restricted tier.
    if note:
        rows = [row[:-2] for row in rows]
    header = ["what", "our arithmetic", "ours, median", "p99", "theirs, median", "p99", "ratio", "target, at most", ""]
    return [f"Networks against LiteRT, a tracked frame against MediaPipe's graph, both in float32 ({versions}); {report['rounds']} rounds:",
            "", *table(header[:len(rows[0])], rows), ""]


def pixels(report):
    versions = ", ".join(f"{report['names'].get(key, key)} {version}" for key, version in report["versions"].items())
    lines = [f"{versions}, OpenCV {report['opencv']}, libyuv {report['libyuv']}; weights: {report['weights']}; {report['rounds']} rounds:", ""]
    lines += table(["what", "ours", "best other", "ratio", "of least", "target, at most", ""], [
        [t["what"], number(t["ours"], *digits(t)), f"{number(t['peer'], *digits(t))} ({t['peer_name']})", number(t["ratio"], 2),
         number(t["ratio_of_least"], 2), number(t["target"], 2), verdict(t["met"])] for t in report["targets"]])
    lines += ["", "*Of least* compares the shortest single runs; where it differs from the ratio the machine was busy. The engine shrinks "
              "by the mean of all pixels, as OpenCV's `INTER_AREA` and libyuv's box filter do; *four pixels* is what others do by default.",
              "", *table(["ours alone", "found", "target, at most", ""],
                         [[a["what"], a["found"], a["target"], verdict(a["met"])] for a in report["absolutes"]])]
    for section in report["sections"].values():
        forms = [(key, label) for key, label in FORMS if any(f"/{key}/" in name for name in section["median_us"])]
        limits = "".join(f"; {key}={value}" for key, value in section["environment"].items())
        header = ["engine", *(f"{label} {work}" for _, label in forms for _, work in WORKS)]
        engines = list(dict.fromkeys(name.split("/")[0] for name in section["median_us"]))
        rows = [[report["names"].get(engine, engine), *(number(median(section, engine, form, work), 3, "", 1e-3)
                                                       for form, _ in forms for work, _ in WORKS)] for engine in engines]
        lines += ["", f"{section['title']}{limits}; milliseconds:", "", *table(header, rows)]
        lines += [f"\n{report['names'].get(name, name)} failed: {why}" for name, why in section["failures"].items()]
    lines += ["", "*Step* is the encoder on the newest frame and the temporal layers on what is kept, *trimmed* without temporal positions that "
              "do not reach the last step; *window* is all 16 frames in one call, *by frame* in 16. Int8 against float32, on "
              f"{report['windows']} windows:", ""]
    lines += table(["engine", "signal to noise", "same class", ""], [
        [engine(report, a["engine"]), "exact" if a["snr_db"] is None else f"{a['snr_db']:.1f} dB", f"{100 * a['same_class']:.1f} %",
         "agrees" if a["good"] else "**off**"] for a in report["agreement"] if a["form"] == "int8"])
    return lines + [""]


def digits(target):
    return (3 if target["unit"] == "ms" else 1), target["unit"]


def median(section, engine, form, work):
    found = section["median_us"].get(f"{engine}/{form}/{work}")
    if found is None and engine == "ours":
        # This engine never computes the trimmed part, and computes a window in only one way.
        found = section["median_us"].get(f"ours/{form}/" + {"step": "step-trimmed", "window-by-frame": "window"}.get(work, work))
    return found


def engine(report, key):
    name, *rest = key.split(", ")
    return ", ".join([report["names"].get(name, name), *rest])
