"""The origin of a measurement (machine, commit, date), and running the measuring commands."""

import datetime
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The load up to which a machine counts as quiet.
QUIET = 0.5
# The CPU flags that kernel tiers require.
FEATURES = ("avx2", "fma", "avx_vnni", "avx512f", "avx512_vnni", "asimddp", "i8mm")


class Failure(Exception):
    """A failure, as a sentence for the user."""


def need(*programs):
    """Fails early if a program is missing: a program of this package by its path, one of the system by its name."""
    for program in programs:
        path = pathlib.Path(program)
        if path.name == str(program):
            if not shutil.which(program):
                raise Failure(f"{program} is missing: Tools/setup installs ffmpeg and Python; the others are the system's")
        elif not (path.is_file() and os.access(path, os.X_OK)):
            raise Failure(f"{path} is missing: Tools/build --product {path.name}")


def need_paths(*paths):
    """The same for files and folders; None is ignored."""
    for path in paths:
        if path is not None and not path.exists():
            raise Failure(f"{path} does not exist")


def output(command, core=None):
    """Standard output of a command in the repository's root; pinned to `core` if it is given."""
    words = [str(word) for word in command]
    if core is not None:
        words = ["taskset", "-c", str(core), *words]
    try:
        done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)} ended with status {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


def commit():
    return output(["git", "describe", "--always", "--dirty"]).strip()


def say(text):
    """Tells what is going on, with the time."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def quiet_load(patience=180):
    """The load once it is at most `QUIET`, or after that many seconds. Says so where the machine is not quiet then."""
    end = time.monotonic() + patience
    while load() > QUIET and time.monotonic() < end:
        time.sleep(5)
    found = load()
    if found > QUIET:
        say(f"this machine is not quiet, its load is {found}: the page will say so")
    return found


def load():
    """The average number of running or waiting processes in the last minute."""
    return round(os.getloadavg()[0], 2)


def last_core():
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def _field(text, name):
    found = re.search(rf"^{name}\s*:\s*(.*)$", text, re.MULTILINE)
    return found.group(1).strip() if found else ""


def describe():
    """The CPU's model and features, usable cores, memory, system."""
    if platform.system() == "Darwin":
        cpu, features = output(["sysctl", "-n", "machdep.cpu.brand_string"]).strip(), []
        memory = int(output(["sysctl", "-n", "hw.memsize"]))
    else:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        has = set((_field(text, "flags") or _field(text, "Features")).split())
        cpu, features = _field(text, "model name") or platform.machine(), [name for name in FEATURES if name in has]
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu, "features": features,
        "cores": cores(),
        "memory_gib": round(memory / 2**30), "system": f"{platform.system()} {platform.machine()}",
    }


def cores():
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def weights(names):
    """name -> the first digits of the SHA-256 of a file in Weights."""
    return {name: hashlib.sha256((ROOT / "Weights" / name).read_bytes()).hexdigest()[:16] for name in names}


def provenance(command):
    """The first entries of every result."""
    return {"command": command, "date": datetime.date.today().isoformat(), "commit": commit(), "machine": describe()}
