"""The effect of added classes on the others: the engine with the old and the new model, on the same clips.

`python -m gesturetrain.adding BEFORE AFTER CLIPS --heldout DIR` prints a table. CLIPS has one subfolder per class, each video with its label JSON;
HELDOUT is a folder of clips of the old classes. Labels that the old model does not have count as null for it, so its events there are false.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from safetensors import safe_open

from .columns import BENCH


def labels(model):
    """-> (labels of a model file, the null one)."""
    with safe_open(model, "np") as file:
        metadata = file.metadata()
    names = json.loads(metadata["labels"])
    return names, names[int(metadata["null_index"])]


def readable(truth, names, null):
    """The object of a label file, with labels outside `names` changed to null."""
    runs = [[a, b, name if name in names else null] for a, b, name in truth["labels"]]
    return truth | {"labels": runs, "events": [e for e in truth["events"] if e["label"] in names]}


def gather(source, out, names, null):
    """Collects all videos below `source` in one folder, with labels for a model with the classes `names`."""
    for described in sorted(source.rglob("*.json")):
        videos = [v for v in described.parent.glob(described.stem + ".*") if v != described]
        if videos:
            os.symlink(videos[0].resolve(), out / videos[0].name)
            (out / described.name).write_text(json.dumps(readable(json.loads(described.read_text()), names, null)))


def accuracy(model, clips, bench=BENCH):
    """The report of `gesture-bench accuracy` on all videos below `clips`."""
    with tempfile.TemporaryDirectory() as folder:
        gather(clips, pathlib.Path(folder), *labels(model))
        run = subprocess.run([bench, "accuracy", folder, "--model", model, "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value):
    return "-" if value is None else f"{value:.2f}"


def measures(report, old):
    """[(name, value)] of a report; F1 over those of the classes `old` that occur."""
    whole = report["overall"]
    shown = [report["classes"][n]["decided"] for n in old if report["classes"].get(n, {"decided": {"frames": 0}})["decided"]["frames"]]
    decided, lenient, shrec = whole["decided_frames"], whole["lenient"], whole["shrec"]
    return [("decided frames right", percent(decided.get("top1"))), ("decided frames, macro F1", percent(sum(c.get("f1") or 0 for c in shown) / max(len(shown), 1))),
            ("events found, SHREC", f"{shrec['found']} of {shrec['truths']}"),
            ("events found, lenient", f"{lenient['found']} of {lenient['truths']}"),
            ("false events a minute", number(lenient.get("false_positives_per_minute")))]


def of_class(report, name):
    """[(name, value)] of one class in a report."""
    found = report["classes"].get(name)
    if found is None or not found["decided"]["frames"]:
        return [("decided frames right", "-"), ("events found, SHREC", "-"), ("events found, lenient", "-"), ("false events", "-")]
    events = found["events"]
    return [("decided frames right", percent(found["decided"].get("recall"))), ("events found, SHREC", f"{events['shrec_found']} of {events['truths']}"),
            ("events found, lenient", f"{events['lenient_found']} of {events['truths']}"), ("false events", str(events["lenient_false_positives"]))]


def table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows)


def compare(before, after, clips, heldout, bench=BENCH):
    """-> rows of text: measure, before, after."""
    added = [n for n in labels(after)[0] if n not in labels(before)[0]]
    rows = [("", "before", "after"), ("classes", *(str(len(labels(m)[0])) for m in (before, after))),
            ("model, bytes", *(f"{os.path.getsize(m):,}" for m in (before, after)))]
    if heldout:
        rows += [(f"old classes: {a}", b, c) for (a, b), (_, c) in zip(*(measures(accuracy(m, heldout, bench), labels(before)[0]) for m in (before, after)))]
    old, new = (accuracy(m, clips, bench) for m in (before, after))
    for name in added:
        rows += [(f"{name}: {a}", "-", b) for a, b in of_class(new, name)]
    null = [m["overall"]["lenient"].get("false_positives_per_minute") for m in (old, new)]
    rows.append(("new clips: false events a minute", *map(number, null)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("--heldout", type=pathlib.Path)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    args = parser.parse_args()
    print(table(compare(args.before, args.after, args.clips, args.heldout, args.bench)))


if __name__ == "__main__":
    main()
