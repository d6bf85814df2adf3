"""The page about recognition, made from the results on recordings and on generated clips."""

from . import machine, people
from .markdown import NONE, commit, number, percent, table

MEASURES = (
    ("frames right, null included", "frames_right", percent),
    ("frames right of those that sixteen frames decide", "decided_frames_right", percent),
    ("macro F1 of those", "decided_macro_f1", percent),
    ("events found, SHREC 2022 rule", "shrec_found", percent),
    ("false-positive rate by that rule", "shrec_false", percent),
    ("Jaccard by that rule", "shrec_jaccard", percent),
    ("events found, decided until half a second after the end", "lenient_found", percent),
    ("false events a minute by that rule", "false_a_minute", lambda value: number(value, 2)),
    ("Levenshtein accuracy", "levenshtein", percent),
    ("onset to decision, median", "delay_ms", lambda value: number(value, 0, "ms")),
    ("share right less confidence, above 0.85, decided frames", "decided_gap", lambda value: number(value, 3)),
    ("the same of all frames", "gap", lambda value: number(value, 3)),
)
CLASS_COLUMNS = (
    ("frames", "frames", str), ("precision", "precision", percent), ("recall", "recall", percent), ("F1", "f1", percent),
    ("F1, decided frames", "decided_f1", percent), ("events", "events", str), ("found, SHREC", "shrec_found", str),
    ("false, SHREC", "shrec_false", str), ("found, lenient", "lenient_found", str), ("false, lenient", "lenient_false", str),
    ("reported twice", "double", str), ("delay, ms", "delay_ms", lambda value: number(value, 0)),
)
GROUP_COLUMNS = (
    ("clips", "clips", str), ("frames", "frames", str), ("frames right", "frames_right", percent),
    ("decided frames right", "decided_frames_right", percent), ("macro F1", "macro_f1", percent), ("events", "events", str),
    ("found, SHREC", "shrec_found", percent), ("Jaccard", "shrec_jaccard", percent), ("found, lenient", "lenient_found", percent),
    ("false, lenient", "lenient_false", str), ("reported twice", "double", str), ("Levenshtein", "levenshtein", percent),
    ("delay, ms", "delay_ms", lambda value: number(value, 0)),
)


def render(kept):
    lines = [
        "# Recognition", "", "Which settings to take, and what is recognised, missed and false.", "", "## Overview", "", *advice(kept.get("recognition-situations")),
        "`Tools/report recognition` writes this page from what it measures; no number is written by hand. What is marked "
        "*transcribed* was measured by the command that is named, on clips that are not kept, and taken over from the documents of its day. "
        "`Weights/MODEL_CARD.md` says what the networks were trained on and what they are not for.", ""]
    lines += situations(kept.get("recognition-situations"))
    lines += left_out(kept.get("recognition-people"))
    lines += real(kept.get("recognition-real"))
    lines += recordings(kept.get("recognition-clips"))
    lines += head(kept.get("recognition-head"))
    lines += pixels(kept.get("recognition-pixels"))
    return "\n".join(lines).rstrip("\n") + "\n"


def of_today(result):
    """Whether the measured weights are the current ones."""
    return result["weights"] == machine.weights(result["weights"])


def source(result):
    """The origin of a result, in a sentence or two."""
    if mark := result.get("transcribed"):
        text = f"**Transcribed** {mark}. Command: `{result['command']}`; {result['date']}, {commit(result)}."
    else:
        text = f"`{result['command']}`, {result['date']}, {commit(result)}, {result['machine']['cpu']}."
    return text if of_today(result) else text + " **These are not the weights of today.**"


def reported(events):
    return ", ".join(f"{label} at {seconds:.2f} s ({confidence:.2f})" for label, seconds, confidence in events) or "none"


def balance(score):
    return f"{score['found']} of {score['shown']} gestures and {score['more']} more"


def advice(result):
    """The table of settings: what each finds and makes up."""
    if result is None:
        return []
    rows, few = result["copies"][people.COPIES[0]], set(result["few"])

    def line(aim, setting, way, keep=lambda label: True):
        found, shown, false_positives = people.counts(rows, way, keep)
        return [aim, setting, percent(found / shown, 0), number(false_positives / people.minutes(rows), 1)]

    return [*table(["aim", "setting", "found", "false a minute"], [
        line("most gestures", "arms: `GestureEngine(hands:arms:)`, the default of commands", "arms"),
        line("less work, or no body networks", "the hand alone: `GestureEngine(hands:)`, `--no-arms`", "hand"),
        line("fewer false events", "arms and low sensitivity", "low, arms"),
        line("fewest false events", "the same, without `point` and `openPalm` (<doc:Thresholds#Few-false-events>)", "few", lambda label: label in few)]), "",
        "These are people from whom the model has not learned, who do other things between gestures. Where hands move all day, ask for a wake pose first: "
        "<doc:Thresholds#A-wake-pose>. Hold the camera level, show the hand in at least 60 pixels, and take 20 frames a second or more.", ""]


def situations(result):
    """What is found of people from whom the model has not learned, by class and situation."""
    lines = ["## By class and by situation", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    rows, few = result["copies"][people.COPIES[0]], set(result["few"])
    cell = people.cell

    def line(name, some):
        return [name, number(people.minutes(some), 1), cell(some, "hand"), cell(some, "arms"), cell(some, "arms", people.is_pose), cell(some, "poses")]

    labels = list(dict.fromkeys(label for each in rows for key in ("found", "missed", "false_positives") for label in each["arms"][key]))
    _, _, low_false = people.counts(rows, "low, arms")
    few_found, few_shown, few_false = people.counts(rows, "few", lambda label: label in few)
    total = people.minutes(rows)
    return [
        *lines,
        "Each recording was recognised by a model that has not learned from its person (`finetune --people --models`). Every cell is found of shown, then false. "
        f"MediaPipe's recogniser are its networks, run by this engine, with a pose that leads for {people.HELD_SECONDS} s as a gesture; it has no movements, so the "
        f"column before it has the engine's poses alone. `Tools/lab/training/public-recordings` fetches its recordings with their truth, so that anyone can "
        f"measure them. {source(result)}", "",
        *table(["situation", "minutes", "by the hand", "with arms, the default of commands", "of these, poses", "MediaPipe's recogniser"],
               [line("all", rows), *(line(name, some) for name, some in people.sources(rows) + people.situations(rows))]), "",
        *table(["class", "by the hand", "with arms", "MediaPipe's recogniser"], [
            [label, *(cell(rows, way, lambda other, label=label: other == label) for way in ("hand", "arms")),
             cell(rows, "poses", lambda other, label=label: other == label) if people.is_pose(label) else NONE] for label in labels]), "",
        "The same recordings, changed. Upright copies are what a phone that is held upright sees of those whose hand stays "
        f"inside. Slowed are those of {people.SLOW_RATE} frames a second and more, with about {people.SLOWED_RATE} left; a begin counts {people.EARLY} frames before a "
        f"gesture and {people.LATE} after it there, too, which is a longer time.", "",
        *table(["copy", "recordings", "by the hand", "with arms"], [
            [name, str(len(some)), cell(some, "hand"), cell(some, "arms")] for name, some in unchanged_beside(result["copies"])]), "",
        f"Few false events: with arms and `low` there are {low_false} in {total:.1f} minutes; without `point` and `openPalm` as well {few_false}, and "
        f"{few_found} of the {few_shown} other gestures are found.", ""]


def unchanged_beside(copies):
    """(name, rows) of every copy, and before those that only some recordings have the same recordings as they are."""
    whole, out = copies[people.COPIES[0]], []
    for name in (name for name in people.COPIES if name in copies):
        clips = {each["clip"] for each in copies[name]}
        if len(clips) < len(whole):
            out.append((f"{people.COPIES[0]}, those that follow", [each for each in whole if each["clip"] in clips]))
        out.append((name, copies[name]))
    return out


def left_out(result):
    """What heads find of people from whom they have not learned."""
    lines = ["## People left out", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    steady = ""
    if result.get("steady"):
        # The last of the frames and the one after it begin a gesture.
        steady = " At every threshold a gesture also begins that has led for {0} ms above {1}, and one frame longer.".format(*result["steady"])
    lines += [
        "The shipped weights learned from all recordings of this table, so what they find in them says little about others. Here people were left out: in "
        f"{result['folds']} groups of {result['people']} people, a head learned from all other groups (`finetune --people`, {result['seeds']} seeds) and was mixed with "
        f"the weights before it. Found and false, by the weight of what was learned and the threshold, with the hand alone; weight 0 is the weights before. "
        f"Shipped are weight {result['weight']} and threshold {result['threshold']}, learned from all people." + steady, ""]
    for each in result["tables"]:
        thresholds = list(dict.fromkeys(row["threshold"] for row in each["rows"]))
        cells = {(row["weight"], row["threshold"]): f"{row['found']} and {row['false_positives']}" for row in each["rows"]}
        lines += [f"{each['name']}: {each['gestures']} gestures in {each['minutes']} minutes.", "", *table(
            ["weight", *map(str, thresholds)],
            [[str(w), *(cells[w, c] for c in thresholds)] for w in dict.fromkeys(row["weight"] for row in each["rows"])]), ""]
    return lines


def real(result):
    lines = ["## People who were never learned from", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    own, rows, misses = result["totals"]["landmarks"], [], []
    for clip in result["clips"]:
        shown = len(clip["found"]) + len(clip["missed"])
        rows.append([
            clip["clip"], number(clip["seconds"], 1, "s"), of(clip["hand_frames"], clip["frames"]), str(shown) if shown else "nothing",
            ", ".join(f"{label} {start}-{end}" for label, start, end, *_ in clip["found"]) or NONE,
            ", ".join(f"{label} {start}-{end}" for label, start, end, *_ in clip["missed"]) or NONE,
            ", ".join(f"{label} at {frame} ({confidence:.2f})" for label, frame, confidence in clip["false_positives"]) or NONE,
            *(f"{clip[way]['found']} and {clip[way]['false_positives']}" for way in ("arms", "pixels"))])
        misses += [[clip["clip"], f"{label} {start}-{end}", NONE if hands is None else str(hands), str(scored), *seen(best)]
                   for label, start, end, hands, scored, best in clip["missed"]]
    rows.append(["all", number(own["seconds"] / 60, 1, "min"), "", str(own["gestures"]), str(own["found"]), str(own["missed"]), str(own["false_positives"]),
                 *(f"{result['totals'][way]['found']} and {result['totals'][way]['false_positives']}" for way in ("arms", "pixels"))])
    wake = result.get("wake")
    asleep = [f"With arms, and with the pose `{wake['pose']}` asked for before gestures count, {wake['false_positives']} false events remain "
              f"(<doc:Thresholds#A-wake-pose>).", ""] if wake else []
    shown = {clip["clip"].split("-")[0] for clip in result["clips"]}
    settings = {(each["way"], each["sensitivity"]): f"{each['found']} and {each['false_positives']}" for each in result["settings"]}
    return lines + [
        f"The shipped weights on recordings of {len(shown)} people that `Tools/lab/training/public-recordings --test` fetches, labelled frame by frame. "
        "Neither weights nor settings were chosen by them. Found and false, by sensitivity:", "",
        *table(["sensitivity", "landmarks", "with arms"], [[s, settings["landmarks", s], settings["arms", s]] for s in ("low", "medium", "high")]), "", *asleep,
        "A gesture is found by a begin of its label from 5 frames before its start to 10 frames after its end, and every other "
        f"begin is false, outside of frames that count neither way. {source(result)}", "",
        *table(["recording", "length", "frames with a hand", "shows", "found by landmarks", "missed", "false", "found and false with arms", "by pixels"], rows), "",
        "What landmarks saw of a gesture that they missed, in the frames in which it could have been reported: how many of them have a hand, how many have scores, where its own "
        "class was most probable, behind the median, and which class led there.", "",
        *table(["recording", "missed", "frames with a hand", "with scores", "its class at most", "at frame", "led by"], misses), ""]


def of(part, whole):
    return NONE if part is None else f"{part} of {whole}"


def seen(best):
    if best is None:
        return [NONE, NONE, NONE]
    frame, confidence, leader, leading = best
    return [f"{confidence:.2f}", str(frame), f"{leader} ({leading:.2f})"]


def recordings(result):
    lines = ["## Recordings of real hands", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    scores, demo, composed = result["scores"], result["demo"], result["composed_demo"]
    rows = [[row["clip"], row["source"], ", ".join(row["shows"]) or "nothing", reported(row["landmarks"]), reported(row["pixels"])]
            for row in result["recordings"]]
    rows.append(["all", "", "", balance(scores["landmarks"]), balance(scores["pixels"])])
    return lines + [
        "gestop (Apache-2.0, 10 frames a second laid on a grid of 30) and kusanagi-effect (MIT). The landmark head learned from gestop's, too, "
        "so they show what it does and test nothing; it has not learned from kusanagi-effect's. An event has the time at which "
        f"it was decided, and its confidence. {source(result)}", "",
        *table(["clip", "of", "shows", "by landmarks", "by pixels"], rows), "",
        f"`Weights/demo/hands.mp4` joins six of gestop's recordings, with a mosaic instead of the face and a second of gray between them: "
        f"{balance(demo['score'])}, {reported(demo['landmarks'])}. `hands.jsonl` beside it is the whole log.", "",
        f"`Weights/demo/demo.mp4` is a composed clip of held-out hands, recognised by pixels: {composed['right']} of "
        f"{composed['shown']} gestures, {composed['said'] - composed['right']} more. `events.jsonl` beside it is what it must give on every tier.", ""]


def head(result):
    lines = ["## Landmarks on held-out skeletons", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    held, null = result["held_out"], result["null"]
    return lines + [
        "Skeletons in motion of hands and recorded closings that were not trained on, with the tracker's faults, in int8 and with the rules "
        f"of the file. {source(result)}", "",
        *table([f"on {held['clips']} clips of 10 s", ""], [
            ["gestures found", percent(held["detection"])], ["Levenshtein accuracy", percent(held["levenshtein"])],
            ["median decision after the onset", number(held["delay"], 0, "ms", 1000)],
            ["false events a minute", number(held["false"], 2)],
            [f"and of {null['minutes']:.0f} minutes in which nothing is meant", number(null["false"], 2)]]), "",
        "<doc:Teaching#How-well-it-works> says what remains of it when gestures are taught.", ""]


def pixels(result):
    lines = ["## Pixels on held-out clips", ""]
    if result is None:
        return [*lines, "Not measured yet.", ""]
    models = result["models"]
    lines += [f"{result['clips']} composed clips of hands, backgrounds and motions that training never saw. {source(result)}", ""]
    lines += table(["", *models], [[title, *(text(model.get(key)) for model in models.values())] for title, key, text in MEASURES])
    if null := result.get("null"):
        poses = f", {null['poses']} of them static poses" if "poses" in null else ""
        lines += ["", f"On {null['minutes']:.1f} minutes of held-out clips in which nothing is meant it reports {null['events']} gestures{poses}."]
    for title, key, columns in (("By class", "classes", CLASS_COLUMNS), ("By rate of the grid, Hz", "rate", GROUP_COLUMNS),
                                ("By light", "lighting", GROUP_COLUMNS)):
        rows = [[name, *(NONE if row.get(key) is None else text(row[key]) for _, key, text in columns)] for name, row in result[key].items()]
        lines += ["", f"{title}, int8:", "", *table(["", *(column for column, _, _ in columns)], rows)]
    return lines + ["", "<doc:Design#D17-What-counts-as-found> says what counts as found."]
