"""The mean of heads that were trained one from another: `python -m handtrain.mean RUN.pt... --output MEAN.pt`.

Averages outputs of `train` in the order of their training. Each run overfits to details of its scripts that people do not show; the mean does so
less.
"""

import argparse
import pathlib

import torch

from common import tensors


def mean(states):
    """Parameters and statistics of networks of one shape -> their mean; counters are those of the last network."""
    last = states[-1]
    return {key: (sum(state[key].double() for state in states) / len(states)).to(value.dtype) if value.dtype.is_floating_point else value
            for key, value in last.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=pathlib.Path, nargs="+")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    args = parser.parse_args()
    states = [torch.load(path, weights_only=False) for path in args.runs]
    tensors.save(args.output, {"net": mean([state["net"] for state in states]), "steps": states[-1]["steps"]})


if __name__ == "__main__":
    main()
