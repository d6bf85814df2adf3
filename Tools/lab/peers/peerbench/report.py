"""The comparison as Markdown and as JSON."""

from . import agreement
from .preprocessing import SOURCES

WORKS = (("step", "step"), ("step-trimmed", "step, trimmed"), ("encoder", "encoder"), ("window", "window"),
         ("window-by-frame", "window by frame"))

WINDOWS = ("window", "window-by-frame")


def _ms(us):
    return "–" if us is None else f"{us / 1000:.3f}"


def _engine_name(names, key):
    """The engine's own name, with what follows a comma kept."""
    name, *rest = key.split(", ")
    return ", ".join([names.get(name, name), *rest])


def _table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


class Target:
    """One row of the verdicts: ours over a peer's, and what it should be at most."""

    def __init__(self, what, ours, peer, peer_name, limit, unit="ms", lowest=None):
        self.what, self.ours, self.peer, self.peer_name = what, ours, peer, peer_name
        self.limit, self.unit, self.lowest = limit, unit, lowest

    @property
    def ratio(self):
        return None if None in (self.ours, self.peer) else self.ours / self.peer

    @property
    def met(self):
        return None if self.ratio is None or self.limit is None else self.ratio <= self.limit

    def row(self):
        verdict = {True: "met", False: "**missed**", None: "–"}[self.met]
        digits = 3 if self.unit == "ms" else 1
        number = lambda value: "–" if value is None else f"{value:.{digits}f} {self.unit}"
        return [self.what, number(self.ours), f"{number(self.peer)} ({self.peer_name})",
                *("–" if ratio is None else f"{ratio:.2f}" for ratio in (self.ratio, self.lowest)),
                "–" if self.limit is None else f"{self.limit:.2f}", verdict]

    def json(self):
        return {"what": self.what, "ours": self.ours, "peer": self.peer, "peer_name": self.peer_name,
                "unit": self.unit, "ratio": self.ratio, "ratio_of_least": self.lowest, "target": self.limit,
                "met": self.met}


def _against(times, names, what, form, work, works, limit):
    best = times.best_peer(form, works)
    ours = times.median("ours", form, work)
    if best is None:
        return []
    lowest = None
    if ours is not None:
        peers = [value for (engine, precision, done), value in times.lowest.items()
                 if engine != "ours" and precision == form and done in works]
        lowest = times.lowest["ours", form, work] / min(peers)
    return [Target(what, None if ours is None else ours / 1000, best[2] / 1000, names[best[0]], limit, lowest=lowest)]


def targets(sections, preprocessing, cold, names):
    found = []
    if "one" in sections:
        one = sections["one"]
        steps = ("step", "step-trimmed")
        found += _against(one, names, "int8 streaming step", "int8", "step-trimmed", steps, 0.50)
        found += _against(one, names, "int8 window", "int8", "window", WINDOWS, 0.55)
        found += _against(one, names, "float32 streaming step", "fp32", "step-trimmed", steps, 0.95)
        found += _against(one, names, "float32 window", "fp32", "window", WINDOWS, None)
    if "two" in sections:
        two = sections["two"]
        found += _against(two, names, "int8 step, two threads", "int8", "step-trimmed", ("step", "step-trimmed"), None)
        found += _against(two, names, "int8 window, two threads", "int8", "window", WINDOWS, None)
    if "avx2" in sections:
        avx2 = sections["avx2"]
        found += _against(avx2, names, "int8 step, AVX2 only", "int8", "step-trimmed", ("step", "step-trimmed"), 0.70)
        found += _against(avx2, names, "int8 window, AVX2 only", "int8", "window", WINDOWS, None)
    for source in SOURCES:
        peer, name = min((preprocessing[engine][source], label) for engine, label in
                         (("opencv", "OpenCV"), ("libyuv", "libyuv")) if source in preprocessing[engine])
        found.append(Target(f"{source} to gray 224", preprocessing["ours"].get(source), peer, name, 0.55, "µs"))
    peers = [(value, name) for name, value in cold.items() if name in names and name != "ours"]
    if peers:
        value, name = min(peers)
        found.append(Target("load and first prediction", cold.get("ours"), value, names[name], 0.50))
    return found


def absolutes(times, cold):
    """What has a target of its own: (what, found, target, met)."""
    rows = []
    step, tail = (times.median("ours", "int8", f"whole step {key}") for key in ("p50_us", "p99_us"))
    report = times.reports.get("int8", {})
    if step is not None:
        rows.append(("whole step, 1280x720 NV12 to event", f"{step / 1000:.3f} ms", "0.220 ms", step <= 220))
        rows.append(("its p99 over its median", f"{tail / step:.2f}", "1.50", tail <= 1.5 * step))
    if report.get("allocations_per_frame") is not None:
        count = report["allocations_per_frame"]
        rows.append(("heap allocations a frame", f"{count:.2f}", "0", count == 0))
    if "process" in cold:
        rows.append(("process start to first prediction", f"{cold['process']:.1f} ms", "25 ms", cold["process"] <= 25))
    return rows


def preprocessing(times):
    """Lines of the table of `resizing.measure`."""
    def micro(value):
        return "–" if value is None else f"{value:.1f}"

    return ["### Preprocessing to 224x224 gray (µs)", "",
            *_table(["source", "OpenCV", "libyuv", "ours"],
                    [[source] + [micro(times[engine].get(source)) for engine in ("opencv", "libyuv", "ours")]
                     for source in SOURCES])]


def markdown(run):
    """The whole report; `run` is what `__main__` has gathered."""
    names = run["names"]
    versions = ", ".join(f"{names[name]} {version}" for name, version in run["versions"].items())
    lines = [
        "## GestureTCN-340K: this engine and others", "",
        f"{run['cpu']}; {run['system']}; {run['date']}; weights: {run['weights']}; {run['rounds']} rounds, engines in "
        "turn, medians of the rounds' medians, batch 1.",
        f"Versions: {versions}, OpenCV {run['opencv']}, libyuv {run['libyuv']}, this engine at {run['revision']}.", "",
        "Step: encoder on the newest frame and temporal head on cached columns, two calls for the others. Trimmed: "
        "only the 7/3/1 temporal positions that reach the last step. Window: 16 frames in one call, head trimmed; by "
        "frame: 16 calls of the encoder and one of the trimmed head.", "",
        "### Against the best peer", "",
    ]
    lines += _table(["what", "ours", "best peer", "ratio", "of least", "target, at most", ""],
                    [target.row() for target in run["targets"]])
    lines += ["", "Ratio: of the medians. Of least: of the shortest single runs; where the two differ the machine was "
              "busy.", "", *_table(["ours alone", "found", "target, at most", ""],
                          [[what, found, target, "met" if met else "**missed**"]
                           for what, found, target, met in run["absolutes"]])]
    for section, times in run["sections"]:
        note = "".join(f"; {key}={value}" for key, value in section.environment.items())
        lines += ["", f"### {section.title}{note} (ms)", ""]
        header = ["engine"] + [f"{form} {label}" for form in section.forms for _, label in WORKS]
        rows = []
        for name in section.engines:
            rows.append([names[name]] + [_ms(times.median(name, form, work))
                                         for form in section.forms for work, _ in WORKS])
        tier = next((report["tier"] for report in times.reports.values()), "–")
        ours = {"step": "step-trimmed", "window-by-frame": "window"}
        rows.append([f"**ours** ({tier})"] + [_ms(times.median("ours", form, ours.get(work, work)))
                                              for form in section.forms for work, _ in WORKS])
        lines += _table(header, rows)
        lines += [f"{'' if k else chr(10)}- {names.get(name, 'ours')}: {why}"
                  for k, (name, why) in enumerate(times.failures.items())]
    lines += ["", *preprocessing(run["preprocessing"])]
    lines += ["", "### Cold start: first prediction of 16 frames (ms)", "",
              "Loading the model and the first prediction, in a process that has loaded the library already.", ""]
    own = {"ours": "**ours**", "process": "ours, from the start of the process to its end"}
    lines += _table(["engine", "ms"], [[names.get(name) or own[name], f"{value:.1f}"]
                                       for name, value in sorted(run["cold"].items(), key=lambda item: item[1])])
    lines += ["", f"### Accuracy against float32 on {run['windows']} windows", ""]
    lines += _table(
        ["engine", "form", "signal to noise", "largest difference", "same class", "between its own graphs", ""],
        [[_engine_name(names, a.engine), a.form, "exact" if a.snr_db == float("inf") else f"{a.snr_db:.1f} dB",
          f"{a.largest:.2g}", f"{100 * a.same_class:.1f} %", f"{a.spread:.2g}", "agrees" if a.good else "**off**"]
         for a in run["agreements"]])
    verdict, ours, best = agreement.not_less_accurate(run["agreements"])
    if verdict is not None:
        comparison = "not less" if verdict else "**less**"
        lines += ["", f"Our int8 is {comparison} accurate than the best peer's: {ours:.1f} dB "
                  f"against {best:.1f} dB ({agreement.INT8_MARGIN} dB allowed for rounding)."]
    lines += ["", "### What each engine runs", ""]
    overhead = run["sections"][0][1].overhead if run["sections"] else {}
    for name, module in run["modules"].items():
        inside = f"{overhead[name]:.1f} µs a call on a graph that does nothing" if name in overhead else "not measured"
        lines.append(f"- {names[name]}: inside the timed loop {module.OVERHEAD}: {inside}.")
        lines += [f"  - {form}: {text}." for form, text in module.FORMS.items()]
        lines += [f"  - {form}: not available, {text}." for form, text in getattr(module, "ABSENT", {}).items()]
    lines += [f"- {name}: not installed ({why})." for name, why in run["missing"].items()]
    lines.append("- ours: `gesture-bench latency`, p50 of its network stages, on fresh frames between preprocessing "
                 f"and recognition, which the others do not have around them.{run['remarks']}")
    return "\n".join(lines) + "\n"


def as_json(run):
    """The same as plain data."""
    sections = {}
    for section, times in run["sections"]:
        sections[section.key] = {
            "title": section.title, "cores": section.cores, "environment": section.environment,
            "excluded_tiers": list(section.excluded),
            "median_us": {f"{e}/{f}/{w}": times.median(e, f, w) for e, f, w in times.rounds},
            "rounds_us": {"/".join(key): values for key, values in times.rounds.items()},
            "least_us": {"/".join(key): value for key, value in times.lowest.items()},
            "call_overhead_us": times.overhead, "failures": times.failures, "ours": times.reports,
        }
    plain = ("cpu", "system", "date", "weights", "rounds", "versions", "opencv", "libyuv", "revision", "preprocessing",
             "cold", "windows", "missing", "names")
    return {
        **{key: run[key] for key in plain}, "sections": sections,
        "targets": [target.json() for target in run["targets"]],
        "absolutes": [dict(zip(("what", "found", "target", "met"), row)) for row in run["absolutes"]],
        "agreement": [a.json() for a in run["agreements"]],
        "forms": {name: module.FORMS for name, module in run["modules"].items()},
    }
