"""Teaching by landmarks: where the gesture is in a recording, what is refused, the rehearsal file, and a head that learns."""

import json
import types

import numpy as np
import pytest
import torch

from common import recognise
from common.labels import LABELS, NULL
from handtrain import features, finetune, fixture, forgetting, recordings, rehearsal, script

SKELETON = fixture.bank()


@pytest.fixture(scope="module")
def hand():
    """[21,3] of the fixture's first hand, in shares of a square frame."""
    points = finetune.points_of(SKELETON["bones"][0]) @ SKELETON["view"][0].T
    return (points * 0.06 + [0.5, 0.6, 0]).astype(np.float32)


def made(path, place, hand, seen=None, rate=30.0):
    """A recording of a hand at the places [n,2], written as an .npz."""
    place = np.asarray(place, np.float32)
    landmarks = np.broadcast_to(hand, (len(place), 21, 3)).copy()
    landmarks[..., :2] += place[:, None]
    if seen is not None:
        landmarks[~np.asarray(seen)] = np.nan
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, landmarks=landmarks, right=np.full(len(place), 0.9, np.float32), aspect=1.0, rate=rate)
    return recordings.read(path)


def line(*parts):
    """Places that stand (0) or go (1) for so many frames."""
    x, out = 0.0, []
    for count, goes in parts:
        for _ in range(count):
            x += 0.03 * goes
            out.append((x - 0.2, 0.0))
    return out


# Recordings


def test_a_movement_between_rests_is_the_gesture(tmp_path, hand):
    first, end, kind = recordings.gesture(made(tmp_path / "a.npz", line((20, 0), (15, 1), (20, 0)), hand))
    assert kind == "moves" and abs(first - 20) <= 3 and abs(end - 35) <= 3


def test_a_pose_is_what_stands_still_between_coming_and_going(tmp_path, hand):
    seen = [False] * 10 + [True] * 50 + [False] * 10
    first, end, kind = recordings.gesture(made(tmp_path / "a.npz", line((10, 0), (8, 1), (34, 0), (8, 1), (10, 0)), hand, seen))
    assert kind == "pose" and abs(first - 18) <= 3 and abs(end - 52) <= 3


def test_a_hand_that_never_rests_shows_it_throughout(tmp_path, hand):
    assert recordings.gesture(made(tmp_path / "a.npz", line((40, 1)), hand)) == (0, 40, "all")


def test_a_short_loss_does_not_cut_a_clip(tmp_path, hand):
    seen = [True] * 20 + [False] * 8 + [True] * 20 + [False] * 15 + [True] * 5
    assert recordings.stretch(made(tmp_path / "a.npz", line((68, 0)), hand, seen)) == (0, 48)


@pytest.mark.parametrize("rate, slots", [(10, 28), (15, 29), (25, 29), (30, 30)])
def test_slots_of_slower_sources_repeat_frames(rate, slots):
    index = recordings.slots(np.arange(rate) / rate, 30)
    assert len(index) == slots and (np.diff(index) >= 0).all() and set(index) == set(range(rate))


def test_faster_sources_have_columns_a_thirtieth_apart(tmp_path, hand):
    found = recordings.columns(made(tmp_path / "a.npz", line((61, 0)), hand, rate=60.0))
    assert [f.tolist() for f in found] == [list(range(0, 61, 2)), list(range(1, 61, 2))]


def test_labels_beside_a_recording_say_it(tmp_path, hand):
    recording = made(tmp_path / "wave" / "a.npz", line((40, 1)), hand)
    recording.path.with_suffix(".json").write_text(json.dumps({"frames": 40, "labels": [[0, 10, "null"], [10, 40, "wave"]], "undecided": [[8, 12]]}))
    names, how = finetune.labelled(recording, "wave", "null")
    assert how == "labels" and names.tolist() == ["null"] * 8 + [""] * 4 + ["wave"] * 28
    recording.path.with_suffix(".json").write_text("{")
    with pytest.raises(SystemExit, match="not a label file"):
        finetune.labelled(recording, "wave", "null")


# What is refused


def layout(folder, hand, **counts):
    for name, count in counts.items():
        (folder / name).mkdir(parents=True)
        for k in range(count):
            made(folder / name / f"{k}.npz", line((12, 0), (9, 1), (12, 0)), hand)
    return folder


@pytest.mark.parametrize("counts, message", [
    ({}, "is empty"), ({"wave": 0, "null": 1}, "wave has no clips"), ({"wave": 1, "null": 1}, "one clip"), ({"null": 2}, "shows no gesture"),
])
def test_folders_that_teach_nothing(tmp_path, hand, counts, message):
    with pytest.raises(SystemExit, match=message):
        recordings.gathered(layout(tmp_path, hand, **counts), "null")


def test_folders_that_are_none(tmp_path, hand):
    (tmp_path / "file").write_text("")
    for path, message in ((tmp_path / "file", "is not a folder"), (tmp_path / "nowhere", "does not exist")):
        with pytest.raises(SystemExit, match=message):
            recordings.gathered(path, "null")
    made(tmp_path / "loose.npz", line((9, 0)), hand)
    with pytest.raises(SystemExit, match="no gesture's folder"):
        recordings.gathered(tmp_path, "null")


def test_clips_without_a_hand(tmp_path, hand):
    with pytest.raises(SystemExit, match="no hand is found"):
        recordings.gesture(made(tmp_path / "a.npz", line((30, 0)), hand, [False] * 30))
    with pytest.raises(SystemExit, match="shows a hand for 0.10 s"):
        recordings.gesture(made(tmp_path / "b.npz", line((30, 0)), hand, [True] * 3 + [False] * 27))
    (tmp_path / "c.npz").write_text("no archive")
    with pytest.raises(SystemExit, match="not a recording"):
        recordings.read(tmp_path / "c.npz")


def test_a_tracker_that_fails_is_told(tmp_path):
    bench = tmp_path / "gesture-bench"
    bench.write_text("#!/bin/sh\necho 'clip.mp4: no video' >&2\nexit 1\n")
    bench.chmod(0o755)
    with pytest.raises(SystemExit, match="clip.mp4 cannot be read: clip.mp4: no video"):
        recordings.read(tmp_path / "clip.mp4", bench)
    with pytest.raises(SystemExit, match="build it"):
        recordings.read(tmp_path / "clip.mp4", tmp_path / "none")


def test_outputs_that_cannot_be_written(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "model.safetensors"):
        with pytest.raises(SystemExit):
            finetune.checked_output(path)


# What is needed is looked for first


def tools(folder, *names):
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)
    return folder / "gesture-bench"


def asked(videos, bench, test=None):
    return types.SimpleNamespace(videos=videos, test=test, bench=bench)


def test_programs_are_looked_for_before_anything_is_tracked(tmp_path, hand, monkeypatch):
    videos = layout(tmp_path / "videos", hand, wave=2, null=1)
    with pytest.raises(SystemExit, match="gesture-import is missing: build it with Tools/build --product gesture-import"):
        finetune.checked_needs(asked(videos, tools(tmp_path / "one", "gesture-bench")), "null")
    both = tools(tmp_path / "both", "gesture-bench", "gesture-import")
    finetune.checked_needs(asked(videos, both), "null")
    # Recordings that are tracked already need no tracker; videos need it and what decodes them.
    finetune.checked_needs(asked(videos, tools(tmp_path / "import", "gesture-import")), "null")
    (videos / "wave" / "a.mp4").write_text("")
    with pytest.raises(SystemExit, match="gesture-bench is missing"):
        finetune.checked_needs(asked(videos, tmp_path / "import" / "gesture-bench"), "null")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="ffmpeg is missing: Tools/setup installs it\nffprobe is missing"):
        finetune.checked_needs(asked(videos, both), "null")


def test_a_program_that_is_missing_ends_teaching_at_once(tmp_path, hand, monkeypatch):
    videos = layout(tmp_path / "videos", hand, wave=2)
    monkeypatch.setattr(recordings, "read", lambda *_: pytest.fail("tracked"))
    args = types.SimpleNamespace(videos=videos, output=tmp_path / "model", model=finetune.SHIPPED, test=None,
                                 bench=tools(tmp_path / "bin", "gesture-bench"), steps=1, sequences=1, threads=1)
    with pytest.raises(SystemExit, match="gesture-import is missing"):
        finetune.finetune(args)


def test_labels_are_checked_before_anything_is_tracked(tmp_path, hand, monkeypatch):
    videos = layout(tmp_path / "videos", hand, **{"caf\u00e9": 2, "cafe\u0301": 2})
    others = layout(tmp_path / "others", hand, wave=2)
    monkeypatch.setattr(recordings, "read", lambda *_: pytest.fail("tracked"))
    args = types.SimpleNamespace(videos=videos, output=tmp_path / "model", model=finetune.SHIPPED, test=None, keep_labels=None, mirror=[],
                                 bench=tools(tmp_path / "bin", "gesture-bench", "gesture-import"), steps=1, sequences=1, threads=1)
    with pytest.raises(SystemExit, match="videos/cafe\u0301 and .*videos/caf\u00e9 are the same label"):
        finetune.finetune(args)
    # What gesture-import refuses is refused as early.
    (tmp_path / "bin" / "gesture-import").write_text("#!/bin/sh\necho Labels 14 and 15 are the same. >&2; exit 1\n")
    args.videos = others
    with pytest.raises(SystemExit, match="names that cannot be labels together: Labels 14"):
        finetune.finetune(args)


def test_one_clip_of_a_gesture_tests_it(tmp_path, hand):
    bench = tools(tmp_path / "bin", "gesture-bench", "gesture-import")
    videos, one = layout(tmp_path / "videos", hand, wave=2), layout(tmp_path / "one", hand, wave=1)
    finetune.checked_needs(asked(videos, bench, one), "null")
    assert finetune.gather(one, "null", None, tell=False, least=1)[0] == {"wave": {"moves": 1}}
    with pytest.raises(SystemExit, match="one clip"):
        finetune.checked_needs(asked(one, bench, videos), "null")
    with pytest.raises(SystemExit, match="none does not exist"):
        finetune.checked_needs(asked(videos, bench, tmp_path / "none"), "null")


# The rehearsal file


def test_rehearsal_is_what_it_says():
    reported = rehearsal.read()
    about = reported["about"]
    assert rehearsal.PATH.stat().st_size < 1_400_000
    assert (about["seed"], about["each"], about["nulls"], about["columns"]) == (rehearsal.SEED, rehearsal.EACH, rehearsal.NULLS, rehearsal.COLUMNS)
    assert len(about["bank_sha256"]) == 64 and {"repository", "licence", "attribution"} <= set(about["sources"][0])
    count = np.bincount(reported["wanted"], minlength=len(LABELS))
    assert count.tolist() == [rehearsal.EACH] * NULL + [rehearsal.NULLS]
    assert reported["codes"].shape == (count.sum(), rehearsal.COLUMNS, features.CODES) and (reported["codes"][..., features.USED:] == 0).all()
    for wanted, label, ignore in zip(reported["wanted"], reported["label"], reported["ignore"]):
        assert (label == NULL).all() if wanted == NULL else ((label == wanted) & ~ignore)[14:].any()
    assert set(np.unique(reported["codes"][..., 0])) == {0, 255}


def test_rehearsal_is_of_these_scripts():
    """If this fails, `python -m handtrain.rehearsal BANK` makes the file of the scripts as they are now."""
    found, expected = rehearsal.probe().astype(int), rehearsal.read()["probe"][..., :features.USED].astype(int)
    assert found.shape == expected.shape and np.abs(found - expected).mean() < 0.02


def test_rehearsal_keeps_its_columns(tmp_path):
    shapes = script.Shapes(SKELETON, False)
    rows = rehearsal.some(shapes, LABELS.index("swipeUp"), 3, 5)
    codes, label, ignore = (np.stack(x) for x in zip(*rows))
    arrays = {"codes": codes, "label": label, "ignore": ignore, "wanted": np.zeros(3, np.int8), "probe": codes, "about": np.array("{}")}
    rehearsal.write(tmp_path / "a.npz.xz", arrays)
    rehearsal.write(tmp_path / "b.npz.xz", arrays)
    assert np.array_equal(rehearsal.read(tmp_path / "a.npz.xz")["codes"][..., :features.USED], codes)
    assert (tmp_path / "a.npz.xz").read_bytes() == (tmp_path / "b.npz.xz").read_bytes()


# What learns


def test_shipped_weights_are_what_they_were():
    model = finetune.load(finetune.SHIPPED)
    assert model.labels == list(LABELS) and model.null == "null" and model.rules.begin >= 1
    reported = rehearsal.read()
    guess = model.exact()(reported["codes"][::8])
    decided = ~reported["ignore"][::8, 15:]
    assert (guess.argmax(-1) == reported["label"][::8, 15:])[decided].mean() > 0.75
    with pytest.raises(SystemExit, match="not an int8 model"):
        finetune.load(finetune.SHIPPED.parent / "palm-detection-lite.safetensors")


def test_hands_moved_are_hands(hand):
    rng = np.random.default_rng(2)
    clip = np.broadcast_to(hand, (20, 21, 3)).copy()
    clip[5] = np.nan
    for _ in range(20):
        landmarks, _ = finetune.moved(rng, clip, np.ones(20), 4 / 3)
        assert np.isfinite(landmarks).all((1, 2)).tolist() == [k != 5 for k in range(20)]
        assert (np.abs(landmarks[[0, 19], 9, :2] - 0.5) < 0.6).all() and np.allclose(landmarks[0, 0, 2], landmarks[19, 0, 2], atol=0.05)


def test_mirrored_names():
    shown = {*LABELS, "horns", "left", "right"}
    names = finetune.mirrored_names(["horns=horns", "left=right"], "null", shown)
    assert names["horns"] == "horns" and names["right"] == "left" and names["swipeLeft"] == "swipeRight" and "shaka" not in names
    with pytest.raises(SystemExit, match="coil"):
        finetune.mirrored_names(["coil=coil"], "null", shown)


def test_an_enlarged_head_says_what_it_said():
    model = finetune.load(finetune.SHIPPED)
    labels = [*LABELS, "horns"]
    larger = model._replace(head=finetune.enlarged(model, labels), labels=labels)
    codes = rehearsal.read()["codes"][:5]
    a, b = model.exact()(codes), larger.exact()(codes)
    assert np.array_equal(a, b[..., :len(LABELS)]) and np.abs(b[..., -1] - (a[..., NULL] - 2)).max() < 0.02


def test_a_row_learns_and_all_others_stay(tmp_path, hand):
    """A new pose is reported more, every old weight and probability is what it was, and the same seed gives the same weights."""
    model, reported = finetune.load(finetune.SHIPPED), rehearsal.read()
    pose = (finetune.points_of(SKELETON["bones"][9]) @ SKELETON["view"][9].T * 0.06 + [0.5, 0.6, 0]).astype(np.float32)
    folder = tmp_path / "clips"
    for k in range(2):
        made(folder / "sign" / f"{k}.npz", np.random.default_rng(k).normal(0, 0.002, (30, 2)), pose)
    made(folder / "null" / "0.npz", line((30, 0)), hand)
    located, clips = finetune.gather(folder, "null", None, tell=False)
    assert {name: sum(kinds.values()) for name, kinds in located.items()} == {"null": 1, "sign": 2} and len(clips) == 3
    labels = [*LABELS, "sign"]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    args = types.SimpleNamespace(sequences=96, steps=60, rate=2e-2, keep=4.0, seed=3)
    heads = [finetune.train(model, labels, clips, {}, reported, args) for _ in range(2)]
    torch.set_num_threads(threads)
    first = finetune.enlarged(model, labels)
    for a, b, c in zip(*(h.state_dict().values() for h in (*heads, first))):
        assert torch.equal(a, b) and torch.equal(a[:len(LABELS)], c[:len(LABELS)])
    rules = model.rules._replace(taught=("sign",))
    before, after = (model._replace(head=head, labels=labels, rules=rules) for head in (first, heads[0]))
    shown = next(c for c in clips if not c.own).codes[None]
    confidence = [recognise.probabilities(m.exact()(shown)[0], labels, "null", rules.taught) for m in (before, after)]
    assert confidence[1][:, -1].mean() > 2 * confidence[0][:, -1].mean()
    old = recognise.softmax(model.exact()(shown)[0])
    assert np.array_equal(np.delete(old, NULL, 1), np.delete(confidence[1], [NULL, len(LABELS)], 1))
    assert np.allclose(old[:, NULL], confidence[1][:, NULL] + confidence[1][:, -1], atol=1e-6)
    assert finetune.harm(model, after, {"codes": reported["codes"][::8]})[0] == 0
    assert finetune.table([model, after], [finetune.found(m, clips) for m in (model, after)])[0].split()[0] == "clips"


def test_what_cannot_be_recognised_is_a_warning(tmp_path, hand):
    """A clip without a beginning, and a gesture that the old model takes for one of its own."""
    model = finetune.load(finetune.SHIPPED)
    made(tmp_path / "stop" / "0.npz", line((30, 0)), hand)
    located, clips = finetune.gather(tmp_path, "null", None, tell=False, least=1)
    after = model._replace(labels=[*LABELS, "stop"], head=finetune.enlarged(model, [*LABELS, "stop"]), rules=model.rules._replace(taught=("stop",)))
    reported = " ".join(finetune.warnings({"stop": {"all": 1}}, model, finetune.found(after, clips), clips))
    assert "stop is shown throughout 1" in reported and "found in 0 of the 1" in reported
    assert ("the old model tells" in reported) == bool(finetune.begins(model, clips[0].codes))


def test_new_gestures_are_null_to_the_old_measure():
    model = types.SimpleNamespace(labels=["tap", "null", "horns"])
    logits = np.array([[[1.0, 2.0, 3.0]]], np.float32)
    before = forgetting.as_before(model, logits)
    assert before.shape == (1, 1, len(LABELS)) and before[0, 0, NULL] == 3 and before[0, 0, LABELS.index("tap")] == 1


def test_events_of_other_labels():
    logits = np.zeros((20, 3))
    logits[:, 1] = 5
    logits[8:14, 2] = 12
    assert recognise.events(logits, recognise.Rules(), ["a", "nothing", "b"], "nothing")[0][0] == "b"
