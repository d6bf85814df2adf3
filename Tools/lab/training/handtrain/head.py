"""The temporal layers of GestureTCN-340K on columns of landmark features."""

import torch
from torch import nn
from torch.nn import functional as F

from common.labels import CLASSES, WINDOW

from .features import CODES, USED

LAYERS = (("t1", 1), ("t2", 2), ("t3", 4), ("t4", 12))  # names and dilations; a head may lack the last
FIELD = 1 + 2 * sum(dilation for _, dilation in LAYERS)  # receptive field of a row, in columns
CHANNELS = 160
SCALE = 6 / 255  # of a column's quantised values, zero point 0


class Layer(nn.Module):
    def __init__(self, i, o, dilation):
        super().__init__()
        self.conv = nn.Conv1d(i, o, 3, dilation=dilation, bias=False)
        self.bn = nn.BatchNorm1d(o, eps=1e-5)

    def forward(self, x):
        return F.relu6(self.bn(self.conv(x)))


def layers_of(state):
    """The layers that have tensors in a state."""
    return tuple(layer for layer in LAYERS if any(key.startswith(f"{layer[0]}.") for key in state))


def before(x, k):
    """x [B,C,T] with k columns of zeros before it: a layer's history at the start of a stream."""
    return F.pad(x, (k, 0))


class Temporal(nn.Module):
    """Columns [B,T,128] of values (quantised * SCALE) -> logits, by layers `layers` and the classifier `fc`."""

    def forward(self, columns, drop=0.0):
        """[B,T,classes]: a row for every column; before the first column every layer has zeros, as at the start of a stream."""
        x = columns.transpose(1, 2)
        for name, dilation in self.layers:
            x = self.activated(getattr(self, name), before(x, 2 * dilation), dilation)
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.transpose(1, 2))

    def logits(self, columns):
        """In the engine's format, a row for every column from the sixteenth on: [B,T-15,classes]."""
        return self(columns)[:, WINDOW - 1:]


class Head(Temporal):
    """A head with BatchNorm; with more or fewer channels than the network's it can be a teacher."""

    def __init__(self, classes=CLASSES, channels=CHANNELS, layers=LAYERS):
        super().__init__()
        self.layers = layers
        for (name, dilation), i in zip(layers, (CODES, *[channels] * len(layers))):
            self.add_module(name, Layer(i, channels, dilation))
        self.fc = nn.Linear(channels, classes)

    @staticmethod
    def activated(layer, x, dilation):
        return layer(x)

    def every_fourth(self, columns, origin, drop=0.0, kind=torch.float32):
        """Only rows FIELD - 1, FIELD + 3, ... of columns [B,T,128], at a third of the cost: dilated layers need only every second or fourth column of
        the layer below. The stream of row b begins at column origin[b]; earlier columns are zero in every layer. Products are of type `kind`."""
        x, time, step = columns.to(kind), torch.arange(columns.shape[1]), 1
        x = x * (time >= origin[:, None])[..., None]
        for name, dilation in self.layers:
            layer, stride = getattr(self, name), 2 if step < 4 else 1
            reach = dilation // step
            count = (x.shape[1] - 2 * reach - 1) // stride + 1
            taps = torch.cat([x[:, k * reach:k * reach + stride * (count - 1) + 1:stride] for k in range(3)], 2)
            time = time[2 * reach:2 * reach + stride * (count - 1) + 1:stride]
            step *= stride
            sums = taps.flatten(0, 1) @ layer.conv.weight.permute(0, 2, 1).flatten(1).to(kind).T
            x = F.relu6(layer.bn(sums.float())).to(kind).view(*taps.shape[:2], -1)
            x = x * (time >= origin[:, None])[..., None]
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.float())


class Folded(Temporal):
    """A head whose convolutions have a bias and no BatchNorm."""

    def __init__(self, classes=CLASSES, layers=LAYERS):
        super().__init__()
        self.layers = layers
        for (name, dilation), i in zip(layers, (CODES, *[CHANNELS] * len(layers))):
            layer = nn.Module()
            layer.conv = nn.Conv1d(i, CHANNELS, 3, dilation=dilation)
            self.add_module(name, layer)
        self.fc = nn.Linear(CHANNELS, classes)

    @staticmethod
    def activated(layer, x, dilation):
        return F.relu6(layer.conv(x))


def folded(head):
    """A Head in eval mode -> an equivalent Folded."""
    out = Folded(head.fc.out_features, head.layers)
    with torch.no_grad():
        for name, _ in head.layers:
            layer, conv = getattr(head, name), getattr(out, name).conv
            gain = layer.bn.weight.double() / torch.sqrt(layer.bn.running_var.double() + layer.bn.eps)
            conv.weight.copy_(layer.conv.weight.double() * gain.view(-1, 1, 1))
            conv.bias.copy_(layer.bn.bias.double() - layer.bn.running_mean.double() * gain)
        out.fc.load_state_dict(head.fc.state_dict())
    return out.eval()


class Scaled(nn.Module):
    """The head during training: its input has mean 0 and deviation 1. `plain` moves this normalisation into the first layer."""

    def __init__(self, mean, deviation, channels=CHANNELS, layers=LAYERS):
        super().__init__()
        self.head = Head(channels=channels, layers=layers)
        self.register_buffer("mean", mean)
        self.register_buffer("gain", 1 / deviation)

    def forward(self, codes):
        """[B,T-FIELD+1,classes]: the rows that do not depend on columns before the stream."""
        return self.head((codes.float() - self.mean) * self.gain)[:, FIELD - 1:]

    def every_fourth(self, codes, origin, drop=0.0, kind=torch.float32):
        return self.head.every_fourth((codes.float() - self.mean) * self.gain, origin, drop, kind)

    def plain(self):
        """-> an equivalent Head for unnormalised values."""
        head = Head(channels=self.head.fc.in_features, layers=self.head.layers)
        head.load_state_dict(self.head.state_dict())
        with torch.no_grad():
            weight = head.t1.conv.weight.double() * self.gain.double().view(1, -1, 1)
            weight[:, USED:] = 0
            head.t1.bn.running_mean += (weight * self.mean.double().view(1, -1, 1)).sum((1, 2)).float()
            head.t1.conv.weight.copy_(weight / SCALE)
        return head.eval()


def unfolded(whole, codes):
    """A Folded -> an equivalent Scaled for further training: its BatchNorm has the statistics of columns [N,T,128]. A missing last layer is added
    that passes on its input and a small share of older inputs."""
    out = Scaled(*statistics(codes.flatten(0, 1)))
    whole = lengthened(whole)
    x = (codes.float() * SCALE).transpose(1, 2)
    with torch.no_grad():
        for name, dilation in whole.layers:
            conv, layer = getattr(whole, name).conv, getattr(out.head, name)
            sums = F.conv1d(x, conv.weight, dilation=dilation)
            layer.conv.weight.copy_(conv.weight)
            layer.bn.running_mean.copy_(sums.mean((0, 2)))
            layer.bn.running_var.copy_(sums.var((0, 2)))
            layer.bn.weight.copy_(torch.sqrt(layer.bn.running_var + layer.bn.eps))
            layer.bn.bias.copy_(layer.bn.running_mean + conv.bias)
            x = F.relu6(sums + conv.bias[:, None])
        first = out.head.t1
        weight = first.conv.weight * SCALE
        first.bn.running_mean -= (weight * out.mean.view(1, -1, 1)).sum((1, 2))
        first.conv.weight.copy_(weight / out.gain.view(1, -1, 1))
        out.head.fc.load_state_dict(whole.fc.state_dict())
    return out


def lengthened(whole, share=0.02):
    """A Folded of three layers -> a nearly equivalent one of four: the last layer passes on its newest tap, plus small random weights on the older
    ones."""
    if whole.layers == LAYERS:
        return whole
    out = Folded(whole.fc.out_features)
    out.load_state_dict(whole.state_dict(), strict=False)
    with torch.no_grad():
        conv = out.t4.conv
        conv.bias.zero_()
        nn.init.normal_(conv.weight, std=share / CHANNELS ** 0.5, generator=torch.Generator().manual_seed(4))
        conv.weight[..., 2] += torch.eye(CHANNELS)
    return out.eval()


def restored(state):
    """A saved state of training or `quantised` -> a Scaled or a Folded."""
    if "folded" in state:
        whole = Folded(layers=layers_of(state["folded"]))
        whole.load_state_dict(state["folded"])
        return whole.eval()
    net = Scaled(state["net"]["mean"], 1 / state["net"]["gain"], state["net"]["head.fc.weight"].shape[1],
                 layers_of({key.removeprefix("head.") for key in state["net"]}))
    net.load_state_dict(state["net"])
    return net.eval()


def statistics(codes):
    """Mean and deviation of each value in a sample of columns [N,128], for `Scaled`."""
    x = codes.float()
    return x.mean(0), x.std(0).clamp(min=4.0)
