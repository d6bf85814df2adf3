"""Rounds in which every engine is timed in turn, so that what the machine does meanwhile hits all alike."""

import json
import statistics
from dataclasses import dataclass, field

from . import ours
from .processes import WorkerError, WorkerProcess, output, worker_command

# Runs of each work in a round: a twentieth of a second each, so that a round is short against the machine's moods.
COUNTS = {"encoder": 40, "step": 40, "step-trimmed": 100, "window": 8, "window-by-frame": 8}


@dataclass
class Section:
    """One table: which engines, on which cores, with what limits."""

    key: str
    title: str
    cores: list
    engines: list
    forms: tuple = ("int8", "fp32")
    environment: dict = field(default_factory=dict)
    excluded: tuple = ()  # our tiers

    @property
    def threads(self):
        return len(self.cores)


class Times:
    """Medians of each round: (engine, form, work) -> [us]."""

    def __init__(self):
        self.rounds = {}
        self.lowest = {}  # the least single run of all rounds: what contention spares even on a busy machine
        self.overhead = {}
        self.reports = {}
        self.failures = {}

    def add(self, key, median, least):
        self.rounds.setdefault(key, []).append(median)
        self.lowest[key] = min(least, self.lowest.get(key, least))

    def median(self, engine, form, work):
        found = self.rounds.get((engine, form, work))
        return statistics.median(found) if found else None

    def best_peer(self, form, works):
        """(engine, work, us) of the fastest peer over the given works."""
        found = [(self.median(*key), key) for key in self.rounds
                 if key[0] != "ours" and key[1] == form and key[2] in works]
        return min(((key[0], key[2], value) for value, key in found), key=lambda entry: entry[2], default=None)


def measure(section, engine, modules, folder, frames, rounds, log):
    """Times of all engines of a section and of ours."""
    times = Times()
    workers = {}
    for name in section.engines:
        try:
            workers[name] = WorkerProcess(name, folder / name, frames, section.threads, section.cores,
                                          section.environment)
        except WorkerError as error:
            times.failures[name] = str(error)
    mine = ["ours"]
    if section.excluded and engine.tier(section.excluded, section.cores) == "portable":
        times.failures["ours"] = "this build has no tier between the excluded and the portable one"
        mine = []
    for index in range(rounds):
        names = list(workers) + mine
        turn = index % len(names)
        for name in names[turn:] + names[:turn]:
            try:
                if name == "ours":
                    _time_ours(section, engine, times)
                else:
                    _time_peer(section, workers[name], modules[name], times)
            except WorkerError as error:
                if name == "ours":
                    raise
                times.failures[name] = str(error)
                workers.pop(name).process.kill()
        log(f"{section.title}: round {index + 1} of {rounds}")
    for name, worker in workers.items():
        times.overhead[name] = worker.sample(do="overhead", form="fp32", count=2000)[0]
        worker.close()
    return times


def _time_peer(section, worker, module, times):
    for form in section.forms:
        if form not in module.FORMS:
            continue
        for work, count in COUNTS.items():
            if work == "window" and not getattr(module, "BATCHES", True):
                continue
            times.add((worker.engine, form, work), *worker.sample(do="time", form=form, what=work, count=count))


def _time_ours(section, engine, times):
    for form in section.forms:
        report = engine.latency(form, section.cores, section.threads, section.excluded)
        times.reports[form] = report
        for work, stage in ours.stages(report).items():
            times.add(("ours", form, work), stage["p50_us"], stage["min_us"])
        if form == "int8":
            step = report["streaming"]["step"]
            for key in ("p50_us", "p99_us"):
                times.add(("ours", form, f"whole step {key}"), step[key], step["min_us"])


def cold_starts(engine, names, folder, frames, window, core, rounds):
    """Milliseconds to the first prediction, each start in a fresh process: name -> median.

    Everybody counts from the moment the library is in memory, peers with the better of encoder and head or window graph;
    "process" is ours from the start of the process to its end.
    """
    samples = {}
    for _ in range(rounds):
        samples.setdefault("ours", []).append(engine.cold_inside([core]) * 1000)
        samples.setdefault("process", []).append(engine.cold(window, [core]) * 1000)
        for name in names:
            for way in ("stream", "window"):
                try:
                    text = output(worker_command(name, folder / name, frames, "--cold", way), [core],
                                  {"OMP_NUM_THREADS": "1"})
                except WorkerError:
                    continue
                seconds = json.loads(text)["seconds"]
                samples.setdefault((name, way), []).append(seconds * 1000)
    medians = {key: statistics.median(values) for key, values in samples.items()}
    best = {own: medians.pop(own) for own in ("ours", "process")}
    for (name, _), value in medians.items():
        best[name] = min(value, best.get(name, value))
    return best
