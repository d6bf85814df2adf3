"""The part of the page about speed that tells how many streams a machine holds."""

from .markdown import NONE, commit, table

KINDS = {"landmarks": "gestures, by landmarks", "pixels": "gestures, by pixels", "bodies": "people"}


def render(result):
    """The lines of the part; none without a result."""
    if not result:
        return []
    there = result["machine"]
    theirs = {(found["kind"], _trial(found)["rate"]): found for found in result["theirs"]}
    lines = [
        "## Streams at once", "",
        f"How many live streams {there['cores']} cores hold while at most {100 * result['allowed']:g} % of their frames are missed: late, replaced "
        "or left out. Late is a result after more than the time from one frame to the next, and for ours also a frame that the busy cores took a "
        "quarter of that time after it was due. Every stream has a camera of its own. Our streams have "
        "their default schedule, and what that leaves out under load counts as missed. MediaPipe has a graph for each stream, in threads of "
        f"{there['cores']} processes; it finds hands and people, and our gestures are more than that. It has three tries for each number, of "
        "which the best counts; ours has one. `Tools/report streams` writes this part.", "",
        f"{there['cpu']}, {result['date']}, {commit(result)}, {result['seconds']:g} s for each number of streams, load before "
        f"{result['load_before']:.2f}.", ""]
    rows = []
    for found in result["ours"]:
        trial = _trial(found)
        other = theirs.get((trial["kind"], trial["rate"]))
        rows.append([KINDS[trial["kind"]], str(trial["rate"]), *_held(found), *_doubled(found), _count(other), _times(found, other)])
    header = ["streams of", "frames/s", "held", "p50, p99", "twice as many: missed", "frames of the least and the most served", "MediaPipe holds", "times as many"]
    return lines + table(header, rows)


def _trial(found):
    return found.get("held") or found["beyond"]


def _held(found):
    held = found.get("held")
    if not held:
        return ["0", NONE]
    return [str(held["streams"]), f"{held['latency_p50_us'] / 1000:.1f}, {held['latency_p99_us'] / 1000:.1f} ms"]


def _doubled(found):
    doubled = found.get("doubled")
    if not doubled:
        return [NONE, NONE]
    missed = doubled["missed"] / doubled["due"]
    return [f"{100 * missed:.0f} %", f"{doubled['least_processed']}, {doubled['most_processed']}"]


def _count(other):
    if other is None:
        return NONE
    return str(other["held"]["streams"]) if other["held"] else "0"


def _times(found, other):
    if other is None or not other["held"] or not found.get("held"):
        return NONE
    return f"{found['held']['streams'] / other['held']['streams']:.1f}"
