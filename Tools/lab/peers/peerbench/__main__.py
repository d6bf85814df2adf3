"""Exports the network to each engine, checks the answers, times all of them, prints the tables."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from safetensors.numpy import save_file

from . import (agreement, calibration, engines, frames, network, ours, preprocessing, quantisation, report,
               resizing, timing, trackers)
from .processes import WorkerError, WorkerProcess

ROOT = pathlib.Path(__file__).resolve().parents[4]
# Tiers of ours that use more than AVX2.
BEYOND_AVX2 = ("avx512vnni", "avxvnni")
AVX2_ENVIRONMENT = {"ONEDNN_MAX_CPU_ISA": "AVX2"}


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/lab/peers/run", description=__doc__)
    parser.add_argument("--checkpoint", type=pathlib.Path, default=ROOT / "Weights/checkpoint.safetensors",
                        help="folded float32 weights (default: those in Weights)")
    parser.add_argument("--random", type=int, metavar="SEED", help="random weights instead")
    parser.add_argument("--frames", type=pathlib.Path, default=ROOT / "Weights/demo/demo.mp4",
                        help="a clip, or a .npy of uint8 [N, 224, 224]: the first half calibrates, the second tests")
    parser.add_argument("--engines", nargs="+", choices=engines.ALL, default=list(engines.ALL), metavar="ENGINE",
                        help=f"of {', '.join(engines.ALL)}")
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / ".build/release",
                        help="where gesture-bench and gesture-import are")
    parser.add_argument("--rounds", type=int, default=11, help="rounds over all engines (default: 11)")
    parser.add_argument("--core", type=int, help="the core to time on (default: the last one)")
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1, help="2 adds a table on two cores")
    parser.add_argument("--no-timing", action="store_true", help="export and check only")
    parser.add_argument("--preprocessing", action="store_true", help="time the resize alone")
    parser.add_argument("--hands", type=pathlib.Path, metavar="DIR",
                        help="time the trackers' networks alone, of hands and bodies; their .tflite files are there")
    parser.add_argument("--hand-clip", type=pathlib.Path, metavar="CLIP",
                        help="with --hands: time a tracked frame of this clip against MediaPipe's graph, too")
    parser.add_argument("--body-clip", type=pathlib.Path, metavar="CLIP", help="the same for one with a person, whole in view")
    parser.add_argument("--avx2", action="store_true", help="with --hands: leave out tiers of ours beyond AVX2")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR", help="write report.md and report.json there; with --hands hands.md and hands.json")
    parser.add_argument("--work", type=pathlib.Path, metavar="DIR", help="keep the exported graphs there")
    options = parser.parse_args()
    if options.rounds < 3:
        parser.error("at least 3 rounds are needed for a median")
    return options


def cpu_field(name):
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(rf"^{name}\s*:\s*(.*)$", text, re.MULTILINE)
    return found.group(1) if found else "unknown"


def log(text):
    print(text, file=sys.stderr, flush=True)


def export(options, folder, modules):
    """Writes every engine's graphs and our models; the frames for tests and timing as .npy. Returns the test frames."""
    weights = (network.load_weights(options.checkpoint) if options.random is None
               else network.random_weights(options.random))
    calibrating, testing = frames.split(frames.load(options.frames))
    peaks = calibration.peaks(weights, calibrating, folder)
    # Without dot-product instructions ONNX Runtime adds pairs of products in 16 bits, which 7-bit weights cannot
    # saturate.
    vnni = {"avx512_vnni", "avx_vnni"} & set(cpu_field("flags").split())
    for name, module in modules.items():
        reduced = name == "onnxruntime" and not vnni
        quantised = quantisation.quantise(weights, peaks, 63 if reduced else 127)
        module.export(folder / name, weights, quantised, calibrating)
        log(f"exported {module.NAME}")
    np.save(folder / "test.npy", testing)
    np.save(folder / "window.npy", testing[:network.WINDOW])
    engine = ours.Ours(options.binaries, folder)
    checkpoint = folder / "checkpoint.safetensors"
    save_file(network.checkpoint_tensors(weights), checkpoint)
    engine.make_models(checkpoint, calibrating)
    return engine


def check(engine, modules, folder, cores):
    """Every engine's logits on the test frames against ONNX Runtime's float32 ones."""
    test = folder / "test.npy"
    results, spreads, failures, versions = {}, {}, {}, {}
    for name, module in modules.items():
        try:
            worker = WorkerProcess(name, folder / name, test, 1, cores)
            versions[name] = worker.version
            for form in module.FORMS:
                target = folder / f"{name}-{form}.npy"
                spreads[name, form] = worker.ask(do="logits", form=form, frames=str(test), output=str(target))["spread"]
                results[name, form] = np.load(target)
            worker.close()
        except WorkerError as error:
            failures[name] = str(error)
    if "openvino" in versions and avx2_section_possible(engine):
        # Without dot-product instructions an engine may saturate; that would show here.
        target = folder / "openvino-avx2.npy"
        worker = WorkerProcess("openvino", folder / "openvino", test, 1, cores, AVX2_ENVIRONMENT)
        spreads["openvino, AVX2", "int8"] = worker.ask(
            do="logits", form="int8", frames=str(test), output=str(target))["spread"]
        results["openvino, AVX2", "int8"] = np.load(target)
        worker.close()
    for form in ("fp32", "int8"):
        results["ours", form] = engine.logits(test, form, cores)
        spreads["ours", form] = 0.0
    references = [results[key] for key in results if key[0] != "ours" and key[1] == "fp32"]
    if not references:
        raise SystemExit(f"no float32 reference: {failures}")
    reference = results.get(("onnxruntime", "fp32"), references[0])
    found = [agreement.compare(*key, results[key], reference, spreads[key]) for key in results]
    return sorted(found, key=lambda a: (a.form, -a.snr_db)), failures, versions, len(reference)


def avx2_section_possible(engine):
    """A CPU with more than AVX2, and a gesture-bench that can leave its better tiers out."""
    return "avx512f" in cpu_field("flags").split() and engine.has_exclude


def sections(options, modules, core, engine):
    names = list(modules)
    yield timing.Section("one", "One thread", [core], names)
    if options.threads == 2:
        others = sorted(os.sched_getaffinity(0) - {core})
        if not others:
            raise SystemExit("--threads 2 needs two cores")
        yield timing.Section("two", "Two threads", [core, others[-1]], names, ("int8",))
    if "openvino" in modules and avx2_section_possible(engine):
        yield timing.Section("avx2", "AVX2 only, one thread", [core], ["openvino"], ("int8",),
                             AVX2_ENVIRONMENT, BEYOND_AVX2)


def revision():
    found = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True)
    return found.stdout.strip() or "an unknown revision"


def time_hands(options, core):
    tiers = [word for tier in BEYOND_AVX2 for word in ("--exclude-tier", tier)] if options.avx2 else []
    rows = list(trackers.networks(options.binaries, options.hands, core, options.rounds, tiers))
    if options.hand_clip:
        rows.append(trackers.tracked(options.binaries, options.hand_clip, core, options.rounds, tiers))
    if options.body_clip:
        rows.append(trackers.tracked(options.binaries, options.body_clip, core, options.rounds, tiers, "person"))
    has_dot_products = not options.avx2 and "avx512_vnni" in cpu_field("flags").split()
    table = "\n".join(trackers.report(rows, has_dot_products))
    text = f"{cpu_field('model name')}, one core, {options.rounds} rounds; milliseconds\n\n{table}\n"
    print(text, end="")
    if options.output:
        run = {"cpu": cpu_field("model name"), "date": datetime.date.today().isoformat(), "rounds": options.rounds,
               "revision": revision(), "excluded_tiers": list(BEYOND_AVX2) if options.avx2 else [],
               "versions": trackers.versions(ROOT), "rows": trackers.as_json(rows, has_dot_products)}
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "hands.md").write_text(text)
        (options.output / "hands.json").write_text(json.dumps(run, indent=1) + "\n")
    return 0


def checked(options):
    """Ends, before anything is exported or timed, where something is missing that is needed only later."""
    tools = () if options.preprocessing else ("gesture-import",) if not options.hands else ()
    missing = [f"{options.binaries / name} is missing: Tools/build --product {name}"
               for name in ("gesture-bench", *tools) if not os.access(options.binaries / name, os.X_OK)]
    paths = [options.hands, options.hand_clip, options.body_clip]
    if not options.preprocessing and not options.hands:
        paths += [options.frames, options.checkpoint if options.random is None else None]
    missing += [f"{path} does not exist" for path in paths if path is not None and not path.exists()]
    if missing:
        raise SystemExit("\n".join(missing))


def main():
    options = arguments()
    checked(options)
    core = options.core if options.core is not None else max(os.sched_getaffinity(0))
    if options.preprocessing:
        resized = resizing.measure(ours.Ours(options.binaries, folder=None), core, options.rounds)
        print("\n".join(report.preprocessing(resized)))
        return 0
    if options.hands:
        return time_hands(options, core)
    modules, missing = {}, {}
    for name in options.engines:
        try:
            modules[name] = engines.module(name)
        except ImportError as error:
            missing[name] = str(error)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.work or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        engine = export(options, folder, modules)
        agreements, failures, versions, windows = check(engine, modules, folder, [core])
        for a in agreements:
            log(f"{a.engine} {a.form}: {a.snr_db:.1f} dB, {'agrees' if a.good else 'OFF'}")
        missing.update(failures)
        # A wrong answer may not be compared in speed.
        modules = {name: module for name, module in modules.items() if name not in failures}
        if options.no_timing:
            return 0 if all(a.good for a in agreements) else 1

        timed = []
        for section in sections(options, modules, core, engine):
            timed.append((section, timing.measure(
                section, engine, modules, folder, folder / "test.npy", options.rounds, log)))
        resized = resizing.measure(engine, core, options.rounds, timed[0][1])
        starters = [name for name in modules if "int8" in modules[name].FORMS]
        cold = timing.cold_starts(engine, starters, folder, folder / "test.npy", folder / "window.npy", core,
                                  min(options.rounds, 5))

    names = {name: module.NAME for name, module in modules.items()} | {"ours": "**ours**"}
    by_key = {section.key: times for section, times in timed}
    two_threads = "" if engine.has_threads or options.threads == 1 else " It has one thread in the table on two."
    run = {
        "cpu": cpu_field("model name"), "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.date.today().isoformat(), "rounds": options.rounds,
        "weights": f"random, seed {options.random}" if options.random is not None else options.checkpoint.name,
        "versions": versions, "opencv": cv2.__version__,
        "libyuv": "of the system" if preprocessing.load_libyuv() else "not installed",
        "revision": revision(), "preprocessing": resized, "cold": cold, "windows": windows, "missing": missing,
        "names": names, "modules": modules, "sections": timed, "agreements": agreements, "remarks": two_threads,
        "targets": report.targets(by_key, resized, cold, names), "absolutes": report.absolutes(by_key["one"], cold),
    }
    text = report.markdown(run)
    print(text)
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "report.md").write_text(text)
        (options.output / "report.json").write_text(json.dumps(report.as_json(run), indent=1) + "\n")
    return 0 if all(a.good for a in agreements) else 1


if __name__ == "__main__":
    sys.exit(main())
