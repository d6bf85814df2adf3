"""The parts of README that quote results: ten numbers at most."""

from .markdown import number, percent, table
from .recognition_page import of_today
from .speed_page import kind, ordered


def blocks(speeds, kept):
    return {"recognition": recognition(kept.get("recognition-real"), kept.get("recognition-head")),
            "speed": speed(speeds)}


def recognition(real, head):
    if real is None or not of_today(real):
        return ["Not measured yet with these weights; `Tools/report recognition --real DIR` does it."]
    own = real["totals"]["landmarks"]
    counts = {(each["way"], each["sensitivity"]): [str(each["found"]), str(each["false_positives"])] for each in real["settings"]}
    return [f"Of {own['gestures']} gestures of {own['clips']} recordings of people, {own['seconds'] / 60:.1f} minutes:", "",
            *table(["sensitivity", "found", "false", "with arms: found", "false"], [
        [name, *counts["landmarks", sensitivity], *counts["arms", sensitivity]]
        for name, sensitivity in (("low", "low"), ("medium, the default", "medium"), ("high", "high"))]), "", *sentences(head)]


def sentences(head):
    if not (head and of_today(head)):
        return []
    return [f"On simulated hands, held out, landmarks find {percent(head['held_out']['detection'], 0)}; where nothing is meant they "
            f"report {head['null']['false']:.1f} a minute."]


def row_of(rows, name):
    return next(row for row in rows if row["what"] == name)


def speed(speeds):
    """One machine's numbers: those of the best tier."""
    if not speeds:
        return ["Not measured yet with these sources; `Tools/report speed` does it."]
    tier, result = ordered(speeds)[0]
    tracked = row_of(result["hands"]["best"]["rows"], "tracked frame, 1280x720")
    step = row_of(result["pixels"]["targets"], "int8 streaming step")
    latency, counted = result["latency"], sum(found["allocations"] for found in result["allocations"].values())

    def ms(microseconds):
        return number(microseconds, 2, "ms", 1e-3)

    return table([f"one core, {kind(tier)}", "time", "of the time of"], [
        ["landmarks, frame of 1280x720 with a hand", ms(latency["landmarks"]["tracked"]["p50_us"]), f"{tracked['ratio']:.2f}: MediaPipe's graph"],
        ["landmarks, still picture without a hand, mean", ms(latency["empty_scene"]["step_mean_us"]), ""],
        ["pixels, frame of 1280x720", ms(latency["pixels"]["streaming"]["step"]["p50_us"]),
         f"{step['ratio']:.2f}: {step['peer_name']}, the network alone"],
    ]) + ["", f"{counted or 'No'} heap allocations were counted after the first frames."]
