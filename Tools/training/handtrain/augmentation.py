"""Columns made into others that are as true: mirrored, moved in the frame, with frames lost, of other hands. On codes, so that clips need not be made anew."""

import numpy as np
import torch

from gesturetrain.labels import MIRRORED, NULL

from .features import CODES, LAYOUT, NONE, POSED, USED

NAMES = [name for name, *_ in LAYOUT]
FLIPPED = torch.zeros(CODES, dtype=torch.bool)  # codes c that a mirror makes 255 - c
for k, name in enumerate(NAMES):
    FLIPPED[k] = name in ("x", "right", "rollX", "normalY", "normalZ", "moveX", "shiftX", "lastX") or (name[0] in "pu" and name[1:-1].isdigit() and name[-1] == "X") or (
        name.startswith("at") and name[-1] == "X")
WHOLE = torch.zeros(CODES, dtype=torch.bool)  # of the picture, not of the hand: true without one, too
WHOLE[POSED:USED] = True
ACROSS = [k for k, n in enumerate(NAMES) if n in ("x", "moveX", "lastX") or n.startswith("at") and n.endswith("X")]
DOWN = [k for k, n in enumerate(NAMES) if n in ("y", "moveY", "lastY") or n.startswith("at") and n.endswith("Y")]
NOTHING = torch.from_numpy(NONE.astype("float32"))
CHANGE = [NAMES.index(n) for n in ("amount", "moveX", "moveY", "wideX", "wideY", "area", "nearby")]  # all of motion but the camera's and the hand's last place
HALF = 400.0  # codes of change of which `amount` is a half
LOWEST = torch.tensor([LAYOUT[k][1] for k in CHANGE])
RANGE = torch.tensor([LAYOUT[k][2] - LAYOUT[k][1] for k in CHANGE])
CELLS = 64 * 48
# The most noise, the largest offset of a row and the most wandering of landmarks and poses, in quantised values. Heads taught with twice the noise and
# offset find as many gestures of people, and with 2 and 0 fewer. With 8 of wandering they make up a fifth less than with none, with 16 and 24 about as much.
TREMBLE, ASIDE = 5.0, 7.0
WANDER, KNOT = 16.0, 7  # the most by which they wander, as a deviation, and slots from one knot of a wander to the next
UNSEEN = 0.06  # of the rows: people move, and no hand is ever seen
ALONE = [NAMES.index(n) for n in ("nearby", "lastX", "lastY", "age")]  # of motion what a hand was needed for


def mirrored(codes):
    """Columns [...,128] of values 0...255 as the mirrored frames give them (up to how halves are rounded)."""
    seen = codes[..., :1] > 0
    return torch.where(FLIPPED & (seen | WHOLE), 255 - codes, codes)


def restless(codes, draw):
    """Columns [B,T,128] of pictures in which more changes than the hand, or nothing at all is seen to change: half of the rows have a change of
    their own about the frame, as of noise and of people, and a fifth have none."""
    batch, span = codes.shape[:2]

    def uniform(low, high, *shape):
        return low + (high - low) * torch.rand(*(shape or (batch, 1)), generator=draw)

    was = codes[..., CHANGE]
    amount, x, y, wide, high, area, near = (was / 255 * RANGE + LOWEST).unbind(-1)
    change = HALF * amount / (1 - amount).clamp(min=0.004)
    more = torch.exp(uniform(3.0, 7.6) + 0.4 * torch.randn(batch, span, generator=draw))
    more = more * (uniform(0, 1) < 0.5) * ((amount > 0) | (uniform(0, 1) < 0.4))
    whole = (change + more).clamp(min=1e-3)
    a, b = change / whole, more / whole

    def mixed(place, deviation, other, spread):
        middle = a * place + b * other
        return middle, (a * (deviation ** 2 + (place - middle) ** 2) + b * (spread ** 2 + (other - middle) ** 2)).sqrt()

    jitter = 0.03 * torch.randn(batch, span, generator=draw)
    x, wide = mixed(x, wide, uniform(0.3, 0.7) + jitter, uniform(0.08, 0.33))
    y, high = mixed(y, high, uniform(0.3, 0.7) + jitter, uniform(0.08, 0.33))
    out = torch.stack([whole / (whole + HALF), x, y, wide, high, area + more / uniform(3.0, 14.0) / CELLS, a * near + b * uniform(0.0, 0.3)], -1)
    out = torch.where((more > 0)[..., None], ((out - LOWEST) / RANGE * 255).clamp(0, 255), was)
    # Nothing changes in the rows of a still picture, nor where a film of fewer pictures shows one once more.
    still = (uniform(0, 1) < 0.2) | (uniform(0, 1) < 0.15) & (uniform(0, 1, batch, span) < uniform(0.2, 0.6))
    still = still[..., None]
    codes = codes.clone()
    codes[..., CHANGE] = torch.where(still, NOTHING[CHANGE], out)
    return codes


class Augmentation:
    """Columns of other frames: half are mirrored, most moved, some have lost frames, and the image changes elsewhere, too.

    Most have noise, an offset of their own in every number, as from another hand, lens or network, and errors that wander, as those of
    landmarks do from frame to frame. In some no hand is ever seen: null, whatever moves."""

    def __init__(self, seed, batch, span):
        self.generator = torch.Generator().manual_seed(seed)
        # Noise is taken from anywhere in a long row, as drawing it anew would cost more than a step's first layer.
        self.noise = torch.randn(3 * batch * span * CODES, generator=self.generator)
        self.used = torch.zeros(CODES)
        self.used[1:POSED] = 1
        self.used[POSED:USED] = 0.5

    def cut(self, *shape):
        """Normal numbers from anywhere in the long row."""
        count = int(np.prod(shape))
        begin = int(torch.randint(0, len(self.noise) - count + 1, (), generator=self.generator))
        return self.noise[begin:begin + count].view(shape)

    def wander(self, amount, span):
        """Errors [B,span,128] that change slowly, as those of a landmark network do: lines from knot to knot, of the deviation `amount` [B]."""
        knots = self.cut(len(amount), -(-span // KNOT) + 2, CODES) * (amount[:, None] * self.used)[:, None]
        at = torch.arange(span) / KNOT + torch.rand((), generator=self.generator)
        low = at.long()
        return torch.lerp(knots[:, low], knots[:, low + 1], (at - low)[None, :, None].expand(len(amount), span, CODES))

    def __call__(self, codes, label, also):
        """codes float [B,T,128], label and also [B,T'] -> the same of other frames."""
        batch, span = codes.shape[:2]
        draw = self.generator
        codes = restless(codes, draw)

        def chance(p):
            return torch.rand(batch, generator=draw) < p

        flip = chance(0.5)
        label = torch.where(flip[:, None], torch.tensor(MIRRORED)[label], label)
        also = torch.where(flip[:, None], sum((also >> k & 1) << m for k, m in enumerate(MIRRORED)), also)
        seen = codes[..., 0] > 0
        turned = flip[:, None] & FLIPPED
        gain, offset = 1.0 - 2.0 * turned, 255.0 * turned
        for places, amount in ((ACROSS, 22.0), (DOWN, 16.0)):
            shift = torch.randn(batch, generator=draw) * amount * chance(0.7)
            # The palm stays in the frame, or as far outside as it was.
            at = codes[..., places[0]] * gain[:, None, places[0]] + offset[:, None, places[0]]
            lowest, highest = torch.where(seen, at, 128.0).amin(1), torch.where(seen, at, 128.0).amax(1)
            shift = torch.minimum(torch.maximum(shift, (24 - lowest).clamp(max=0)), (231 - highest).clamp(min=0))
            offset[:, places] += shift.round()[:, None]
        amount = chance(0.7) * torch.rand(batch, generator=draw) * TREMBLE
        aside = chance(0.7) * torch.rand(batch, generator=draw) * ASIDE
        offset = offset + aside[:, None] * self.used * torch.randn(batch, CODES, generator=draw)
        wander = self.wander(chance(0.6) * torch.rand(batch, generator=draw) * WANDER, span)
        noise = self.cut(*codes.shape)
        out = torch.addcmul(offset[:, None], codes, gain[:, None]).addcmul_(noise, (amount[:, None] * self.used)[:, None]).add_(wander).round_().clamp_(0, 255)
        first = torch.randint(0, span, (batch,), generator=draw)
        long = torch.randint(1, 4, (batch,), generator=draw) * chance(0.25)
        t = torch.arange(span)
        gone = (t >= first[:, None]) & (t < (first + long)[:, None]) | ~seen
        unseen = chance(UNSEEN)
        out = torch.where((gone | unseen[:, None])[..., None] & ~WHOLE, NOTHING, out)
        out[..., ALONE] = torch.where(unseen[:, None, None], NOTHING[ALONE], out[..., ALONE])
        return out, label.masked_fill(unseen[:, None], NULL), also.masked_fill(unseen[:, None], 1 << NULL)
