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


def varied(generator, codes, label):
    """codes float [B,T,128], label [B,T'] -> the same of other frames: half mirrored, most moved, some with lost frames, a little noise."""
    batch, span = codes.shape[:2]

    def chance(p):
        return torch.rand(batch, generator=generator) < p

    flip = chance(0.5)
    codes = torch.where(flip[:, None, None], mirrored(codes), codes)
    label = torch.where(flip[:, None], torch.tensor(MIRRORED)[label], label)
    seen = codes[..., 0] > 0
    for places, amount in ((ACROSS, 22.0), (DOWN, 16.0)):
        shift = torch.randn(batch, generator=generator) * amount * chance(0.7)
        # The palm stays in the frame, or as far outside as it was.
        at = codes[..., places[0]]
        lowest, highest = torch.where(seen, at, 128.0).amin(1), torch.where(seen, at, 128.0).amax(1)
        shift = torch.minimum(torch.maximum(shift, (24 - lowest).clamp(max=0)), (231 - highest).clamp(min=0))
        codes[..., places] = torch.where(seen[..., None], (codes[..., places] + shift[:, None, None]).round().clamp(0, 255), codes[..., places])
    noisy = codes + torch.randn(codes.shape, generator=generator) * (chance(0.5) * torch.rand(batch, generator=generator) * 2.0)[:, None, None]
    noisy = noisy.round().clamp(0, 255)
    used = torch.zeros(CODES, dtype=torch.bool)
    used[1:len(NAMES)] = True
    codes = torch.where(used & seen[..., None], noisy, codes)
    first = torch.randint(0, span, (batch,), generator=generator)
    long = torch.randint(1, 4, (batch,), generator=generator) * chance(0.25)
    t = torch.arange(span)
    gone = (t >= first[:, None]) & (t < (first + long)[:, None])
    return torch.where(gone[..., None], NOTHING, codes), label
