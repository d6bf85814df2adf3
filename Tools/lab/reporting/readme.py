"""The parts of README that quote results: ten numbers at most."""

from . import people
from .markdown import number, percent, table
from .recognition_page import of_today
from .speed_page import kind, ordered


def blocks(speeds, kept):
    return {"recognition": recognition(kept.get("recognition-situations"), kept.get("recognition-real"), kept.get("recognition-head")),
            "speed": speed(speeds)}


def recognition(result, test, head):
    """Found and false of people left out: all, by situation, and upright, beside MediaPipe's recogniser; then of people who were never learned from."""
    if result is None or not of_today(result):
        return ["Not measured yet with these weights; `Tools/report recognition --real DIR --people MODELS` does it."]
    rows, upright = (result["copies"][name] for name in people.COPIES[:2])
    slow = people.situations(rows)[0]

    def line(name, some, *keep):
        return [name, number(people.minutes(some), 1), *(people.cell(some, way, *keep) for way in ("hand", "arms"))]

    return ["Found and made up of people from whom the weights had not learned:", "", *table(["", "minutes", "by the hand", "with arms"], [
        line("recordings of people", rows), line(slow[0], slow[1]), line("some of them, upright", upright),
        line(f"poses alone; MediaPipe's recogniser: {people.cell(rows, 'poses')}", rows, people.is_pose), *tested(test)]), "", *sentences(head)]


def tested(result):
    if result is None or not of_today(result):
        return []
    totals = [result["totals"][way] for way in ("landmarks", "arms")]
    return [["other people, never learned from", number(totals[0]["seconds"] / 60, 1),
             *(people.as_text(total["found"], total["gestures"], total["false_positives"]) for total in totals)]]


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
