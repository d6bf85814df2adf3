"""The parts of README that quote results: ten numbers at most."""

from .markdown import number, percent, table
from .recognition_page import of_today
from .speed_page import kind, ordered


def blocks(speeds, kept):
    return {"recognition": recognition(kept.get("recognition-real"), kept.get("recognition-clips"), kept.get("recognition-head")),
            "speed": speed(speeds)}


def recognition(real, clips, head):
    if clips is None or not of_today(clips):
        return ["Not measured yet with these weights; `Tools/report recognition` does it."]
    return table(["recordings of people", "gestures", "found by landmarks", "made up", "with arms"], rows(real, clips)) + ["", *sentences(head)]


def rows(real, clips):
    """The rows of the table: recordings with truth first."""
    lines = []
    if real and of_today(real):
        own, other = real["totals"]["landmarks"], real["totals"]["arms"]
        lines.append([f"{own['clips']} of strangers, {own['seconds'] / 60:.1f} minutes", str(own["gestures"]), str(own["found"]),
                      str(own["made_up"]), f"{other['found']} and {other['made_up']}"])
    landmarks, arms = clips["scores"]["landmarks"], clips["scores"]["arms"]
    lines.append([f"{len(clips['recordings'])} looked at while training", str(landmarks["shown"]), str(landmarks["found"]),
                  str(landmarks["more"]), f"{arms['found']} and {arms['more']}"])
    return lines


def sentences(head):
    if not (head and of_today(head)):
        return []
    return [f"On simulated hands that were held out, landmarks find {percent(head['held_out']['detection'], 0)}; where nothing is meant they "
            f"make up {head['null']['false']:.1f} a minute."]


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
