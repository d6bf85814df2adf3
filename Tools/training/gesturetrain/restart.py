"""A shipped checkpoint as the start of the next round: `python -m gesturetrain.restart CHECKPOINT.safetensors START.pt`.

The encoder's filters become standardised ones again (`network.Standard`), with the gains and levels they have. The auxiliary
heads are not shipped; they begin anew, and `train encoder RUN --start START.pt --frozen 10` teaches them on the encoder as it is before the
encoder moves.
"""

import pathlib
import sys

import torch
from safetensors.torch import load_file

from .network import GestureTCN, Standard, network_of, standardise
from .train import Auxiliary


def restart(checkpoint):
    """Path of a folded checkpoint -> the state that `train --start` reads, with auxiliary heads that know nothing yet."""
    folded = network_of(load_file(checkpoint))
    net = standardise(GestureTCN())
    for part in ("t1", "t2", "t3", "fc"):
        setattr(net, part, getattr(folded, part))
    with torch.no_grad():
        for own, known in zip((*net.stages(), net.b8), (*folded.stages(), folded.b8)):
            for name, _ in own.LAYERS:
                conv, source = getattr(own, name), getattr(known, name)
                filters = Standard.centred(source.weight)
                conv.weight.copy_(filters)
                conv.gain.copy_(filters.pow(2).sum((1, 2, 3)).sqrt())
                if filters is not source.weight:
                    conv.level = (source.weight - filters).mean((1, 2, 3))
                conv.bias.copy_(source.bias)
    return {"average": net.state_dict(), "aux_average": Auxiliary().state_dict()}


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.save(restart(pathlib.Path(sys.argv[1])), sys.argv[2])
