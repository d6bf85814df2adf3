"""Augments columns realistically: mirrored, moved in the frame, with lost frames, of other hands. Works on quantised columns, so that clips need not
be made again."""

import math

import torch

from common.labels import MIRRORED, NULL

from .features import CODES, LAYOUT, NONE, POSED, USED

NAMES = [name for name, *_ in LAYOUT]
FLIPPED = torch.zeros(CODES, dtype=torch.bool)  # values c that a mirror turns into 255 - c
for k, name in enumerate(NAMES):
    FLIPPED[k] = name in ("x", "right", "rollX", "normalY", "normalZ", "moveX", "shiftX", "lastX") or (name[0] in "pu" and name[1:-1].isdigit() and name[-1] == "X") or (
        name.startswith("at") and name[-1] == "X")
WHOLE = torch.zeros(CODES, dtype=torch.bool)  # features of the frame, not of the hand: valid without a hand, too
WHOLE[POSED:USED] = True
ACROSS = [k for k, n in enumerate(NAMES) if n in ("x", "moveX", "lastX") or n.startswith("at") and n.endswith("X")]
DOWN = [k for k, n in enumerate(NAMES) if n in ("y", "moveY", "lastY") or n.startswith("at") and n.endswith("Y")]
NOTHING = torch.from_numpy(NONE.astype("float32"))
CHANGE = [NAMES.index(n) for n in ("amount", "moveX", "moveY", "wideX", "wideY", "area", "nearby")]  # motion but for shift and last position
HALF = 400.0  # the change W at which `amount` is a half
LOWEST = torch.tensor([LAYOUT[k][1] for k in CHANGE])
RANGE = torch.tensor([LAYOUT[k][2] - LAYOUT[k][1] for k in CHANGE])
CELLS = 64 * 48
# The largest noise, offset of a row and wandering error of landmarks and poses, in quantised values. Heads trained with twice the noise and offset
# find as many gestures of people; with noise 2 and offset 0 they find fewer. Of wandering errors 16 is better than none,
# 8 and 24 (EXPERIMENTS.md).
TREMBLE, ASIDE = 5.0, 7.0
WANDER, KNOT = 16.0, 7  # the largest deviation of a wandering error, and slots between its knots
UNSEEN = 0.06  # share of rows in which people move but no hand is ever seen
ALONE = [NAMES.index(n) for n in ("nearby", "lastX", "lastY", "age")]  # features of motion that require a hand


def mirrored(codes):
    """Columns [...,128] of values 0...255 as from mirrored frames (except for the rounding of halves)."""
    seen = codes[..., :1] > 0
    return torch.where(FLIPPED & (seen | WHOLE), 255 - codes, codes)


def restless(codes, draw):
    """Columns [B,T,128] of frames in which more than the hand changes, or no change is seen at all: half of the rows get an additional change around
    the frame, as from noise and people, and a fifth have no change."""
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
    # No change in the rows of a still frame, nor where a film with a lower frame rate repeats a frame.
    still = (uniform(0, 1) < 0.2) | (uniform(0, 1) < 0.15) & (uniform(0, 1, batch, span) < uniform(0.2, 0.6))
    still = still[..., None]
    codes = codes.clone()
    codes[..., CHANGE] = torch.where(still, NOTHING[CHANGE], out)
    return codes


class Augmentation:
    """Augments rows of columns: half are mirrored, most are moved, some have lost frames, and the frame changes elsewhere, too.

    Most rows have noise, an offset of their own in every feature, as from another hand, lens or network, and errors that wander from frame to frame,
    like those of landmarks. In some rows no hand is ever seen: they are null, whatever moves."""

    def __init__(self, seed, batch, span):
        self.generator = torch.Generator().manual_seed(seed)
        # Noise is cut from anywhere in a long row, because new noise would cost more than a step's first layer.
        self.noise = torch.randn(3 * batch * span * CODES, generator=self.generator)
        self.used = torch.zeros(CODES)
        self.used[1:POSED] = 1
        self.used[POSED:USED] = 0.5

    def cut(self, *shape):
        """Normally distributed numbers from anywhere in the long row."""
        count = math.prod(shape)
        begin = int(torch.randint(0, len(self.noise) - count + 1, (), generator=self.generator))
        return self.noise[begin:begin + count].view(shape)

    def wander(self, amount, span):
        """Errors [B,span,128] that change slowly, like those of a landmark network: linear between knots, with the deviation `amount` [B]."""
        knots = self.cut(len(amount), -(-span // KNOT) + 2, CODES) * (amount[:, None] * self.used)[:, None]
        at = torch.arange(span) / KNOT + torch.rand((), generator=self.generator)
        low = at.long()
        return torch.lerp(knots[:, low], knots[:, low + 1], (at - low)[None, :, None].expand(len(amount), span, CODES))

    def __call__(self, codes, label, also):
        """columns as floats [B,T,128], label and also [B,T'] -> the same, augmented."""
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
            # The palm stays in the frame, or outside by as much as it was.
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
