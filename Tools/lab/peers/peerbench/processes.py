"""Starting child processes on chosen cores, and the parent's end of a worker."""

import contextlib
import json
import os
import statistics
import subprocess
import sys


class WorkerError(Exception):
    """A worker died or refused a command."""


@contextlib.contextmanager
def pinned(cores):
    """Children started inside inherit these cores. (`preexec_fn` would make starting a process a slow fork.)"""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def output(command, cores, environment=None):
    """Standard output of a command run on `cores`; raises WorkerError with the end of its standard error."""
    with pinned(cores):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **(environment or {})})
    text, errors = process.communicate()
    if process.returncode != 0:
        raise WorkerError(f"{command[0]} exited with {process.returncode}: {errors.strip()[-400:]}")
    return text


def worker_command(engine, folder, frames, *rest):
    return [sys.executable, "-m", "peerbench.worker", engine, str(folder), "--frames", str(frames), *map(str, rest)]


class WorkerProcess:
    """A running `peerbench.worker`."""

    def __init__(self, engine, folder, frames, threads, cores, environment=None, log=subprocess.DEVNULL):
        # Threading runtimes other than the engines' own.
        limits = {"OMP_NUM_THREADS": str(threads)}
        self.engine = engine
        with pinned(cores):
            self.process = subprocess.Popen(
                worker_command(engine, folder, frames, "--threads", threads), text=True, bufsize=1,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env={**os.environ, **limits, **(environment or {})})
        self.version = self._answer()["version"]

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def sample(self, **command):
        """(median, least) microseconds of a timing command."""
        found = self.ask(**command)["us"]
        return statistics.median(found), min(found)

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise WorkerError(f"{self.engine} ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(f"{self.engine}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()
