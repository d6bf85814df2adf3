"""Checks of how a hand is drawn into a frame, and of the optimiser's matrix updates."""

import cv2
import numpy as np
import pytest
import torch

from common import muon
from common.labels import LABELS, NULL
from gesturetrain import compose, hand, mattes, mesh, script, visible

ARM = np.array([64, 100, 0, 1, 1.0])


def look(**changes):
    return hand.Look(**{"skin": 150.0, "contrast": 1.0, "arm": True, "bare": True, "sleeve": 90.0, "cuff": 0.9, "thick": 1.0, "turn": 0.0,
                        "elbow": 60.0, "watch": -1.0} | changes)


def disc(code=150, outside=0, halvings=0):
    """A sprite of one gray with a soft rim, as a cut-out comes: `outside` under what is transparent."""
    alpha = np.zeros((128, 128), np.uint8)
    cv2.circle(alpha, (64, 76), 30, 255, -1, cv2.LINE_AA)
    gray = np.where(alpha > 127, code, outside).astype(np.uint8)
    sprite = mattes.spread(np.dstack([gray, cv2.GaussianBlur(alpha, (3, 3), 0)]))
    for _ in range(halvings):
        sprite = cv2.pyrDown(sprite)
    return sprite


@pytest.mark.parametrize("outside", [0, 255])
def test_a_sprite_has_its_own_colour_under_and_beyond_its_rim(outside):
    sprite = disc(outside=outside)
    assert np.abs(sprite[..., 0].astype(int) - 150).max() <= 1
    assert 0 < np.count_nonzero((sprite[..., 1] > 0) & (sprite[..., 1] < 200))


@pytest.mark.parametrize("smear", [(0.0, 0.0), (9.0, -4.0)])
@pytest.mark.parametrize("size", [0.12, 0.3, 0.6])
@pytest.mark.parametrize("behind", [60, 230])
def test_no_edge_is_darker_or_brighter_than_what_it_parts(behind, size, smear):
    frame = np.full((224, 224), behind, np.uint8)
    sprite = disc(halvings=hand.level(size * 224 / mattes.HAND_LENGTH))
    hand.place(frame, sprite, ARM, look(arm=False), 100, 90, size, 20, 0.8, False, smear)
    low, high = sorted((behind, 150))
    assert low - 1 <= frame.min() and frame.max() <= high + 1
    assert np.abs(frame.astype(int) - 150).min() <= 1


def test_an_arm_s_edge_is_its_own_shade_and_what_is_behind():
    frame = np.full((224, 224), 200, np.uint8)
    hand.place(frame, disc(), ARM, look(), 112, 60, 0.3, 0, 1.0, False)
    darkest = 150 * hand._ROUND[0][1]
    assert frame.min() >= darkest - 2


def test_a_hand_outside_the_frame_leaves_it_as_it_is():
    frame = np.full((224, 224), 77, np.uint8)
    assert hand.place(frame, disc(), ARM, look(arm=False), -200, -300, 0.2, 0, 1.0, False) == 0
    assert (frame == 77).all()


def test_light_from_a_side_changes_a_hand_and_not_where_it_is():
    side = np.linspace(-0.5, 2.5, 8, dtype=np.float32)[None].repeat(8, 0)
    plain, lit = np.full((224, 224), 90, np.uint8), np.full((224, 224), 90, np.uint8)
    seen = hand.place(plain, disc(), ARM, look(arm=False), 112, 112, 0.5, 0, 1.0, False)
    assert hand.place(lit, disc(), ARM, look(arm=False, light=side), 112, 112, 0.5, 0, 1.0, False) == seen
    assert lit[112, 78] < plain[112, 78] - 15 and lit[112, 146] > plain[112, 146] + 15
    assert (lit[:40] == 90).all()


def test_light_falls_on_the_arm_as_on_the_hand():
    down = np.linspace(1.0, 0.4, 96, dtype=np.float32)[:, None].repeat(96, 1)
    plain, lit = np.full((224, 224), 90, np.uint8), np.full((224, 224), 90, np.uint8)
    for frame, light in ((plain, None), (lit, down)):
        hand.place(frame, disc(), ARM, look(light=light), 112, 60, 0.4, 0, 1.0, False)
    share = lit[[60, 130, 180], 112] / plain[[60, 130, 180], 112].astype(float)
    assert (np.diff(share) < -0.05).all()


def test_a_short_sleeve_leaves_forearm_and_elbow_bare():
    codes = {short: [limb[-1] for limb in look(short=short).limbs(ARM)] for short in (0.3, 1.0)}
    assert codes[1.0] == [150, 150] and codes[0.3] == [150, 90, 150]
    assert not any(limb[-1] == 150 for limb in look(bare=False, short=0.3).limbs(ARM)[2:])


def test_gaps_lie_in_shadow_and_level_ground_does_not():
    height = np.full((128, 128), -np.inf, np.float32)
    height[20:108, 20:108] = 0
    height[20:108, 50:60] = height[20:108, 66:76] = 12  # two ridges, light from the right
    gap, ground = (slice(40, 90), 63), (slice(40, 90), slice(90, 100))
    hollow = mesh._hollows(height)
    assert hollow[gap].min() > 0.5 and hollow[ground].max() < 0.15
    shadow = mesh._shadows(height, np.array([0.8, 0.0, 0.6]))
    assert shadow[gap].min() > 0.8 and shadow[40:90, 42:47].min() > 0.8 and shadow[ground].max() < 0.1


def test_detail_sharpens_a_hand_or_smooths_it():
    sprite = disc()
    sprite[::2, :, 0] += 30
    rough = [np.abs(np.diff(look(detail=d).sharpened(sprite)[60:90, 64, 0].astype(int))).mean() for d in (-0.5, 0.0, 1.0)]
    assert rough[0] < 0.7 * rough[1] and rough[2] > 1.5 * rough[1]


def test_a_hand_at_work_shows_no_gesture():
    poses = {name: k for k, name in enumerate(("open", "together", "relaxed", "claw", "fist", "ring", "pinch", "four"))}
    for seed in range(20):
        motions = {"turn": list(range(8, 20))} if seed % 2 else {}
        actor = {"poses": poses, "motions": motions, "turning": "open" if seed < 10 else "claw"}
        track = script.Track(np.random.default_rng(seed), actor, 60, 0.3, script.Manner(busy=1.0))
        for _ in range(3):
            track.nothing()
        out = track.finish()
        seen = out["sprite"] >= 0
        aux = np.stack([seen, out["x"], out["y"], out["size"], np.sin(np.deg2rad(out["roll"])), np.cos(np.deg2rad(out["roll"])),
                        out["open"], out["pose"]], 1)[::8].astype(np.float32)
        label, _ = visible.settle(out["label"][::8], out["ignore"][::8], aux, 60)
        assert (label == NULL).all()
        assert motions or np.abs(out["roll"]).max() > 45
        assert set(out["pose"][out["sprite"] >= 8]) <= {script.AUX_POSE[actor["turning"]]}


def test_slow_strokes_can_be_steady():
    def paces(manner):
        for seed in range(40):
            track = script.Track(np.random.default_rng(seed), {"poses": {"open": 0}, "motions": {}}, 60, 0.3, manner)
            track.gesture("swipeRight")
            [(_, begin, end)] = [e for e in track.events if e[0] == "swipeRight"]
            x = track.finish()["x"][begin:end]
            # The label begins after a fifth of the stroke.
            assert (len(x) / 0.8 >= 0.7 * script.TICK) == (manner.slow == 1)
            speed = np.diff(x[:round(0.75 * len(x)):len(x) // 12])
            yield speed.max() / max(speed.min(), 1e-6)

    quick, slow, steady = (np.median(list(paces(script.Manner(slow=s, steady=e)))) for s, e in ((0, 0), (1, 0), (1, 1)))
    assert steady < 1.5 < 1.8 < min(quick, slow)


def test_a_rolling_shutter_slants_a_hand_that_moves_sideways():
    def centres(lag):
        frame = np.zeros((224, 224), np.uint8)
        hand.place(frame, disc(), ARM, look(arm=False), 112, 112, 0.5, 0, 1.0, False, lag=lag)
        rows = [np.average(np.arange(224), weights=row) for row in frame[[92, 132]].astype(float)]
        return rows[1] - rows[0]

    assert abs(centres((0.0, 0.0))) < 0.5
    assert centres((0.2, 0.0)) == pytest.approx(0.2 * 40, abs=1.0)


def test_an_orthogonalised_matrix_keeps_its_directions():
    matrix = torch.randn(48, 20, generator=torch.Generator().manual_seed(1))
    u, s, v = torch.linalg.svd(matrix, full_matrices=False)
    result = muon.orthogonal(matrix)
    values = (u.T @ result @ v.T).diagonal()
    assert values.min() > 0.6 and values.max() < 1.3
    assert torch.allclose(result, u @ (u.T @ result), atol=1e-4)


def test_matrices_move_by_the_rate_and_the_rest_as_adam_moves_it():
    weight, bias = (torch.nn.Parameter(torch.ones(*shape)) for shape in ((32, 16, 1, 1), (32,)))
    same = torch.nn.Parameter(torch.ones(32))
    groups = [{"params": [weight], "matrix": True}, {"params": [bias], "matrix": False}]
    ours, adam = muon.Muon(groups, lr=0.1, weight_decay=0.0), torch.optim.AdamW([same], lr=0.1, weight_decay=0.0)
    weight.grad = torch.randn(32, 16, 1, 1, generator=torch.Generator().manual_seed(2))
    bias.grad, same.grad = torch.arange(32.0), torch.arange(32.0)
    ours.step()
    adam.step()
    assert torch.equal(bias, same)
    assert (weight - 1).pow(2).mean().sqrt().item() == pytest.approx(0.1 * muon.STEP, rel=0.15)
    saved = ours.state_dict()
    again = muon.Muon(groups, lr=0.1, weight_decay=0.0)
    again.load_state_dict(saved)
    assert torch.equal(again.state[weight]["momentum"], ours.state[weight]["momentum"])


def clip_of(label, rate=30):
    """A clip whose picture k is a number k, each shown twice."""
    label = np.array(label)
    index = np.arange(len(label)) // 2
    pictures = np.arange(index[-1] + 1)
    return {"label": label, "ignore": label == 3, "index": index, "frames": pictures, "aux": -pictures, "rate": rate, "names": LABELS, "events": []}


def test_a_held_out_clip_s_edges_cut_no_event():
    #       0..5 cut by the start, 40..49 and 70..79 whole, 95.. cut by the end
    clip = clip_of([2] * 6 + [NULL] * 34 + [3] * 10 + [NULL] * 20 + [5] * 10 + [NULL] * 15 + [7] * 6)
    part = compose.uncut(clip, 200)
    assert len(part["label"]) == 95 - 6
    assert part["events"] == [[LABELS[3], pytest.approx(34 / 30), pytest.approx(44 / 30)], [LABELS[5], pytest.approx(64 / 30), pytest.approx(74 / 30)]]
    assert (part["frames"][part["index"]] == np.arange(6, 95) // 2).all()
    assert (part["aux"] == -part["frames"]).all() and (part["ignore"] == (part["label"] == 3)).all()


def test_a_shorter_part_has_as_many_events_as_fit():
    clip = clip_of([NULL] * 40 + [3] * 10 + [NULL] * 40 + [5] * 10 + [NULL] * 16 + [6] * 10 + [NULL] * 20)
    part = compose.uncut(clip, 75)
    assert [name for name, _, _ in part["events"]] == [LABELS[5], LABELS[6]]
    assert len(part["label"]) <= 75 and (part["label"][:16] == NULL).all() and (part["label"][-9:] == NULL).all()


def test_a_clip_that_is_one_gesture_has_no_uncut_part():
    assert compose.uncut(clip_of([3] * 90), 60) is None
