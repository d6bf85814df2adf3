"""Writes gesture classifiers as MediaPipe Model Maker does: a FlatBuffer, and a zip file with the names behind it."""
import io
import struct
import zipfile

import numpy

ADD, FULLY_CONNECTED, LOGISTIC, MUL, RELU, RESHAPE, SOFTMAX = 0, 9, 14, 18, 19, 22, 25
CONV_2D = 3
# The kind of an operator's options in the schema's union.
OPTIONS = {ADD: 11, MUL: 21, SOFTMAX: 9}


def flatbuffer(root, identifier):
    """Tables are dictionaries by the index of the field: a pair of a kind of `struct` and a number, a text, bytes, an
    array of numbers, a table, or a list of tables."""
    content = bytearray(4) + identifier

    def align(size, extra=0):
        content.extend(bytes(-(len(content) + extra) % size))

    def point(place, target):
        struct.pack_into("<I", content, place, target - place)

    def table(fields):
        """Writes a table, and then what it points to."""
        align(4)
        slots = max(fields, default=-1) + 1
        at = {field: 4 + 4 * order for order, field in enumerate(sorted(fields))}
        first = len(content)
        content.extend(struct.pack("<HH", 4 + 2 * slots, 4 + 4 * len(fields)))
        content.extend(struct.pack(f"<{slots}H", *[at.get(field, 0) for field in range(slots)]))
        align(4)
        position = len(content)
        content.extend(struct.pack("<i", position - first) + bytes(4 * len(fields)))
        for field, value in fields.items():
            place = position + at[field]
            if isinstance(value, tuple):
                struct.pack_into("<" + value[0], content, place, value[1])
            else:
                point(place, pointed(value))
        return position

    def pointed(value):
        if isinstance(value, dict):
            return table(value)
        if isinstance(value, list):
            align(4)
            position = len(content)
            content.extend(struct.pack("<I", len(value)) + bytes(4 * len(value)))
            for index, element in enumerate(value):
                point(position + 4 + 4 * index, table(element))
            return position
        data = value.encode() if isinstance(value, str) else bytes(value)
        # A length counts elements; weights begin at a multiple of 16.
        align(16, extra=4)
        position = len(content)
        content.extend(struct.pack("<I", len(value)) + data + b"\0")
        return position

    struct.pack_into("<I", content, 0, table(root))
    return bytes(content)


def numbers(*values):
    return numpy.array(values, "<i4")


class Network:
    """Operators in turn: each takes the result of the one before."""

    def __init__(self, inputs=128):
        self.tensors, self.buffers, self.codes, self.operators = [], [{}], [], []
        self.latest = self.tensor([1, inputs])

    def tensor(self, shape, values=None):
        if values is not None:
            self.buffers.append({0: numpy.asarray(values, "<f4").tobytes()})
        self.tensors.append({0: numbers(*shape), 2: ("I", 0 if values is None else len(self.buffers) - 1)})
        return len(self.tensors) - 1

    def add(self, code, size, *constants, options=None):
        """Appends an operator with `size` results and with constants behind its input."""
        self.codes.append({0: ("b", code), 3: ("i", code)})
        read = [self.latest] + [self.tensor(numpy.shape(values), values) for values in constants]
        self.latest = self.tensor([1, size])
        operator = {0: ("I", len(self.codes) - 1), 1: numbers(*read), 2: numbers(self.latest)}
        self.operators.append(operator if options is None else {**operator, 3: ("B", OPTIONS[code]), 4: options})
        return self

    def content(self, labels, threshold=None):
        """The file. Without labels it has no zip file."""
        output = {6: [{0: "labels.txt", 2: ("b", 2)}]}
        if threshold is not None:
            output[4] = [{0: ("B", 3), 1: {0: ("f", threshold)}}]
        metadata = flatbuffer({3: [{3: [output]}]}, b"M001")
        subgraph = {0: self.tensors, 1: numbers(0), 2: numbers(self.latest), 3: self.operators}
        root = {0: ("I", 3), 1: self.codes, 2: [subgraph], 4: [*self.buffers, {0: metadata}],
                6: [{0: "TFLITE_METADATA", 1: ("I", len(self.buffers))}]}
        file = io.BytesIO(flatbuffer(root, b"TFL3"))
        if labels is not None:
            with zipfile.ZipFile(file, "a") as files:
                files.writestr("labels.txt", "\n".join(labels))
        return file.getvalue()
