"""Recognises recorded clips, and takes over results that were measured elsewhere on generated clips."""

import json
import pathlib
import tempfile

from . import machine, people
from .machine import ROOT, Failure, output

# Recordings of real hands that were not used for training, and the gestures that each shows, in order.
RECORDINGS = (
    ("clockwise.gif", "gestop", []), ("counterclockwise.gif", "gestop", []), ("grab.gif", "gestop", ["grab"]),
    ("swipedown.gif", "gestop", ["swipeDown"]), ("swipeleft.gif", "gestop", ["swipeLeft"]),
    ("swiperight.gif", "gestop", ["swipeRight"]), ("swipeup.gif", "gestop", ["swipeUp"]), ("tap.gif", "gestop", ["tap"]),
    ("hand.mp4", "kusanagi-effect", ["openPalm", "grab"]),
)
DEMO = ["swipeDown", "swipeLeft", "grab", "swipeUp", "swipeRight", "tap"]
# Options of each way to recognise recordings of people.
WAYS = {"landmarks": ["--front-end", "landmarks", "--no-arms"], "arms": ["--front-end", "landmarks", "--arms"], "pixels": ["--front-end", "pixels"]}
SENSITIVITIES = ("low", "medium", "high")
# The pose that has to be held before gestures count, where false events are to be fewest.
WAKE = "victory"
HEAD, PIXELS = "hands/hand-gestures.safetensors", "gesture-tcn-int8.safetensors"
ALL = (HEAD, "hands/hand-landmark-lite.safetensors", "hands/palm-detection-lite.safetensors", PIXELS)
# An event counts until this many seconds after its gesture's end, as in the tests of the demo.
SLACK = 0.25


def measure(options):
    """(name, result) of each measurement."""
    bench = options.bench.resolve()
    machine.need(bench, "ffmpeg", "ffprobe")
    machine.need_paths(options.clips, options.real, options.held_out, options.null, options.head, options.people)
    if options.real and options.people:
        yield "recognition-situations", people.measure(bench, options.real.resolve(), options.people.resolve())
    elif options.real:
        yield "recognition-real", real(bench, options.real)
    if options.clips:
        yield "recognition-clips", clips(bench, options.clips)
    if options.held_out:
        yield "recognition-pixels", held_out(bench, options.held_out, options.null)
    if options.head:
        yield "recognition-head", head(options.head)


def begins(bench, clip, way):
    """[label, seconds, confidence] of each gesture of a clip."""
    lines = output([bench, "replay", clip, *WAYS[way], "--json"]).splitlines()
    events = [json.loads(line) for line in lines]
    return [[e["label"], round(e["decision_s"], 2), round(e["confidence"], 2)] for e in events if e.get("event") == "begin"]


def in_order(shown, said):
    """How many of the labels shown are reported, in order."""
    longest = [0] * (len(said) + 1)
    for label in shown:
        before = 0
        for index, other in enumerate(said):
            kept = longest[index + 1]
            longest[index + 1] = before + 1 if label == other else max(longest[index], kept)
            before = kept
    return longest[-1]


def score(rows, front_end):
    """Gestures shown, found and false in clips with known gestures."""
    shown = sum(len(row["shows"]) for row in rows)
    found = sum(in_order(row["shows"], [event[0] for event in row[front_end]]) for row in rows)
    return {"shown": shown, "found": found, "more": sum(len(row[front_end]) for row in rows) - found}


def clips(bench, folder):
    rows = []
    for name, source, shows in RECORDINGS:
        found = sorted(folder.resolve().rglob(name))
        if len(found) != 1:
            raise Failure(f"{folder} should have one {name} below, not {len(found)}")
        rows.append({"clip": name, "source": source, "shows": shows, **{way: begins(bench, found[0], way) for way in WAYS}})
    demo = {"clip": "hands.mp4", "shows": DEMO, "landmarks": begins(bench, "Weights/demo/hands.mp4", "landmarks")}
    truth = json.loads((ROOT / "Weights/demo/demo.json").read_text())["events"]
    said = begins(bench, "Weights/demo/demo.mp4", "pixels")
    right = sum(any(label == true["label"] and true["onset_s"] < time < true["end_s"] + SLACK for true in truth) for label, time, _ in said)
    return machine.provenance("Tools/report recognition CLIPS") | {
        "weights": machine.weights(ALL),
        "recordings": rows, "scores": {way: score(rows, way) for way in WAYS},
        "demo": demo | {"score": score([demo], "landmarks")},
        "composed_demo": {"clip": "demo.mp4", "shown": len(truth), "said": len(said), "right": right}}


def real(bench, folder):
    """Recordings of people, each with a truth.csv: by the hand at each sensitivity, with and without arms, and by pixels."""
    reports = {(way, sensitivity): json.loads(output([bench, "accuracy", folder.resolve(), *WAYS[way], "--sensitivity", sensitivity, "--json"]))
               for way in ("landmarks", "arms") for sensitivity in SENSITIVITIES}
    pixels = json.loads(output([bench, "accuracy", folder.resolve(), *WAYS["pixels"], "--json"]))
    totals = {name: {key: rounded(value) for key, value in report["total"].items()}
              for name, report in (("landmarks", reports["landmarks", "medium"]), ("arms", reports["arms", "medium"]), ("pixels", pixels))}
    settings = [{"way": way, "sensitivity": sensitivity, "found": report["total"]["found"], "false_positives": report["total"]["false_positives"]}
                for (way, sensitivity), report in reports.items()]
    awake = json.loads(output([bench, "accuracy", folder.resolve(), *WAYS["arms"], "--wake-pose", WAKE, "--json"]))
    shown = (reports["landmarks", "medium"], reports["arms", "medium"], pixels)
    clips = [of_recording(*three) for three in zip(*(report["clips"] for report in shown))]
    return machine.provenance("Tools/report recognition --real DIR") | {
        "weights": machine.weights(ALL), "totals": totals, "settings": settings,
        "wake": {"pose": WAKE, "false_positives": awake["total"]["false_positives"]}, "clips": clips}


def rounded(value):
    return round(value, 2) if isinstance(value, float) else value


def of_recording(clip, arms, pixels):
    """A page's data about a recording: landmarks in detail, confidences to two places, and the counts with arms and of pixels."""
    return {
        "clip": clip["name"], "seconds": rounded(clip["seconds"]), "frames": clip["frames"], "hand_frames": clip.get("hand_frames"),
        "found": [[g["label"], g["start"], g["end"], g["begin"], rounded(g["confidence"])] for g in clip["found"]],
        "missed": [[m["label"], m["start"], m["end"], m.get("hand_frames"), m["scored_frames"],
                    [m["best"]["frame"], rounded(m["best"]["confidence"]), m["best"]["leader"], rounded(m["best"]["leader_confidence"])]
                    if m.get("best") else None] for m in clip["missed"]],
        "false_positives": [[b["label"], b["frame"], rounded(b["confidence"])] for b in clip["false_positives"]],
        "arms": {"found": len(arms["found"]), "false_positives": len(arms["false_positives"])},
        "pixels": {"found": len(pixels["found"]), "false_positives": len(pixels["false_positives"])}}


def held_out(bench, folder, null):
    """The pixel network on composed clips with label files: the bundled model, and its checkpoint without int8."""
    with tempfile.TemporaryDirectory() as temporary:
        models = {"int8": None}
        for precision in ("float32", "float16"):
            models[precision] = pathlib.Path(temporary) / f"{precision}.safetensors"
            output([bench.parent / "gesture-import", "import", "Weights/checkpoint.safetensors", "--precision", precision,
                    "--compare-frames", "0", "--output", models[precision]])
        reports = {name: accuracy(bench, folder, path) for name, path in models.items()}
    shipped = reports["int8"]
    result = machine.provenance("Tools/report recognition --held-out DIR --null DIR") | {
        "weights": machine.weights([PIXELS]),
        "clips": shipped["overall"]["clips"], "models": {name: measures(report["overall"]) for name, report in reports.items()},
        "classes": {label: of_class(shipped["classes"][label]) for label in shipped["labels"] if label in shipped["classes"]},
        "rate": {name: of_group(group) for name, group in shipped["groups"]["rate"].items()},
        "lighting": {name: of_group(group) for name, group in shipped["groups"]["lighting"].items()}}
    if null:
        footage = accuracy(bench, null, None)["overall"]["null_footage"]
        result["null"] = {"minutes": footage["minutes"], "events": footage["false_positives"]}
    return result


def accuracy(bench, folder, model):
    more = ["--model", model] if model else []
    return json.loads(output([bench, "accuracy", folder, "--front-end", "pixels", "--json", *more]))


def measures(m):
    return {
        "frames_right": m["frames"].get("top1"), "decided_frames_right": m["decided_frames"].get("top1"),
        "decided_macro_f1": m["decided_frames"].get("macro_f1"), "shrec_found": m["shrec"].get("detection_rate"),
        "shrec_false": m["shrec"].get("false_positive_rate"), "shrec_jaccard": m["shrec"].get("jaccard"),
        "lenient_found": m["lenient"].get("detection_rate"), "false_a_minute": m["lenient"].get("false_positives_per_minute"),
        "levenshtein": m.get("levenshtein_accuracy"), "delay_ms": m["lenient"]["onset_to_decision"].get("median_ms"),
        "gap": m["frames"]["above_threshold"].get("gap"), "decided_gap": m["decided_frames"]["above_threshold"].get("gap")}


def of_class(c):
    row = {"frames": c["all"]["frames"], "precision": c["all"].get("precision"), "recall": c["all"].get("recall"),
           "f1": c["all"].get("f1"), "decided_f1": c["decided"].get("f1")}
    if events := c.get("events"):
        row |= {"events": events["truths"], "shrec_found": events["shrec_found"], "shrec_false": events["shrec_false_positives"],
                "lenient_found": events["lenient_found"], "lenient_false": events["lenient_false_positives"],
                "double": events["double_fires"], "delay_ms": events["onset_to_decision"].get("median_ms")}
    return row


def of_group(m):
    return {"clips": m["clips"], "frames": m["frames"]["frames"], "macro_f1": m["frames"].get("macro_f1"), "events": m["shrec"]["truths"],
            "lenient_false": m["lenient"]["false_positives"], "double": m["lenient"]["double_fires"]} | {
        key: value for key, value in measures(m).items()
        if key in ("frames_right", "decided_frames_right", "shrec_found", "shrec_jaccard", "lenient_found", "levenshtein", "delay_ms")}


def head(path):
    try:
        measured = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from None
    for name in ("held_out", "null"):
        if name not in measured:
            raise Failure(f"{path} has no {name}: handtrain.evaluate --held-out ... --null ... --output {path}")
    keys = ("detection", "levenshtein", "delay", "false", "again", "clips", "minutes")
    return machine.provenance("handtrain.evaluate, Tools/report recognition --head FILE") | {"weights": machine.weights([HEAD])} | {
        name: {key: measured[name][key] for key in keys if key in measured[name]} for name in ("held_out", "null")}
