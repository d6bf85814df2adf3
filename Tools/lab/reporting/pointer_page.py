"""The parts of the page about pointers that quote results."""

from .markdown import NONE, number, table
from .recognition_page import source


def blocks(result):
    if result is None:
        missing = ["Not measured yet; `Tools/report pointer DIR...` does it."]
        return {"pointer": missing, "left out": missing}
    return {"pointer": methods(result), "left out": left_out(result)}


def methods(result):
    header = ["method", "jitter, px", "lag, ms", "found", "within 100 ms", "made up", "shift, px", "a frame, µs"]
    lines = [f"Over {result['recordings']} recordings with {result['pinches']} labelled pinches. {source(result)}", ""]
    return lines + table(header, [_row(each, result["pinches"]) for each in result["methods"]])


def _row(measures, pinches):
    presses = measures.get("presses")
    counts = [f"{presses['found']} of {pinches}", str(presses["in_time"]), str(presses["made_up"]), _spread(presses.get("shift_px"), 0)] if presses \
        else [NONE] * 4
    return [measures["method"], _spread(measures.get("jitter_px"), 1), _spread(measures.get("lag_ms"), 0), *counts, number(measures["cost_us"], 1)]


def _spread(spread, digits):
    return f"{number(spread['median'], digits)}, {number(spread['maximum'], digits)}" if spread else NONE


def left_out(result):
    left, pinches = result["left_out"], result["pinches"]
    rows = [["all", "all", *_choice(left["all"])]]
    rows += [[f"`{choice['recording']}`", "the others", *_choice(choice)] for choice in left["recordings"]]
    rows.append(["each in turn", "the others", NONE, NONE, *_count(left["sum"])])
    shown = len(left["recordings"])
    text = (f"The gaps of press and release, chosen anew from {left['candidates']} pairs by most pinches found less those made up. Of equally good pairs the "
            f"middle one counts. Judged on recordings that did not choose, {left['sum']['found']} of {pinches} pinches are found and "
            f"{left['sum']['made_up']} made up; on those that did, {left['all']['count']['found']} and {left['all']['count']['made_up']}. Only {shown} "
            f"recordings show a pinch: {pinches} pinches give no rate, and the other rules of a press were made on the same recordings.")
    return [text, "", *table(["judged on", "chosen on", "press gap", "release gap", "found", "made up"], rows)]


def _choice(choice):
    return [number(choice["gaps"]["press"], 2), number(choice["gaps"]["release"], 2), *_count(choice["count"])]


def _count(count):
    return [str(count["found"]), str(count["made_up"])]
