"""The temporal layers of GestureTCN-340K on columns of landmark features."""

import torch
from torch import nn
from torch.nn import functional as F

from gesturetrain.labels import CLASSES, WINDOW

from .features import CODES, USED

LAYERS = (("t1", 1), ("t2", 2), ("t3", 4))  # names and dilations
SCALE = 6 / 255  # of a column's codes, zero point 0


class Layer(nn.Module):
    def __init__(self, i, o, dilation):
        super().__init__()
        self.conv = nn.Conv1d(i, o, 3, dilation=dilation, bias=False)
        self.bn = nn.BatchNorm1d(o, eps=1e-5)

    def forward(self, x):
        return F.relu6(self.bn(self.conv(x)))


class Head(nn.Module):
    """Columns [B,T,128] of values (codes * SCALE) -> logits [B,T-14,classes]: one row for every 15 columns."""

    def __init__(self, classes=CLASSES):
        super().__init__()
        self.t1, self.t2, self.t3 = Layer(CODES, 160, 1), Layer(160, 160, 2), Layer(160, 160, 4)
        self.fc = nn.Linear(160, classes)

    def forward(self, columns, drop=0.0):
        x = columns.transpose(1, 2)
        x = self.t3(self.t2(self.t1(x)))
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.transpose(1, 2))

    def every_fourth(self, columns, drop=0.0):
        """Rows 0, 4, 8, ... of `forward` alone, at a third of its price: the dilations 2 and 4 see every second and fourth column of the layer below."""
        x = columns.transpose(1, 2)
        for layer, stride in ((self.t1, 2), (self.t2, 2), (self.t3, 1)):
            x = F.relu6(layer.bn(F.conv1d(x, layer.conv.weight, stride=stride)))
        if drop and self.training:
            x = F.dropout(x, drop)
        return self.fc(x.transpose(1, 2))

    def logits(self, columns):
        """As the engine gives them, a row for every full window of 16: [B,T-15,classes]."""
        return self(columns)[:, WINDOW - 15:]


class Folded(nn.Module):
    """A head whose convolutions have a bias and no BatchNorm."""

    def __init__(self, classes=CLASSES):
        super().__init__()
        for (name, dilation), i in zip(LAYERS, (CODES, 160, 160)):
            layer = nn.Module()
            layer.conv = nn.Conv1d(i, 160, 3, dilation=dilation)
            self.add_module(name, layer)
        self.fc = nn.Linear(160, classes)

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

    def __init__(self, mean, deviation):
        super().__init__()
        self.head = Head()
        self.register_buffer("mean", mean)
        self.register_buffer("gain", 1 / deviation)

    def forward(self, codes, drop=0.0):
        return self.head((codes.float() - self.mean) * self.gain, drop)

    def every_fourth(self, codes, drop=0.0):
        return self.head.every_fourth((codes.float() - self.mean) * self.gain, drop)

    def plain(self):
        """-> a Head that does the same with values."""
        head = Head()
        head.load_state_dict(self.head.state_dict())
        with torch.no_grad():
            weight = head.t1.conv.weight.double() * self.gain.double().view(1, -1, 1)
            weight[:, USED:] = 0
            head.t1.bn.running_mean += (weight * self.mean.double().view(1, -1, 1)).sum((1, 2)).float()
            head.t1.conv.weight.copy_(weight / SCALE)
        return head.eval()


def statistics(codes):
    """Mean and deviation of each code of a sample of columns [N,128], for `Scaled`."""
    x = codes.float()
    return x.mean(0), x.std(0).clamp(min=4.0)
