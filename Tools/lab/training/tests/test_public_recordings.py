"""The list of public recordings, and the folders that are made of it."""

import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tomllib

import pytest

from common.labels import LABELS
from handtrain import accuracy

ROOT = pathlib.Path(__file__).resolve().parents[1]
LICENCES = {"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "CC0-1.0", "CC-BY-4.0", "Unlicense"}


@pytest.fixture(scope="module")
def tool():
    loader = importlib.machinery.SourceFileLoader("public_recordings", str(ROOT / "public-recordings"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_the_list_is_whole(tool):
    entries = tomllib.loads((ROOT / "public-recordings.toml").read_text())["recording"]
    names = [entry["name"] for entry in entries]
    assert names == sorted(set(names)) and len(names) >= 48
    learned, tested = ({e["name"].split("-")[0] for e in entries if e.get("test", False) is test} for test in (False, True))
    assert len(tested) >= 11 and not learned & tested
    for entry in entries:
        assert entry["licence"] in LICENCES and entry["attribution"] and entry["shows"] and len(entry["commit"]) == 40, entry["name"]
        expected = 0
        for first, last, label in tool.truth_of(entry):
            assert int(first) == expected and int(last) >= int(first) and label in (*LABELS, "other", "skip"), (entry["name"], first, label)
            expected = int(last) + 1


def test_a_folder_is_made_of_an_entry_and_a_fault_leaves_none(tool, tmp_path, monkeypatch, capsys):
    source = tmp_path / "remote" / "ann" / "clips"
    source.mkdir(parents=True)

    def git(*arguments):
        return subprocess.run(["git", "-C", source, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True, text=True).stdout.strip()

    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-pix_fmt", "yuv420p", source / "a.mp4"], check=True)
    git("init", "--quiet")
    git("add", "a.mp4")
    git("commit", "--quiet", "--message", "a clip")
    git("config", "uploadpack.allowFilter", "true")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    entry = f'repository = "ann/clips"\ncommit = "{git("rev-parse", "HEAD")}"\npath = "a.mp4"\ntruth = """0-3 null,\n4-9 grab"""\n'
    listed = tmp_path / "list.toml"
    listed.write_text(f'[[recording]]\nname = "ann-plain"\n{entry}[[recording]]\nname = "ann-crop"\nfilter = "crop=32:32:0:0"\n{entry}'
                      f'[[recording]]\nname = "ann-scale"\nfilter = "scale=160:100"\n{entry}'
                      f'[[recording]]\nname = "ann-none"\n{entry.replace("a.mp4", "b.mp4")}[[recording]]\nname = "bob-plain"\ntest = true\n{entry}')
    monkeypatch.setattr(tool, "LIST", listed)
    output = tmp_path / "made"
    monkeypatch.setattr("sys.argv", ["public-recordings", str(output), "--remote", f"file://{tmp_path}/remote/{{owner}}/{{name}}"])
    assert tool.main() == 1
    assert "ann-none" in capsys.readouterr().err
    assert sorted(p.name for p in output.iterdir()) == ["ann-crop", "ann-plain", "ann-scale"]
    assert (output / "ann-plain" / "clip.mp4").read_bytes() == (source / "a.mp4").read_bytes()
    assert accuracy.truth_of(output / "ann-crop" / "truth.csv") == [(0, 3, "null"), (4, 9, "grab")]
    said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=width,height,nb_read_frames",
                           "-of", "csv=p=0", output / "ann-crop" / "clip.mp4"], check=True, capture_output=True, text=True).stdout
    assert said.strip() == "32,32,10"
    # Byte for byte the same without the processor's vector instructions.
    scaled = (output / "ann-scale" / "clip.mp4").read_bytes()
    shutil.rmtree(output / "ann-scale")
    plain = tmp_path / "plain" / "ffmpeg"
    plain.parent.mkdir()
    plain.write_text(f'#!/bin/sh\nexec {shutil.which("ffmpeg")} -cpuflags 0 "$@"\n')
    plain.chmod(0o755)
    monkeypatch.setenv("PATH", f"{plain.parent}{os.pathsep}{os.environ['PATH']}")
    assert tool.main() == 1
    assert (output / "ann-scale" / "clip.mp4").read_bytes() == scaled
    monkeypatch.setattr("sys.argv", ["public-recordings", str(tmp_path / "test"), "--test", "--remote", f"file://{tmp_path}/remote/{{owner}}/{{name}}"])
    assert tool.main() == 0 and [p.name for p in (tmp_path / "test").iterdir()] == ["bob-plain"]
