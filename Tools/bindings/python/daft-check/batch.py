"""Many clips by one and two workers, some of them broken, with a worker that is killed, and again: batch.py [RUNNER ...].

Writes the table of ../README.md; without runners it measures all. The work is that README's example, on 200 clips.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import daft

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"
DEMO = README.parents[3] / "Weights/demo/hands.mp4"
CLIPS, SECONDS = 200, 2
RUNNERS = {"this machine": "", "Ray": "daft.set_runner_ray()\n"}


def example():
    """The code of the README's example."""
    code, = (block for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL) if "from_glob_path" in block)
    return code


def program(runner, workers):
    """The example without what it shows, with a number of workers."""
    code = example().split("\n    annotated = daft")[0]
    call = f'recognize_gestures(batch["path"], max_concurrency={workers})'
    code = code.replace('recognize_gestures(batch["path"])', call).replace("\n\ndef main", f"\n{RUNNERS[runner]}\n\ndef main")
    if runner == "Ray":
        code = code.replace('"path": some})', f'"path": some}}).into_partitions({workers})')
    assert call in code and ("into_partitions(" in code) == (runner == "Ray")
    return code + '\n\nif __name__ == "__main__":\n    main()\n'


def make_clips(folder):
    """Whole clips, and ten that are broken in five ways."""
    whole = folder / "whole.mp4"
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-i", DEMO, "-t", str(SECONDS), "-c", "copy", "-movflags", "faststart"]
    subprocess.run([*ffmpeg, whole], check=True)
    subprocess.run([*ffmpeg, "-f", "mpegts", folder / "stream"], check=True)
    content, stream = whole.read_bytes(), (folder / "stream").read_bytes()
    broken = [b"", b"no video", content[:len(content) * 2 // 3], content[:-40], stream[:-40]]
    (folder / "clips").mkdir()
    for index in range(CLIPS):
        kind, is_broken = divmod(index, 20)
        (folder / f"clips/{index:03}.mp4").write_bytes(content if is_broken else broken[kind % 5])


def descendants(process):
    """The commands of the processes below one."""
    parents, commands = {}, {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
    found, added = set(), {process}
    while added:
        found |= added
        added = {child for child, parent in parents.items() if parent in found} - found
    return {one: commands[one] for one in found - {process}}


def annotated(folder):
    return list((folder / "annotated").glob("*.parquet"))


def run(folder, runner, workers, kills=False):
    """Seconds of a run, and whether the program ended by itself."""
    begin = time.perf_counter()
    ran = subprocess.Popen([sys.executable, "-c", program(runner, workers)], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, env={"RAY_raylet_start_wait_time_s": "200", **os.environ})
    killed, first = False, set()
    while kills and not killed and ran.poll() is None:
        at_work = {one for one, command in descendants(ran.pid).items() if re.search("udf_worker|UDFActor", command)}
        if not annotated(folder):
            first |= at_work
        elif later := at_work - first:
            # At work on the second batch, or a later one.
            time.sleep(0.3)
            with contextlib.suppress(ProcessLookupError):
                os.kill(later.pop(), signal.SIGKILL)
                killed = True
        time.sleep(0.05)
    errors = ran.communicate()[1]
    if kills and not killed:
        sys.exit("FAIL: the program ended before a worker could be killed")
    if ran.returncode and not kills:
        sys.exit(errors)
    return time.perf_counter() - begin, ran.returncode == 0


def rows(folder):
    """Rows, different paths and errors."""
    found = daft.read_parquet(f"{folder}/annotated").to_pydict()
    return len(found["path"]), len(set(found["path"])), sum(error is not None for error in found["error"])


def measure(folder, runner):
    """The rows of a runner."""
    for workers, kills in ((1, False), (2, False), (2, True)):
        shutil.rmtree(folder / "annotated", ignore_errors=True)
        for again in range(1 + kills):
            seconds, ended = run(folder, runner, workers, kills and not again)
            count, paths, errors = rows(folder)
            what = ", the same program again" if again else kills * f", a worker killed: {'goes on' if ended else 'an error'}"
            yield (f"| {runner}{what} | {workers} | {seconds:.0f} | {count}, {errors} | {os.getloadavg()[0]:.1f} |")
        if (count, paths, errors) != (CLIPS, CLIPS, 10):
            sys.exit(f"FAIL: {count} rows of {paths} clips, {errors} errors")


def main(runners):
    before, table, after = re.split(r"(?s)(?<=<!-- batch -->\n)(.*?)(?=<!-- batch end -->)", README.read_text())
    lines = [f"| {CLIPS} clips of {SECONDS} s, 10 broken | workers | s | rows, of them with an error | load |",
             "|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        make_clips(pathlib.Path(folder))
        for runner in RUNNERS:
            if runner in runners:
                for line in measure(pathlib.Path(folder), runner):
                    lines.append(line)
                    print(line, flush=True)
            else:
                lines += [line for line in table.splitlines() if line.startswith("| " + runner)]
    information = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.split(":")[1].strip() for line in information if line.startswith("model name")), "unknown")
    lines.append(f"\n{processor}, {len(os.sched_getaffinity(0))} cores, daft {daft.__version__}. A load above the number of "
                 "workers means that other programs took a core.\n")
    README.write_text(before + "\n".join(lines) + after)


if __name__ == "__main__":
    main(sys.argv[1:] or list(RUNNERS))
