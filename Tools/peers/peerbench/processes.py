"""Starting child processes on chosen cores, and the parent's end of a worker."""

import json
import os
import statistics
import subprocess
import sys


class WorkerError(Exception):
    """A worker died or refused a command."""


def pinned(cores):
    """For `preexec_fn`: the child may run on these cores only."""
    return lambda: os.sched_setaffinity(0, cores)


def output(command, cores, environment=None):
    """Standard output of a command run on `cores`; raises WorkerError with the end of its standard error."""
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=pinned(cores),
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise WorkerError(f"{command[0]} exited with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def worker_command(engine, folder, frames, *rest):
    return [sys.executable, "-m", "peerbench.worker", engine, str(folder), "--frames", str(frames), *map(str, rest)]


class WorkerProcess:
    """A running `peerbench.worker`."""

    def __init__(self, engine, folder, frames, threads, cores, environment=None, log=subprocess.DEVNULL):
        # Threading runtimes other than the engines' own.
        limits = {"OMP_NUM_THREADS": str(threads)}
        self.engine = engine
        self.process = subprocess.Popen(
            worker_command(engine, folder, frames, "--threads", threads), text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, preexec_fn=pinned(cores),
            env={**os.environ, **limits, **(environment or {})})
        self.version = self._answer()["version"]

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def median(self, **command):
        """Median microseconds of a timing command."""
        return statistics.median(self.ask(**command)["us"])

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
