"""Runs a recipe: `Tools/lab/training/run RECIPE --work DIR [--assets DIR] [--until STAGE] [--set KEY=VALUE ...] [--force STAGE ...]`.

Stages run in order, each in a folder of DIR that has its name only once it is done. One whose command, arguments, input hashes and
output hashes are those recorded in DIR/manifest.json is skipped; one that was interrupted is done again, or goes on where its command can.
Code is recorded, not compared: after a change of a stage's code, --force does it again, and what follows from its outputs. The table of the
stages is DIR/stages.md, what each printed DIR/STAGE.log.
"""

import argparse
import datetime
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import needs

from . import manifest, plan
from .plan import Refused

HERE = pathlib.Path(__file__).resolve().parents[1]
BIN = manifest.ROOT / ".build" / "release"
WAIT = 10  # seconds in which the stage of a run that was killed must have ended


class Runner:
    def __init__(self, recipe, work, assets, tools):
        self.plan, self.work, self.assets, self.tools = recipe, work, assets, tools
        self.path = work / "manifest.json"
        self.lock = locked(work)
        self.hashes = manifest.Hashes(work / ".hashes.json")
        self.manifest = manifest.read(self.path)
        if self.manifest["recipe"] not in (None, recipe.name):
            raise Refused(f"{work} holds the outputs of {self.manifest['recipe']}, not of {recipe.name}: give another --work")
        self.manifest["recipe"] = recipe.name
        self.versions = {}

    def paths(self, reference):
        """The files or folders of an input, and its hash."""
        root = plan.root_of(reference)
        if root is None:
            stage, _, output = reference.partition("/")
            path = self.work / stage / self.plan.stages[stage].outputs[output]
            return [path], self.hashes.of(path)
        base = {"assets": self.assets, "repository": manifest.ROOT, "file": pathlib.Path.cwd()}[root]
        if base is None:
            raise Refused(f"{reference} is below the folder of sources: give it with --assets DIR")
        where = reference.partition(":")[2]
        if not any(c in where for c in "*?["):
            path = base / where
            return [path.absolute()], self.hashes.of(path)
        pattern = (base / where).absolute()
        paths = sorted(pathlib.Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
        if where.endswith("/"):
            paths = [p for p in paths if p.is_dir()]
        listing = "".join(f"{self.hashes.of(p)}  {p.name}\n" for p in paths)
        return paths, hashlib.sha256(listing.encode()).hexdigest() if paths else None

    def inputs(self, stage):
        """-> ({name: [paths]}, {reference: hash}); refuses where one is missing or is not what the recipe says."""
        paths, hashes = {}, {}
        for name, references in stage.inputs.items():
            paths[name] = []
            for reference in references:
                found, digest = self.paths(reference)
                if digest is None:
                    raise Refused(f"stage {stage.name}: its input {reference} is not there ({found[0] if found else 'nothing matches'})")
                self.expected(stage, name, reference, digest)
                paths[name] += found
                hashes[reference] = digest
        return paths, hashes

    @staticmethod
    def expected(stage, name, what, digest):
        wanted = stage.sha256.get(name, manifest.UNKNOWN)
        if wanted not in (manifest.UNKNOWN, digest):
            raise Refused(f"stage {stage.name}: {what} has the SHA-256 {digest}; the recipe needs {wanted}")

    def described(self, stage):
        """The arguments with names in place of paths."""
        names = {k: [f"{{{r}}}" for r in refs] for k, refs in stage.inputs.items()} | {k: f"{{{k}}}" for k in stage.outputs}
        return plan.arguments(stage, stage.parameters | names | {"bin": "{bin}", "assets": "{assets}"})

    def fresh(self, stage, hashes):
        """Whether what the manifest records is what running the stage would give; refuses outputs that somebody else wrote."""
        record = self.manifest["stages"].get(stage.name)
        folder = self.work / stage.name
        if self.mark(stage).exists():
            return False  # interrupted
        if record is None:
            if folder.exists():
                raise Refused(f"{folder} exists, but no run recorded it: move it away, or make it again with --force {stage.name}")
            return False
        for name, path in stage.outputs.items():
            digest, wanted = self.hashes.of(folder / path), record["outputs"].get(name)
            if digest is not None and wanted is not None and digest != wanted:
                raise Refused(f"stage {stage.name}: {folder / path} is not what the stage wrote (SHA-256 {digest[:12]}, recorded {wanted[:12]}): "
                              f"--force {stage.name} makes it again")
        there = all(self.hashes.of(folder / path) is not None for path in stage.outputs.values())
        same = {"command": stage.command, "arguments": self.described(stage), "inputs": hashes}
        return there and set(record["outputs"]) == set(stage.outputs) and all(record[k] == v for k, v in same.items())

    def mark(self, stage):
        """A file that is there from a stage's begin until it is recorded, and says of what it began."""
        return self.work / f".{stage.name}.begun"

    def run(self, stage, paths, hashes, force):
        folder, part = self.work / stage.name, self.work / f".{stage.name}.part"
        if part.exists() and (force or not stage.resumes):
            shutil.rmtree(part)
        # What an interrupted run left is of other inputs when these have changed since.
        mark = self.mark(stage)
        about = repr((stage.command, self.described(stage), sorted(hashes.items())))
        if part.exists() and (not mark.exists() or mark.read_text() != about):
            shutil.rmtree(part)
        mark.write_text(about)
        values = {k: [str(p) for p in v] for k, v in paths.items()}
        values |= {k: str(part / v) for k, v in stage.outputs.items()} | {"bin": str(self.tools), "assets": str(self.assets)}
        for output in stage.outputs.values():
            (part / output).parent.mkdir(parents=True, exist_ok=True)
        if stage.asked["python"] != [""] and not stage.python:
            stage.without("python")
        python = stage.python or sys.executable
        command = [python, "-m", stage.command] if stage.is_module else [str(self.tools / stage.command)]
        if not stage.is_module and not os.access(command[0], os.X_OK):
            raise Refused(f"stage {stage.name}: {command[0]} cannot be run: build it with Tools/build, or give --bin DIR")
        if python not in self.versions:
            self.versions[python] = manifest.versions(python)
        started, begun, before = datetime.datetime.now(datetime.UTC), time.time(), manifest.code()
        log = self.work / f"{stage.name}.log"
        status = guarded(command + plan.arguments(stage, stage.parameters | values), log, part / stage.outputs[stage.stdout] if stage.stdout else None,
                         self.lock.fileno())
        if status:
            how = f"was killed by signal {status - 128}" if status > 128 else f"ended with status {status}"
            raise Refused(f"stage {stage.name} {how}; {log} ends:\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]))
        outputs = {name: self.hashes.of(part / path) for name, path in stage.outputs.items()}
        for name, digest in outputs.items():
            if digest is None:
                raise Refused(f"stage {stage.name} wrote no {name} ({stage.outputs[name]})")
            self.expected(stage, name, f"the output {name}", digest)
        record = {"command": stage.command, "arguments": self.described(stage), "parameters": stage.used(), "inputs": hashes, "outputs": outputs,
                  "code": before, "started": started.isoformat(timespec="seconds"), "seconds": round(time.time() - begun, 1), "versions": self.versions[python]}
        tools = {p.name: self.hashes.of(p) for p in sorted(self.tools.glob("gesture-*")) if p.is_file() and os.access(p, os.X_OK)}
        if tools and (not stage.is_module or any("{bin}" in a for a in record["arguments"])):
            record["tools"] = {n: d for n, d in tools.items() if n in (stage.command, "gesture-bench", "gesture-import")}
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(part, folder)
        self.manifest["stages"][stage.name] = record
        manifest.write(self.path, self.manifest)
        mark.unlink()

    def check(self, names, force):
        """Refuses, before the first stage, what a later one would: inputs from outside that are not there, programs that are not built."""
        for stage in (self.plan.stages[name] for name in names):
            if stage.left_out:
                continue
            for references in stage.inputs.values():
                for reference in references:
                    if plan.root_of(reference) is not None and self.paths(reference)[1] is None:
                        raise Refused(f"stage {stage.name}: its input {reference} is not there")
            if stage.name in self.manifest["stages"] and stage.name not in force:
                continue  # done already; if it is not fresh any more, its run says so
            tools = re.findall(r"\{bin\}/([\w-]+)", " ".join(self.described(stage))) + ([] if stage.is_module else [stage.command])
            for tool in tools:
                if not needs.runs(self.tools / tool):
                    raise Refused(f"stage {stage.name}: {self.tools / tool} cannot be run: build it with Tools/build --product {tool}, or give --bin DIR")

    def all(self, until, force):
        rows, started = [], time.time()
        unknown = [n for n in force if n not in self.plan.stages]
        if unknown:
            raise Refused(f"--force: there is no stage {unknown[0]}; the stages are {', '.join(self.plan.stages)}")
        names = self.plan.until(until)
        self.check(names, force)
        for name in names:
            stage = self.plan.stages[name]
            if stage.left_out:
                rows.append((name, "left out", "", ""))
                continue
            paths, hashes = self.inputs(stage)
            if name not in force and self.fresh(stage, hashes):
                did = "as before"
            else:
                print(f"{name}: {stage.command}", flush=True)
                self.run(stage, paths, hashes, name in force)
                did = "run"
            self.hashes.save()
            record = self.manifest["stages"][name]
            rows.append((name, did, f"{record['seconds']:.1f}", ", ".join(f"{k} `{v[:12]}`" for k, v in record["outputs"].items())))
        table = "\n".join(f"| {' | '.join(row)} |" for row in [("stage", "", "seconds", "outputs, SHA-256"), ("---",) * 4, *rows]) + "\n"
        (self.work / "stages.md").write_text(table)
        print(f"\n{table}\n{self.work}: {sum(r[1] == 'run' for r in rows)} of {len(rows)} stages run, {time.time() - started:.0f} s", flush=True)


def locked(work):
    """The work folder's lock, held by this process and by the guard of a stage."""
    lock = open(work / ".lock", "w")
    deadline = time.time() + WAIT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except OSError:
            if time.time() > deadline:
                raise Refused(f"another run is using {work}") from None
            time.sleep(0.1)


def guarded(command, log, stdout, lock):
    """Runs a stage, its output in a file and on the terminal. -> its status, above 128 the signal that killed it and 128."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])}
    with open(log, "wb") as said, open(stdout or os.devnull, "wb") as kept:
        process = subprocess.Popen([sys.executable, "-m", "pipeline.guard", *command], cwd=HERE, env=environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=said if stdout else subprocess.STDOUT, start_new_session=True, pass_fds=(lock,))
        with process.stdin:
            for line in process.stdout:
                for file in (kept if stdout else said, sys.stdout.buffer):
                    file.write(line)
                    file.flush()
            status = process.wait()
        if status:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # what the stage started may still be there
            except ProcessLookupError:
                pass
        return status if status >= 0 else 128 - status


def main():
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=pathlib.Path, metavar="RECIPE", help="a file, or the name of one in Tools/lab/training/recipes")
    parser.add_argument("--work", type=pathlib.Path, required=True, metavar="DIR", help="for everything written; made if need be")
    parser.add_argument("--assets", type=pathlib.Path, metavar="DIR", help="the folder of sources")
    parser.add_argument("--until", metavar="STAGE", help="that stage and what it needs")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the recipe, or STAGE.KEY=VALUE")
    parser.add_argument("--force", action="append", default=[], metavar="STAGE", help="done again although nothing changed")
    parser.add_argument("--bin", type=pathlib.Path, default=BIN, metavar="DIR", help="of gesture-bench and gesture-import")
    args = parser.parse_args()
    shipped = HERE / "recipes" / f"{args.recipe}.toml"
    recipe = plan.read(args.recipe if args.recipe.exists() or not shipped.exists() else shipped, [plan.setting(s) for s in args.set])
    if args.assets is not None and not args.assets.is_dir():
        raise Refused(f"--assets: {args.assets} is not a folder")
    work = args.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    Runner(recipe, work, args.assets and args.assets.absolute(), args.bin.absolute()).all(args.until, args.force)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Refused as error:
        raise SystemExit(f"run: {error}") from None
