"""Columns made into others that are as true: mirrored, moved in the frame, with frames lost. On codes, so that clips need not be made anew."""

import torch

from gesturetrain.labels import MIRRORED

from .features import CODES, LAYOUT, NONE

NAMES = [name for name, *_ in LAYOUT]
FLIPPED = torch.zeros(CODES, dtype=torch.bool)  # codes c that a mirror makes 255 - c
for k, name in enumerate(NAMES):
    FLIPPED[k] = name in ("x", "right", "rollX", "normalY", "normalZ") or (name[0] in "pu" and name[1:-1].isdigit() and name[-1] == "X") or (
        name.startswith("at") and name[-1] == "X")
ACROSS = [k for k, n in enumerate(NAMES) if n == "x" or n.startswith("at") and n.endswith("X")]
DOWN = [k for k, n in enumerate(NAMES) if n == "y" or n.startswith("at") and n.endswith("Y")]
NOTHING = torch.from_numpy(NONE.astype("float32"))


def mirrored(codes):
    """Columns [...,128] of values 0...255 as the mirrored frames give them (up to how halves are rounded)."""
    seen = codes[..., :1] > 0
    return torch.where(FLIPPED & seen, 255 - codes, codes)


class Augmentation:
    """Columns of other frames: half mirrored, most moved, some with lost frames, a little noise."""

    def __init__(self, seed, batch, span):
        self.generator = torch.Generator().manual_seed(seed)
        # Noise is taken from anywhere in a long row, as drawing it anew would cost more than a step's first layer.
        self.noise = torch.randn(3 * batch * span * CODES, generator=self.generator)
        self.used = torch.zeros(CODES)
        self.used[1:len(NAMES)] = 1

    def __call__(self, codes, label, also):
        """codes float [B,T,128], label and also [B,T'] -> the same of other frames."""
        batch, span = codes.shape[:2]
        draw = self.generator

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
        amount = chance(0.5) * torch.rand(batch, generator=draw) * 2.0
        begin = int(torch.randint(0, len(self.noise) - codes.numel() + 1, (), generator=draw))
        noise = self.noise[begin:begin + codes.numel()].view(codes.shape)
        out = torch.addcmul(offset[:, None], codes, gain[:, None]).addcmul_(noise, (amount[:, None] * self.used)[:, None]).round_().clamp_(0, 255)
        first = torch.randint(0, span, (batch,), generator=draw)
        long = torch.randint(1, 4, (batch,), generator=draw) * chance(0.25)
        t = torch.arange(span)
        gone = (t >= first[:, None]) & (t < (first + long)[:, None]) | ~seen
        return torch.where(gone[..., None], NOTHING, out), label, also
