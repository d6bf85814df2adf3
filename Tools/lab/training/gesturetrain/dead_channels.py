"""Re-initialises dead channels: their output is the same for every input, and they no longer learn, because ReLU6 passes them no gradient.

All filters of a convolution move at one rate, so a short filter among long ones moves by more than its share, and a dead channel stays dead. After
two encoder stages this applied to 67 of b7's 256 channels and to 60 of the 128 columns. Dormant neurons, and restarting them without disturbing the
rest of the network, are from Sokar et al. 2023 (arXiv 2302.12902).
"""

import torch

from .network import BLOCKS, Standard, pixels, relu6

FLAT = 0.02  # a channel is dead if its standard deviation over all frames and positions is below this share of the mean one


@torch.no_grad()
def reinitialise(net, aux, frames, frozen=0):
    """Gives the dead channels of an encoder of `Standard` convolutions new filters, in place. -> their number, by convolution.

    frames: uint8 [N,224,224], a few hundred. aux: `auxiliary.Auxiliary`, whose weights on these channels start from zero. frozen: number of stages,
    from the stem on, that stay unchanged. New filters are random, with half the deviation of the convolution's other channels. The next convolution
    uses the other channels as before: it weighs all new channels equally, and its bias compensates for the constant outputs of the dead ones.
    """
    x, found, fresh = pixels(frames), {}, torch.zeros(1, dtype=torch.bool)
    before = after = x
    for k, name in enumerate(("stem", *(block[0] for block in BLOCKS), "b8")):
        owner = getattr(net, name)
        for conv_name, _ in owner.LAYERS:
            conv = getattr(owner, conv_name)
            old = conv(before)
            spread = relu6(old.clone()).std((0, 2, 3))
            dead = (spread < FLAT * spread.mean()) & (k >= frozen)
            if conv.groups > 1:
                dead |= fresh
            elif fresh.any():
                forget(conv, fresh)
            new = conv(after)
            conv.bias += old.mean((0, 2, 3)) - new.mean((0, 2, 3))
            if dead.any():
                new_filters(conv, dead, after, 0.5 * old.std((0, 2, 3))[~dead].median())
                found[f"{name}.{conv_name}"] = int(dead.sum())
            before, after, fresh = relu6(old), relu6(conv(after)), dead
        if name == "b7":
            neglect(aux.cells, fresh, before)
    neglect(aux.linear, fresh, before)
    return found


def forget(conv, fresh):
    """Pointwise: one weight per row for all fresh inputs; the other inputs have the same effect as before."""
    effective = Standard.effective(conv.weight, conv.gain)
    weight = conv.weight
    weight[:, fresh] = weight[:, fresh].mean(1, keepdim=True)
    now = Standard.effective(weight, conv.gain)
    live = ~fresh
    conv.gain *= (effective[:, live].pow(2).sum((1, 2, 3)) / now[:, live].pow(2).sum((1, 2, 3)).clamp(min=1e-12)).sqrt()


def new_filters(conv, dead, x, deviation):
    """New filters for the dead outputs; over x they have this deviation and a fifth of it as mean."""
    weight = torch.randn_like(conv.weight[dead])
    if conv.groups > 1:
        weight -= weight.mean((1, 2, 3), keepdim=True)
    # A filter's length does not affect the output, but a step must be as small relative to it as to the others.
    length = conv.weight[~dead].pow(2).sum((1, 2, 3)).sqrt().median()
    conv.weight[dead] = weight * (length / weight.pow(2).sum((1, 2, 3), keepdim=True).sqrt())
    conv.gain[dead] = 1.0
    conv.bias[dead] = 0.0
    y = conv(x)[:, dead]
    conv.gain[dead] = deviation / y.std((0, 2, 3)).clamp(min=1e-3)
    conv.bias[dead] = 0.2 * deviation - y.mean((0, 2, 3)) * conv.gain[dead]


def neglect(head, fresh, x):
    """A linear head's weights on fresh channels become zero; its bias keeps their former contribution."""
    head.bias += head.weight.flatten(1)[:, fresh] @ x.mean((0, 2, 3))[fresh]
    head.weight[:, fresh] = 0
