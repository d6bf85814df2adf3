"""Checks of what adds classes: recorded traces, composed circles, and the network that learns them."""

import hashlib
import json
import types

import cv2
import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from common.labels import LABELS, NULL
from gesturetrain import adding, circles, finetune
from gesturetrain.compose import Composer, describe
from gesturetrain.network import GestureTCN, fold

NEW = ["circleClockwise", "circleCounterclockwise"]


def ring(count, direction, per_turn=18.0, size=50.0):
    """Positions [count,2] on a circle; direction 1 is clockwise with y down."""
    angle = direction * 2 * np.pi * np.arange(count) / per_turn
    return size * np.stack([np.cos(angle), np.sin(angle)], 1)


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A file as the recording's, of two rings and a straight movement, a window a frame."""
    path, rows = tmp_path_factory.mktemp("traces") / "point_history.csv", []
    lines = {1: ring(400, 1), 2: ring(400, -1), 3: np.stack([3.0 * np.arange(300) % 200, np.zeros(300)], 1)}
    for label, line in lines.items():
        for k in range(len(line) - 15):
            if k % 50 != 49:  # the recording lacks some rows
                rows.append([label, *((np.rint(line[k:k + 16]) - np.rint(line[k])) / circles.PICTURE).ravel()])
    np.savetxt(path, rows, delimiter=",", fmt=["%d"] + ["%.9f"] * 32)
    return path


def test_windows_join_to_the_traces_they_were_cut_from(recording):
    found = circles.traces(recording)
    assert [len(p) for p in found[1]] == [400]
    assert np.abs((found[1][0] - found[1][0][0]) - (np.rint(ring(400, 1)) - np.rint(ring(400, 1)[0]))).max() < 0.01


def test_a_lost_hand_cuts_a_trace(tmp_path):
    line = ring(200, 1)
    line[100:103] = (-400, -300)
    rows = [[1, *((line[k:k + 16] - line[k]) / circles.PICTURE).ravel()] for k in range(185)]
    np.savetxt(tmp_path / "t.csv", rows, delimiter=",")
    assert [len(p) for p in circles.traces(tmp_path / "t.csv")[1]] == [100, 97]


def test_turns_and_radius_are_a_rings():
    for direction in (1, -1):
        trace = ring(91, direction)
        assert abs(circles.turns(trace)[-1] - direction * 5) < 0.3
        assert abs(circles.radius(trace) - 50) < 3


@pytest.mark.parametrize("lengths", [[400], [100, 16, 200, 300], [16] * 20])
def test_splits_share_no_point(lengths):
    edges = np.cumsum([0, *lengths])
    parts = [np.stack([np.arange(a, b)] * 2, 1) for a, b in zip(edges[:-1], edges[1:])]
    train, test = (np.concatenate(circles.split(parts, name))[:, 0] for name in ("train", "test"))
    assert test.min() - train.max() > circles.GAP - 1
    assert len(set(train)) == len(train) > len(test) > 0


def test_a_piece_turns_as_far_as_wanted(recording):
    parts = circles.traces(recording)[2]
    for seed in range(20):
        piece = circles.cut(np.random.default_rng(seed), parts, 2.0)
        assert -2.4 < circles.turns(piece)[-1] < -1.6


@pytest.fixture(scope="module")
def composed(bank, recording):
    source = circles.Circles(Composer(bank, "test"), recording)
    return {name: [source.clip(name, seed) for seed in range(4)] for name in (*NEW, "null")}


def signed_turns(clip, index):
    """Turns of the palm, clockwise as the viewer sees it, while a clip shows class `index`."""
    shown = np.flatnonzero(clip["label"] == index)
    place = clip["aux"][clip["index"][shown], 1:3] * circles.SIZE
    return circles.turns(place.astype(float))[-1], place


@pytest.mark.parametrize("name, sign", [(NEW[0], 1), (NEW[1], -1)])
def test_composed_circles_turn_as_their_name_says(composed, name, sign):
    for clip in composed[name]:
        found, place = signed_turns(clip, circles.NAMES.index(name))
        assert sign * found > 0.6
        reach = np.ptp(place, axis=0).max() / circles.SIZE[0]
        assert 1.6 * circles.RADIUS[0] < reach < 2.6 * circles.RADIUS[1]


def test_circles_of_the_null_clips_are_null(composed):
    assert all((clip["label"] <= NULL).all() for clip in composed["null"])


def test_the_label_begins_within_the_first_turn(composed):
    for name in NEW:
        for clip in composed[name]:
            first = np.flatnonzero(clip["label"] == circles.NAMES.index(name))[0]
            assert clip["ignore"][first - 1] and not clip["ignore"][first + 2:first + 6].any()
            described = describe(clip, 0, "test")
            assert name in [e["label"] for e in described["events"]]
            assert all(a < b and n in circles.NAMES for a, b, n in described["labels"])


def test_circle_clips_repeat(bank, recording, composed):
    again = circles.Circles(Composer(bank, "test"), recording).clip(NEW[0], 2)
    assert np.array_equal(again["frames"], composed[NEW[0]][2]["frames"])
    other = circles.Circles(Composer(bank, "train"), recording).clip(NEW[0], 2)
    assert other["frames"].shape != again["frames"].shape or not np.array_equal(other["frames"], again["frames"])


# The network that learns them; the engine is left out.

def test_the_moving_part_is_found():
    frames = np.full((60, 224, 224), 90, np.uint8)
    for k in range(20, 41):
        frames[k, 60:120, 3 * k:3 * k + 60] = 200
    frames[41:] = frames[40]
    frames[:20] = frames[20]
    first, end = finetune.moving_part(frames)
    assert abs(first - 20) <= 3 and abs(end - 41) <= 3
    assert finetune.moving_part(frames[:1].repeat(30, 0)) == (0, 30)


def test_mirror_images_have_names_only_where_they_are_given():
    plain = finetune.mirrored_names([], "null")
    assert plain["swipeLeft"] == "swipeRight" and plain["null"] == "null" and NEW[0] not in plain
    swapped = finetune.mirrored_names([f"{NEW[0]}={NEW[1]}", "wave=wave"], "null")
    assert swapped[NEW[0]] == NEW[1] and swapped[NEW[1]] == NEW[0] and swapped["wave"] == "wave"


def test_stretched_sequences_keep_columns_and_labels_together():
    for length in (20, 48, 90):
        sequence = (np.arange(length)[:, None].repeat(128, 1), np.arange(length), np.arange(length) > 10)
        for seed in range(20):
            column, label, ignore = finetune.stretched(np.random.default_rng(seed), sequence)
            assert len(label) == finetune.STEPS and np.array_equal(column[:, 0], label) and np.array_equal(ignore, label > 10)
            assert (np.diff(label) >= 0).all() and np.diff(label).max() <= 2


def video(path, seed, moving):
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 30, (64, 48))
    for k in range(50):
        image = np.full((48, 64, 3), 80 + 10 * seed, np.uint8)
        x = 5 + (k - 15 if moving and 15 <= k < 35 else 20 * (moving and k >= 35))
        image[10:30, x:x + 20] = 220
        writer.write(image)
    writer.release()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A checkpoint, a model that says it was made of it, clips of two new classes, and columns."""
    folder = tmp_path_factory.mktemp("finetune")
    torch.manual_seed(3)
    weights = {k: v.contiguous() for k, v in fold(GestureTCN()).state_dict().items()}
    save_file(weights, folder / "old.safetensors", {"labels": json.dumps(LABELS), "null_index": str(NULL), "training": "{}"})
    digest = hashlib.sha256((folder / "old.safetensors").read_bytes()).hexdigest()
    scales = {f"activation_scale.{n}": "0.02" for n in ("stem.conv", "b8.pw", *finetune.TEMPORAL)}
    save_file({"x": torch.zeros(1)}, folder / "model.safetensors", {**scales, "source_sha256": digest})
    for k, name in enumerate((*NEW, "null")):
        video(folder / "clips" / name / f"{name}.mp4", k, name != "null")
    rng = np.random.default_rng(5)
    (folder / "columns").mkdir()
    np.savez(folder / "columns" / "columns-00007.npz", columns=rng.random((6, 48, 128)).astype(np.float16),
             label=np.full((6, 48), NULL), ignore=np.zeros((6, 48), bool), rate=np.full(6, 30))
    return folder


def adds(inputs, monkeypatch, out, **change):
    """Runs the fine-tuning; columns are block means of the frames."""
    def encode(frames, model, bench):
        return np.stack([f.reshape(8, 28, 16, 14).mean((1, 3)).ravel() / 255 for f in frames]).astype(np.float16)

    monkeypatch.setattr(finetune.columns, "encode", encode)
    torch.manual_seed(1)
    args = {"checkpoint": inputs / "old.safetensors", "model": inputs / "model.safetensors", "clips": inputs / "clips", "out": inputs / out,
            "rehearsal": inputs / "columns", "mirror": ["circleClockwise=circleCounterclockwise"], "steps": 8, "batch": 4, "rate": 3e-3,
            "noise": 0.05, "keep": 4.0, "seed": 1, "bench": None}
    finetune.finetune(types.SimpleNamespace(**(args | change)))
    return inputs / out


def test_rows_are_appended_and_the_encoder_stays(inputs, monkeypatch):
    out = adds(inputs, monkeypatch, "a")
    old, new = load_file(inputs / "old.safetensors"), load_file(out / "checkpoint.safetensors")
    assert new.keys() == old.keys()
    for name in old:
        learned = name.startswith(("t1.", "t2.", "t3.", "fc."))
        if learned:
            assert not np.array_equal(new[name].numpy()[:len(old[name])], old[name].numpy()), name
        else:
            assert new[name].numpy().tobytes() == old[name].numpy().tobytes(), name
    assert new["fc.weight"].shape == (15, 160) and new["fc.bias"].shape == (15,)


def test_labels_and_metadata_agree(inputs, monkeypatch):
    out = adds(inputs, monkeypatch, "b")
    written = json.loads((out / "labels.json").read_text())
    assert written == {"labels": [*LABELS, *NEW], "null": "null"}
    with safe_open(out / "checkpoint.safetensors", "np") as file:
        metadata = file.metadata()
    assert json.loads(metadata["labels"]) == written["labels"] and metadata["null_index"] == str(NULL)
    assert metadata["activation_scale.stem.conv"] == "0.02" and metadata["activation_scale.b8.pw"] == "0.02"
    assert all(0 < float(metadata[f"activation_scale.{n}"]) <= 6 / 255 for n in finetune.TEMPORAL)
    assert json.loads(metadata["training"])["added"]["classes"] == NEW


def test_the_same_seed_gives_the_same_bytes(inputs, monkeypatch):
    first = (adds(inputs, monkeypatch, "c") / "checkpoint.safetensors").read_bytes()
    assert (adds(inputs, monkeypatch, "d") / "checkpoint.safetensors").read_bytes() == first
    assert (adds(inputs, monkeypatch, "e", seed=2) / "checkpoint.safetensors").read_bytes() != first


def test_an_enlarged_network_is_enlarged_again(inputs, monkeypatch):
    first = adds(inputs, monkeypatch, "h")
    save_file({"x": torch.zeros(1)}, inputs / "second.safetensors", {"activation_scale.b8.pw": "0.02"})
    video(inputs / "more" / "wave" / "wave.mp4", 4, True)
    out = adds(inputs, monkeypatch, "i", checkpoint=first / "checkpoint.safetensors", model=inputs / "second.safetensors", clips=inputs / "more",
               mirror=[])
    assert json.loads((out / "labels.json").read_text()) == {"labels": [*LABELS, *NEW, "wave"], "null": "null"}
    assert load_file(out / "checkpoint.safetensors")["fc.weight"].shape == (16, 160)


def test_temporal_batchnorm_is_folded(inputs, monkeypatch):
    torch.manual_seed(4)
    save_file({k: v.contiguous() for k, v in GestureTCN().state_dict().items() if not k.endswith("num_batches_tracked")},
              inputs / "raw.safetensors", {"labels": json.dumps(LABELS), "null_index": str(NULL)})
    save_file({"x": torch.zeros(1)}, inputs / "unsourced.safetensors", {"activation_scale.b8.pw": "0.02"})
    out = adds(inputs, monkeypatch, "f", checkpoint=inputs / "raw.safetensors", model=inputs / "unsourced.safetensors")
    new = load_file(out / "checkpoint.safetensors")
    assert "stem.bn.running_var" in new and "t1.bn.weight" not in new and new["t3.conv.bias"].shape == (160,)


@pytest.mark.parametrize("change, message", [
    ({"checkpoint": "raw"}, "was not made from"), ({"mirror": ["coil=spiral"]}, "spiral"), ({"clips": "empty"}, "no class"),
    ({"rehearsal": "empty"}, "no columns"),
])
def test_inputs_that_do_not_fit_are_refused(inputs, monkeypatch, change, message):
    (inputs / "empty").mkdir(exist_ok=True)
    paths = {"raw": inputs / "other.safetensors", "empty": inputs / "empty"}
    save_file({k: v + 1 for k, v in load_file(inputs / "old.safetensors").items()}, paths["raw"])
    with pytest.raises(SystemExit, match=message):
        adds(inputs, monkeypatch, "g", **{k: paths.get(v, v) if isinstance(v, str) else v for k, v in change.items()})


def test_labels_the_model_before_lacks_count_as_null():
    truth = {"labels": [[0, 3, "null"], [3, 9, NEW[0]], [9, 12, "point"]], "rate_hz": 30,
             "events": [{"label": NEW[0], "onset_s": 0.1, "end_s": 0.3}, {"label": "point", "onset_s": 0.3, "end_s": 0.4}]}
    old = adding.readable(truth, LABELS, "null")
    assert old["labels"] == [[0, 3, "null"], [3, 9, "null"], [9, 12, "point"]] and [e["label"] for e in old["events"]] == ["point"]
    assert adding.readable(truth, circles.NAMES, "null") == truth
