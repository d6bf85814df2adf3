"""The temporal layers of GestureTCN-340K on columns of landmark features."""

import torch
from torch import nn
from torch.nn import functional as F

from gesturetrain.labels import CLASSES, WINDOW

from .features import CODES, USED

LAYERS = (("t1", 1), ("t2", 2), ("t3", 4))  # names and dilations
CHANNELS = 160
SCALE = 6 / 255  # of a column's codes, zero point 0


class Layer(nn.Module):
    def __init__(self, i, o, dilation):
        super().__init__()
        self.conv = nn.Conv1d(i, o, 3, dilation=dilation, bias=False)
        self.bn = nn.BatchNorm1d(o, eps=1e-5)

    def forward(self, x):
        return F.relu6(self.bn(self.conv(x)))


def taken(x, stride):
    """What each place of a convolution of three taps sees: [B,T,C] -> [B,(T-3)//stride+1,3C]."""
    count = (x.shape[1] - 3) // stride + 1
    return torch.cat([x[:, k:k + stride * (count - 1) + 1:stride] for k in range(3)], 2)


class Head(nn.Module):
    """Columns [B,T,128] of values (codes * SCALE) -> logits [B,T-14,classes]: one row for every 15 columns. Of another number of channels than
    the network's it can teach."""

    def __init__(self, classes=CLASSES, channels=CHANNELS):
        super().__init__()
        self.t1, self.t2, self.t3 = Layer(CODES, channels, 1), Layer(channels, channels, 2), Layer(channels, channels, 4)
        self.fc = nn.Linear(channels, classes)

    def forward(self, columns, drop=0.0):
        x = columns.transpose(1, 2)
        x = self.t3(self.t2(self.t1(x)))
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.transpose(1, 2))

    def every_fourth(self, columns, drop=0.0, kind=torch.float32):
        """Rows 0, 4, 8, ... of `forward` alone, at a third of its price: the dilations 2 and 4 see every second and fourth column of the layer
        below. Products are of type `kind`."""
        x = columns.to(kind)
        for layer, stride in ((self.t1, 2), (self.t2, 2), (self.t3, 1)):
            taps = taken(x, stride)
            sums = taps.flatten(0, 1) @ layer.conv.weight.permute(0, 2, 1).flatten(1).to(kind).T
            x = F.relu6(layer.bn(sums.float())).to(kind).view(*taps.shape[:2], -1)
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.float())

    def logits(self, columns):
        """As the engine gives them, a row for every full window of 16: [B,T-15,classes]."""
        return self(columns)[:, WINDOW - 15:]


class Folded(nn.Module):
    """A head whose convolutions have a bias and no BatchNorm."""

    def __init__(self, classes=CLASSES):
        super().__init__()
        for (name, dilation), i in zip(LAYERS, (CODES, CHANNELS, CHANNELS)):
            layer = nn.Module()
            layer.conv = nn.Conv1d(i, CHANNELS, 3, dilation=dilation)
            self.add_module(name, layer)
        self.fc = nn.Linear(CHANNELS, classes)

    def logits(self, columns):
        x = columns.transpose(1, 2)
        for name, _ in LAYERS:
            x = F.relu6(getattr(self, name).conv(x))
        return self.fc(x.transpose(1, 2))[:, WINDOW - 15:]


def folded(head):
    """A Head in eval mode -> the Folded that does the same."""
    out = Folded(head.fc.out_features)
    with torch.no_grad():
        for name, _ in LAYERS:
            layer, conv = getattr(head, name), getattr(out, name).conv
            gain = layer.bn.weight.double() / torch.sqrt(layer.bn.running_var.double() + layer.bn.eps)
            conv.weight.copy_(layer.conv.weight.double() * gain.view(-1, 1, 1))
            conv.bias.copy_(layer.bn.bias.double() - layer.bn.running_mean.double() * gain)
        out.fc.load_state_dict(head.fc.state_dict())
    return out.eval()


class Scaled(nn.Module):
    """The head while it learns: its input has mean 0 and deviation 1. `plain` puts that into the first layer."""

    def __init__(self, mean, deviation, channels=CHANNELS):
        super().__init__()
        self.head = Head(channels=channels)
        self.register_buffer("mean", mean)
        self.register_buffer("gain", 1 / deviation)

    def forward(self, codes, drop=0.0):
        return self.head((codes.float() - self.mean) * self.gain, drop)

    def every_fourth(self, codes, drop=0.0, kind=torch.float32):
        return self.head.every_fourth((codes.float() - self.mean) * self.gain, drop, kind)

    def plain(self):
        """-> a Head that does the same with values."""
        head = Head(channels=self.head.fc.in_features)
        head.load_state_dict(self.head.state_dict())
        with torch.no_grad():
            weight = head.t1.conv.weight.double() * self.gain.double().view(1, -1, 1)
            weight[:, USED:] = 0
            head.t1.bn.running_mean += (weight * self.mean.double().view(1, -1, 1)).sum((1, 2)).float()
            head.t1.conv.weight.copy_(weight / SCALE)
        return head.eval()


def unfolded(whole, codes):
    """A Folded -> the Scaled that does the same, to go on learning from: its BatchNorm has the statistics of columns [N,T,128]."""
    out = Scaled(*statistics(codes.flatten(0, 1)))
    x = (codes.float() * SCALE).transpose(1, 2)
    with torch.no_grad():
        for name, dilation in LAYERS:
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


def restored(state):
    """What training or `quantised` saved -> a Scaled or a Folded."""
    if "folded" in state:
        whole = Folded()
        whole.load_state_dict(state["folded"])
        return whole.eval()
    net = Scaled(state["net"]["mean"], 1 / state["net"]["gain"], state["net"]["head.fc.weight"].shape[1])
    net.load_state_dict(state["net"])
    return net.eval()


def statistics(codes):
    """Mean and deviation of each code of a sample of columns [N,128], for `Scaled`."""
    x = codes.float()
    return x.mean(0), x.std(0).clamp(min=4.0)
