"""The parts of README that quote results."""

from .machine import ROOT
from .markdown import number, table
from .speed_page import kind, ordered


def blocks(speeds, kept):
    return {"recognition": recognition(kept.get("recognition-clips")), "speed": [*speed(speeds), *sizes()]}


def sizes():
    networks = [path.stat().st_size for path in (ROOT / "Weights/hands").glob("*.safetensors")]
    pixels = (ROOT / "Weights/gesture-tcn-int8.safetensors").stat().st_size
    return ["", f"The networks of `GestureHands` have {sum(networks) / 1e6:.1f} MB, the pixel network {pixels / 1e6:.1f} MB."]


def recognition(result):
    if result is None:
        return ["Not measured yet with these weights."]
    scores = result["scores"]
    landmarks, pixels = scores["landmarks"], scores["pixels"]
    return [f"On recordings of real hands that nothing was trained on, landmarks find {landmarks['found']} of {landmarks['shown']} gestures "
            f"and make up {landmarks['more'] or 'none'}; pixels find {pixels['found']} and make up {pixels['more'] or 'none'}."]


def best(report, *names):
    """(our time, ratio) of the first row of a report of Tools/peers that has one of the names."""
    return next(row for name in names for row in report if row["what"] == name)


def speed(speeds):
    """One machine's numbers: the best tier's."""
    if not speeds:
        return ["Not measured yet with these sources; `Tools/report speed` does it."]
    tier, result = ordered(speeds)[0]
    tracked = best(result["hands"]["best"]["rows"], "tracked frame, 1280x720")
    step = best(result["pixels"]["targets"], "int8 streaming step")
    footprint, nobody = result["footprint"], result["latency"]["nobody"]
    counted = sum(found["allocations"] for found in result["allocations"].values())
    ms = lambda microseconds: number(microseconds, 2, "ms", 1e-3)
    return table([f"one core, {kind(tier)}", "time", "of the time of"], [
        ["landmarks, frame of 1280x720 with a hand", ms(result["latency"]["landmarks"]["tracked"]["p50_us"]),
         f"{tracked['ratio']:.2f}: MediaPipe's graph"],
        ["landmarks, still picture without a hand, mean", ms(nobody["step_mean_us"]), ""],
        ["pixels, frame of 1280x720", ms(result["latency"]["pixels"]["streaming"]["step"]["p50_us"]),
         f"{step['ratio']:.2f}: {step['peer_name']}, the network alone"],
        ["program from its start to the first prediction, pixels", number(footprint["start_ms"], 0, "ms"), ""],
    ]) + ["", f"A program takes {(footprint['resident_kib'] - footprint['empty_kib']) / 1024:.0f} MiB more than an empty one. "
                 f"{counted or 'No'} heap allocations were counted in {sum(found['frames'] for found in result['allocations'].values())} frames."]
