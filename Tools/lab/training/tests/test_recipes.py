"""Recipes: order, skipping, resuming, refusals, and the same bytes after a kill."""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch

from common import tensors
from pipeline import manifest, plan

TOOLS = pathlib.Path(__file__).resolve().parents[1]
RECIPES = sorted((TOOLS / "recipes").glob("*.toml"))
ARCHIVE = sorted((TOOLS / "recipes" / "archive").glob("*.json"))

# A stage of tests: joins its inputs and a text to its output, in as many steps as asked. It goes on from what it has, and counts its steps.
TOY = """
import pathlib, sys, time
out, text, steps, *inputs = sys.argv[1:]
out = pathlib.Path(out)
done = out.with_suffix(".steps")
begun = int(done.read_text()) if done.exists() else 0
for step in range(begun, int(steps)):
    with open(pathlib.Path(__file__).with_name("log"), "a") as log:
        log.write(f"{out.stem}{step}\\n")
    time.sleep(0.05)
    done.write_text(str(step + 1))
if text == "fail":
    sys.exit("it failed as asked")
if text != "nothing":
    out.write_text("".join(pathlib.Path(p).read_text() for p in inputs) + text)
"""

GRAPH = """
about = "a test"
[parameters]
a = "a"
b = "b"
steps = 1
parts = [1, 2]

[[stage]]
name = "last"
module = "toy"
inputs = { left = "left/out", pieces = "part" }
outputs = { out = "last.txt" }
arguments = ["{out}", "c", "{steps}", "{left}", "{pieces}"]

[[stage]]
name = "first"
module = "toy"
inputs = { given = "file:{source}" }
outputs = { out = "first.txt" }
parameters = { source = "source.txt" }
arguments = ["{out}", "{a}", "1", "{given}"]

[[stage]]
name = "left"
module = "toy"
inputs = { first = "first/out" }
outputs = { out = "left.txt" }
arguments = ["{out}", "{b}", "1", "{first}"]

[[stage]]
name = "part"
each = { k = "parts" }
module = "toy"
inputs = { first = "first" }
outputs = { out = "part.txt" }
arguments = ["{out}", "{k}", "1", "{first}"]
"""


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with the recipe GRAPH, its source and the module it runs; it is the current one."""
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "graph.toml").write_text(GRAPH)
    (tmp_path / "source.txt").write_text("s")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def command(recipe, work, *options):
    return [sys.executable, "-m", "pipeline", str(recipe), "--work", str(work), *options]


def environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(TOOLS), os.environ.get("PYTHONPATH", "")])}


def run(recipe, work, *options, fails=None):
    done = subprocess.run(command(recipe, work, *options), capture_output=True, text=True, env=environment())
    if fails is None:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert done.returncode == 1 and fails in done.stderr and "Traceback" not in done.stderr, done.stderr
    return done.stdout


def did(work):
    """{stage: run, as before or left out} of the last run's table."""
    rows = [line.strip("| \n").split(" | ") for line in (work / "stages.md").read_text().splitlines()[2:]]
    return {row[0]: row[1] for row in rows}


def outputs(work):
    return {name: stage["outputs"] for name, stage in json.loads((work / "manifest.json").read_text())["stages"].items()}


def alive(text):
    """Whether a process runs whose command names `text`."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text in path.read_text() and int(path.parent.name) != os.getpid():
                return True
        except OSError:
            pass
    return False


def killed_when(recipe, work, seen, *options):
    """Starts a run and kills it, not its stage, with SIGKILL as soon as `seen` is true."""
    process = subprocess.Popen(command(recipe, work, *options), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.time() + 120
    while not seen():
        assert process.poll() is None and time.time() < deadline
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL


def test_stages_run_in_order_and_are_skipped_when_nothing_changed(toys):
    work = toys / "work"
    run("graph.toml", work)
    assert list(did(work)) == ["first", "left", "part-1", "part-2", "last"] and set(did(work).values()) == {"run"}
    assert (work / "last" / "last.txt").read_text() == "sab" + "sa1" + "sa2" + "c"
    first = outputs(work)
    run("graph.toml", work)
    assert set(did(work).values()) == {"as before"} and outputs(work) == first


def test_what_is_recorded(toys):
    run("graph.toml", toys / "work")
    said = manifest.read(toys / "work" / "manifest.json")
    part = said["stages"]["part-2"]
    assert said["recipe"] == "graph" and part["parameters"] == {"k": 2} and part["arguments"] == ["{out}", "2", "1", "{first/out}"]
    assert part["inputs"] == {"first/out": said["stages"]["first"]["outputs"]["out"]}
    assert said["stages"]["last"]["arguments"][3:] == ["{left/out}", "{part-1/out}", "{part-2/out}"]
    assert {"python", "torch", "numpy"} <= set(part["versions"]) and set(part["code"]) == {"commit", "changed"} and part["seconds"] > 0


def test_a_changed_parameter_runs_its_stage_and_what_follows(toys):
    work = toys / "work"
    run("graph.toml", work)
    run("graph.toml", work, "--set", "b=B")
    assert did(work) == {"first": "as before", "left": "run", "part-1": "as before", "part-2": "as before", "last": "run"}
    run("graph.toml", work, "--set", "b=B", "--set", "parts=[1, 3]")
    assert did(work) == {"first": "as before", "left": "as before", "part-1": "as before", "part-3": "run", "last": "run"}
    assert (work / "last" / "last.txt").read_text() == "saB" + "sa1" + "sa3" + "c"


def test_a_changed_input_runs_what_follows_and_the_same_output_stops_it(toys):
    work = toys / "work"
    run("graph.toml", work)
    (toys / "source.txt").write_text("S")
    run("graph.toml", work)
    assert set(did(work).values()) == {"run"}
    (toys / "source.txt").write_text("s")
    (toys / "other.txt").write_text("S")
    run("graph.toml", work, "--set", "first.source=other.txt")
    assert did(work)["first"] == "run" and set(did(work).values()) == {"run", "as before"} and did(work)["last"] == "as before"


def test_until_and_force(toys):
    work = toys / "work"
    run("graph.toml", work, "--until", "left")
    assert list(did(work)) == ["first", "left"]
    run("graph.toml", work, "--until", "left", "--force", "first")
    assert did(work) == {"first": "run", "left": "as before"}
    (work / "left" / "left.txt").unlink()
    run("graph.toml", work, "--until", "left")
    assert did(work) == {"first": "as before", "left": "run"}


@pytest.mark.parametrize("stage", ["first", "part-1", "last"])
def test_a_run_killed_anywhere_ends_as_one_that_was_not(toys, stage):
    run("graph.toml", toys / "whole", "--set", "steps=20")
    killed_when("graph.toml", toys / "work", lambda: (toys / "work" / f".{stage}.begun").exists(), "--set", "steps=20")
    run("graph.toml", toys / "work", "--set", "steps=20")
    assert outputs(toys / "work") == outputs(toys / "whole")


@pytest.mark.parametrize("resumes, steps", [("", 40), ("resumes = true", 20)])
def test_a_stage_that_resumes_goes_on_and_others_begin_again(toys, resumes, steps):
    (toys / "graph.toml").write_text(GRAPH.replace('name = "last"', f'name = "last"\n{resumes}'))
    log = toys / "log"
    killed_when("graph.toml", toys / "work", lambda: log.exists() and "last18" in log.read_text(), "--set", "steps=20")
    done = log.read_text().count("last")
    time.sleep(0.5)
    assert log.read_text().count("last") == done, "the stage outlived the run"
    run("graph.toml", toys / "work", "--set", "steps=20")
    assert steps - 1 <= log.read_text().count("last") <= steps + 1


def test_what_an_interrupted_run_left_is_not_gone_on_from_with_other_parameters(toys):
    (toys / "graph.toml").write_text(GRAPH.replace('name = "last"', 'name = "last"\nresumes = true'))
    log = toys / "log"
    killed_when("graph.toml", toys / "work", lambda: log.exists() and "last5" in log.read_text(), "--set", "steps=20")
    log.unlink()
    run("graph.toml", toys / "work", "--set", "steps=9")
    assert log.read_text().count("last") == 9


def test_a_stage_that_is_killed_is_told_and_done_again(toys):
    work = toys / "work"
    process = subprocess.Popen(command("graph.toml", work, "--set", "steps=400"), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    log = toys / "log"
    while not (log.exists() and "last3" in log.read_text()):
        assert process.poll() is None
        time.sleep(0.01)
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_text().split("\0")
        except OSError:
            continue
        if str(work) in "".join(words) and words[1:3] == ["-m", "toy"]:
            os.kill(int(path.parent.name), signal.SIGKILL)
    assert "was killed by signal 9" in process.communicate()[1] and process.returncode == 1
    run("graph.toml", work, "--set", "steps=2")
    assert did(work)["last"] == "run"


def test_only_one_run_works_in_a_folder(toys, monkeypatch):
    from pipeline import __main__ as main
    work = toys / "work"
    work.mkdir()
    held = main.locked(work)
    monkeypatch.setattr(main, "WAIT", 0.3)
    with pytest.raises(plan.Refused, match="another run is using"):
        main.locked(work)
    held.close()
    main.locked(work).close()


def test_outputs_that_somebody_changed_are_refused(toys):
    work = toys / "work"
    run("graph.toml", work)
    (work / "left" / "left.txt").write_text("mine")
    run("graph.toml", work, fails="is not what the stage wrote")
    run("graph.toml", work, "--force", "left")
    assert did(work)["left"] == "run" and did(work)["last"] == "as before"
    (work / "manifest.json").unlink()
    run("graph.toml", work, fails="no run recorded it")


@pytest.mark.parametrize("options, message", [
    (("--set", "c=1"), "no such parameter"), (("--set", "b"), "needs KEY=VALUE"), (("--set", "steps=many"), "steps must be of type int, not str"),
    (("--set", "first.steps=2"), "no such parameter"), (("--set", "first.source="), "lacks its input given: give --set source=PATH"),
    (("--until", "end"), "there is no stage end"), (("--force", "end"), "there is no stage end"), (("--set", "first.source=none.txt"), "is not there"),
    (("--set", "a=fail"), "ended with status 1"), (("--set", "a=nothing"), "wrote no out"), (("--assets", "nowhere"), "is not a folder"),
])
def test_options_that_are_refused(toys, options, message):
    run("graph.toml", toys / "work", *options, fails=message)


@pytest.mark.parametrize("change, message", [
    (("about =", "abuot ="), "unknown key abuot"), (('module = "toy"', 'modul = "toy"'), "unknown key modul"), (("steps = 1", "steps = "), "is not valid TOML"),
    (('module = "toy"', 'module = "toy"\ntool = "gesture-import"'), "either a module or a tool"), (('name = "left"', 'name = "first"'), "the stage first twice"),
    (('first = "first/out"', 'first = "frist/out"'), "there is no stage frist"), (('left = "left/out"', 'left = "left/exit"'), "left has the outputs out"),
    (('first = "first/out"', 'first = "last/out"'), "in a circle: last -> left -> last"), (('"{out}", "c"', '"{out}", "{d}"'), "names {d}, which is not"),
    (('{ out = "left.txt" }', '{ out = "../left.txt" }'), "within the stage's folder"), (('{ out = "left.txt" }', '{ }'), "needs outputs"),
    (('each = { k = "parts" }', 'each = { k = "steps" }'), "with a parameter that is a list"), (('name = "left"', 'name = "a b"'), "needs a name of"),
    (('source = "source.txt"', 'source = "source.txt", out = "x"'), "is used twice among its"), (('name = "left"', 'name = 3'), "needs a name of"),
    (('arguments = ["{out}", "{b}"', 'arguments = [1, "{b}"'), "arguments must be strings"), (('name = "left"', 'name = "left"\nstdout = "table"'), "is not an output"),
    (('name = "left"', 'name = "left"\nneeds = ["c"]'), "needs c, which is not a parameter"), (('name = "left"', 'name = "left"\nresumes = 1'), "resumes must be of type bool, not int"),
    (('name = "left"', 'name = "left"\nsha256 = { out = "' + "0" * 64 + '" }'), "the recipe needs 0000"),
    (('name = "left"', 'name = "left"\nsha256 = { first = "' + "0" * 64 + '" }'), "the recipe needs 0000"),
    (('"file:{source}"', '"assets:source.txt"'), "--assets DIR"), (('name = "left"', 'name = "left"\npython = "{a}"'), "cannot be run"),
    (('module = "toy"\ninputs = { first = "first/out" }', 'tool = "toy"\ninputs = { first = "first/out" }'), "cannot be run"),
])
def test_recipes_that_are_refused(toys, change, message):
    assert change[0] in GRAPH
    (toys / "graph.toml").write_text(GRAPH.replace(*change, 1))
    run("graph.toml", toys / "work", fails=message)


def test_manifests_that_are_refused(toys):
    work = toys / "work"
    run("graph.toml", work)
    text = (work / "manifest.json").read_text()
    for change, message in ((("\"format\": 1", "\"format\": 2"), "is not a manifest"), (("{", "", 1), "is not a manifest"), (("graph", "other"), "holds the outputs of other"),
                            (("\"seconds\"", "\"second\""), "has not the fields")):
        (work / "manifest.json").write_text(text.replace(*change))
        run("graph.toml", work, fails=message)
    run("none.toml", work, fails="cannot be read")


def test_arguments():
    stage = plan.Stage("s", "m", True, {"files": []}, {}, ["{n}", ["--half", "{half}"], ["--bias", "{bias}"], "x{n}y", ["--from", "{files}"]], {}, None, "",
                       False, {}, False, {})
    values = {"n": 3, "half": True, "bias": ["a=1", "b=2"], "files": []}
    assert plan.arguments(stage, values) == ["3", "--half", "--bias", "a=1", "b=2", "x3y"]
    assert plan.arguments(stage, values | {"half": False, "bias": [], "files": ["f"]}) == ["3", "x3y", "--from", "f"]


# What is shipped


@pytest.mark.parametrize("path", RECIPES, ids=lambda p: p.stem)
def test_shipped_recipes_are_read_and_name_what_there_is(path):
    recipe = plan.read(path)
    assert recipe.about and recipe.name == path.stem
    for stage in recipe.stages.values():
        if stage.is_module and not stage.command.startswith("torch."):
            assert (TOOLS / (stage.command.replace(".", "/") + ".py")).exists(), stage.command


@pytest.mark.parametrize("path", ARCHIVE, ids=lambda p: p.stem)
def test_archived_manifests_are_manifests(path):
    said = manifest.check(json.loads(path.read_text()), path)
    for name, stage in said["stages"].items():
        for reference in stage["inputs"]:
            if plan.root_of(reference) is None:
                of, _, output = reference.partition("/")
                assert of in said["stages"] and output in said["stages"][of]["outputs"], f"{name} takes {reference}"
    shipped = {hashlib.sha256(p.read_bytes()).hexdigest() for p in (TOOLS.parents[2] / "Weights").rglob("*.safetensors")}
    last = list(said["stages"].values())[-1]
    assert set(last["outputs"].values()) <= shipped, "the repository's weights are other ones: archive their rounds"


def test_smoke_killed_and_resumed_gives_the_same_bytes(tmp_path):
    recipe = TOOLS / "recipes" / "smoke.toml"
    run(recipe, tmp_path / "whole")
    work = tmp_path / "work"
    killed_when(recipe, work, lambda: (work / "train.log").exists() and alive("handtrain.train"))
    assert "train" not in outputs(work)
    run(recipe, work)
    assert outputs(work) == outputs(tmp_path / "whole") and did(work)["clips-1"] == "as before" and did(work)["train"] == "run"
    run(recipe, work, "--set", "rounding_steps=5")
    assert [n for n, what in did(work).items() if what == "run"] == ["round", "export", "measure"]


# Files of the same bytes


def test_a_state_saved_loaded_and_saved_is_the_same_bytes(tmp_path):
    state = {"a": {"lr": 1.5, "lr2": torch.ones(3)}, "b": [{"lr": 2.0, "betas": (0.9, 0.98)}, {"".join(["l", "r"]): 3.0, "betas": (0.9, 0.98)}]}
    tensors.save(tmp_path / "a.pt", state)
    tensors.save(tmp_path / "b.pt", torch.load(tmp_path / "a.pt", weights_only=False))
    (tmp_path / "b").mkdir()
    tensors.save(tmp_path / "b" / "a.pt", torch.load(tmp_path / "a.pt", weights_only=False))
    assert (tmp_path / "a.pt").read_bytes() == (tmp_path / "b" / "a.pt").read_bytes()


def test_tensors_and_archives_are_written_the_same_again(tmp_path):
    weights, metadata = {"b": torch.rand(2, 3), "a": torch.rand(4)}, {k: "x" for k in "hgfedcba"}
    for name in ("one", "other"):
        tensors.write(tmp_path / f"{name}.safetensors", dict(reversed(weights.items())) if name == "one" else weights, metadata)
        np.savez(tmp_path / f"{name}.npz", a=np.arange(3))
        np.savez_compressed(tmp_path / f"{name}-c.npz", a=np.arange(3))
        time.sleep(2.1 if name == "one" else 0)
    for suffix in (".safetensors", ".npz", "-c.npz"):
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"other{suffix}").read_bytes()
