"""The mean of two networks' weights, where one went on from the other: `python -m gesturetrain.soup ONE.pt OTHER.pt OUT.pt --share 0.3`.

Along the way from one to the other the loss falls before it rises (model soups: Wortsman et al. 2022, arXiv 2203.05482).
The rest of the state, as the classes' weights in the loss, is ONE's.
"""

import argparse
import pathlib

import torch


def mix(one, other, share):
    """The averaged states of two checkpoints of the same layers, `share` of it the other's -> the first's state with theirs.

    Raises ValueError where the layers differ.
    """
    mixed = dict(one)
    for name in ("average", "aux_average"):
        shapes, theirs = ({k: v.shape for k, v in state[name].items()} for state in (one, other))
        if shapes != theirs:
            different = sorted(k for k in shapes.keys() | theirs.keys() if shapes.get(k) != theirs.get(k))
            raise ValueError(f"{name}: the checkpoints differ in {different[0]}")
        mixed[name] = {k: torch.lerp(v, other[name][k], share) if v.is_floating_point() else v for k, v in one[name].items()}
    return mixed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the other's weights")
    args = parser.parse_args()
    torch.save(mix(*(torch.load(path, weights_only=False) for path in (args.one, args.other)), args.share), args.out)


if __name__ == "__main__":
    main()
