"""gesture-bench and gesture-import as the comparison uses them."""

import json
import subprocess
import time

import numpy as np

from .processes import output


class Ours:
    def __init__(self, binaries, folder):
        self.bench, self.importer = binaries / "gesture-bench", binaries / "gesture-import"
        for binary in (self.bench, self.importer):
            if not binary.exists():
                raise SystemExit(f"{binary} is missing: Tools/build")
        self.folder = folder
        help_text = subprocess.run([self.bench, "latency", "--help"], capture_output=True, text=True).stdout
        self.has_threads = "--threads" in help_text
        self.has_exclude = "--exclude-tier" in help_text
        self.has_resize = " resize " in subprocess.run(
            [self.bench, "--help"], capture_output=True, text=True).stdout

    def make_models(self, checkpoint, calibration):
        """An int8 model calibrated on the frames that the peers get, and a float32 one."""
        frames = self.folder / "calibration.npy"
        np.save(frames, calibration)
        for precision in ("int8", "float32"):
            calibrate = ["--calibrate", str(frames)] if precision == "int8" else []
            subprocess.run(
                [self.importer, "import", str(checkpoint), "--precision", precision, "--compare-frames", "0",
                 *calibrate, "--output", str(self.model(precision))],
                check=True, stdout=subprocess.DEVNULL)

    def model(self, precision):
        return self.folder / f"ours-{precision}.safetensors"

    def _choice(self, form, excluded):
        float_backend = ["--backend", "float"] if form == "fp32" else []
        tiers = [word for tier in excluded for word in ("--exclude-tier", tier)]
        return ["--model", str(self.model("float32" if form == "fp32" else "int8")), *float_backend, *tiers]

    def logits(self, frames, form, cores, excluded=()):
        result = self.folder / "ours-logits.npy"
        output([str(self.bench), "infer", *self._choice(form, excluded), "--frames", str(frames),
                "--output", str(result)], cores)
        return np.load(result)

    def latency(self, form, cores, threads=1, excluded=(), frames=200, windows=10):
        """The report of `gesture-bench latency --json`."""
        more = ["--threads", str(threads)] if threads > 1 and self.has_threads else []
        blas = {"OPENBLAS_NUM_THREADS": str(threads)}
        return json.loads(output(
            [str(self.bench), "latency", "--json", "--front-end", "pixels", *self._choice(form, excluded), "--frames", str(frames),
             "--windows", str(windows), *more], cores, blas))

    def tier(self, excluded, cores):
        """The tier that is left; "portable" where this build or CPU has none between."""
        return self.latency("int8", cores, excluded=excluded, frames=100)["tier"]

    def resize(self, cores):
        """Microseconds by source, as in `preprocessing.SOURCES`; empty where gesture-bench has no such command.

        `gesture-bench resize --json` prints {"sources": [{"source": "luma 1280x720", "p50_us": 1.0}, ...]}.
        """
        if not self.has_resize:
            return {}
        report = json.loads(output([str(self.bench), "resize", "--json"], cores))
        return {entry["source"]: entry["p50_us"] for entry in report["sources"]}

    def cold_inside(self, cores):
        """Seconds inside a fresh process: model loaded and first prediction of 16 frames, what the peers' time means."""
        return self.latency("int8", cores, frames=100)["cold_us"] / 1e6

    def cold(self, frames, cores):
        """Seconds from starting the process to its end: model loaded, one prediction of 16 frames written."""
        command = [str(self.bench), "infer", *self._choice("int8", ()), "--frames", str(frames),
                   "--output", str(self.folder / "ours-cold.npy")]
        begin = time.perf_counter()
        output(command, cores)
        return time.perf_counter() - begin


def stages(report):
    """What is compared with the peers' step, encoder and window, of one latency report, and the preprocessing."""
    streaming, window = report["streaming"], report["window"]
    return {
        "step-trimmed": streaming["network"], "encoder": streaming["encoder"], "window": window["network"],
        "preprocess": streaming["preprocess"],
    }
