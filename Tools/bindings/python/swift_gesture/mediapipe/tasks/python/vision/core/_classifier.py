"""The gesture classifier of one's own in a .task bundle, which MediaPipe Model Maker trains and exports.

It is a .tflite file: a few dense layers over the embedding of a hand, with the names of its classes in a zip file at
its end. NumPy runs it.
"""
import io
import zipfile
import zlib
from typing import Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from swift_gesture._library import EMBEDDING_COUNT, ModelError
from swift_gesture.mediapipe.tasks.python.vision.core._flatbuffer import Malformed, Table, decoded

# Values of an activation, and of one dimension of a constant, and operators at most.
_MOST_VALUES = 2 ** 16
_MOST_OPERATORS = 256
# Bytes of the list of names at most.
_MOST_TEXT = 2 ** 20
_FLOAT, _INDEX, _BYTE = numpy.dtype("<f4"), numpy.dtype("<i4"), numpy.dtype("u1")

# What Python's zipfile raises for damaged files.
DAMAGED_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error)

# Activations by the schema's numbers.
_ACTIVATIONS: Dict[int, Callable[[numpy.ndarray], numpy.ndarray]] = {
    0: lambda values: values,
    1: lambda values: numpy.maximum(values, 0),
    3: lambda values: numpy.clip(values, 0, 6),
    4: numpy.tanh,
}


def _logistic(values: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-values))


def _softmax(values: numpy.ndarray, beta: float) -> numpy.ndarray:
    powers = numpy.exp((values - values.max()) * numpy.float32(beta))
    return powers / powers.sum()


# Operators by the schema's numbers: of one value, and of two values of which one may be a single number.
_UNARY: Dict[int, Callable[[numpy.ndarray], numpy.ndarray]] = {
    14: _logistic, 19: _ACTIVATIONS[1], 21: _ACTIVATIONS[3], 22: _ACTIVATIONS[0], 28: _ACTIVATIONS[4]}
_BINARY = {0: numpy.add, 18: numpy.multiply, 41: numpy.subtract}
_FULLY_CONNECTED, _SOFTMAX = 9, 25
# The kind of an operator's options in the schema's union.
_OPTIONS = {0: 11, 18: 21, 41: 28, _FULLY_CONNECTED: 8, _SOFTMAX: 9}

# What one operator does with the values that are known.
_Step = Tuple[int, Callable[[Dict[int, numpy.ndarray]], numpy.ndarray]]


class Classifier:
    """Scores of the classes of one's own."""

    def __init__(self, model: str, content: bytes) -> None:
        """Reads a file. Raises ModelError where it is damaged or has other operators than such a classifier.

        model: names the file in sentences.
        """
        try:
            root = Table.root(content)
            subgraphs = root.tables(2)
            if content[4:8] != b"TFL3" or len(subgraphs) != 1:
                raise Malformed("it is no .tflite file of one network")
            self._read_network(root, subgraphs[0])
            #: The names of the classes.
            self.labels: List[str] = []
            #: The least score that the file asks for.
            self.score_threshold: Optional[float] = None
            self._read_metadata(root, content)
            # All sizes are known, so what works once always does.
            count = len(self.scores(numpy.zeros(EMBEDDING_COUNT, numpy.float32)))
            if count != len(self.labels):
                raise Malformed(f"it gives {count} scores and names {len(self.labels)} classes")
        except Malformed as error:
            raise ModelError(f"{model} is no gesture classifier that is read here: {error}.",
                             "GESTURE_INVALID_MODEL") from error

    def scores(self, embedding: numpy.ndarray) -> numpy.ndarray:
        """The score of each class, in the order of the labels.

        embedding: 128 values of float32.
        """
        values = dict(self._constants)
        values[self._input] = embedding
        # Weights may be any numbers; a score that is NaN reaches no threshold.
        with numpy.errstate(all="ignore"):
            for output, step in self._steps:
                values[output] = step(values)
        found = values.get(self._output)
        if found is None or found.ndim != 1:
            raise Malformed("no operator computes its output")
        return found

    def _read_network(self, root: Table, subgraph: Table) -> None:
        tensors, buffers = subgraph.tables(0), root.tables(4)
        inputs, outputs = subgraph.numbers(1, _INDEX), subgraph.numbers(2, _INDEX)
        if len(inputs) != 1 or len(outputs) != 1:
            raise Malformed(f"it has {len(inputs)} inputs and {len(outputs)} outputs instead of one each")
        self._input, self._output = int(inputs[0]), int(outputs[0])
        self._constants: Dict[int, numpy.ndarray] = {}
        for index, tensor in enumerate(tensors):
            values = _constant(tensor, buffers)
            if values is not None:
                self._constants[index] = values
        # The builtin code of each kind of operator: newer files have it in a field of 32 bits.
        codes = [max(code.number(0, "b", 0), code.number(3, "i", 0)) for code in root.tables(1)]
        self._steps: List[_Step] = []
        operators = subgraph.tables(3)
        if len(operators) > _MOST_OPERATORS:
            raise Malformed(f"it has {len(operators)} operators")
        for operator in operators:
            kind = operator.number(0, "I", 0)
            if kind >= len(codes):
                raise Malformed("an operator has no code")
            written = operator.numbers(2, _INDEX)
            if len(written) != 1:
                raise Malformed("an operator has not one output")
            read = [int(index) for index in operator.numbers(1, _INDEX)]
            code = codes[kind]
            fits = operator.number(3, "B", 0) == _OPTIONS.get(code)
            self._steps.append((int(written[0]), _step(code, read, operator.table(4) if fits else None)))

    def _read_metadata(self, root: Table, content: bytes) -> None:
        """The names and the threshold that Model Maker writes for the output."""
        buffers = root.tables(4)
        for entry in root.tables(6):
            if entry.text(0) != "TFLITE_METADATA":
                continue
            index = entry.number(1, "I", 0)
            if index >= len(buffers):
                raise Malformed("its metadata are missing")
            metadata = Table.root(buffers[index].numbers(0, _BYTE).tobytes())
            described = [output for subgraph in metadata.tables(3)[:1] for output in subgraph.tables(3)[:1]]
            for output in described:
                self._read_output(output, content)
        if not self.labels:
            raise Malformed("its classes have no names")

    def _read_output(self, output: Table, content: bytes) -> None:
        for unit in output.tables(4):
            options = unit.table(1)
            # Of the union's members, the options of a threshold.
            if unit.number(0, "B", 0) == 3 and options is not None:
                self.score_threshold = options.number(0, "f", 0.0)
        for file in output.tables(6):
            # Labels of an axis. Files of a locale have the names that are displayed.
            if file.number(2, "b", 0) == 2 and not file.text(3):
                self.labels = _lines(file.text(0), content)
                return


def _constant(tensor: Table, buffers: Sequence[Table]) -> Optional[numpy.ndarray]:
    """The numbers of a tensor that the file has; None for one that is computed, and for shapes, which are not needed."""
    index, kind = tensor.number(2, "I", 0), tensor.number(1, "b", 0)
    if index >= len(buffers):
        raise Malformed("a tensor has no buffer")
    data = buffers[index].numbers(0, _BYTE)
    if not len(data) or kind == 2:
        return None
    if kind != 0:
        raise Malformed(f"its weights are of the type {kind}; float32 alone is read")
    shape = [int(side) for side in tensor.numbers(0, _INDEX)]
    if any(not 0 < side <= _MOST_VALUES for side in shape) or len(shape) > 4:
        raise Malformed(f"a tensor has the shape {shape}")
    # A number for each place of the shape; Python's integers do not overflow.
    count = 1
    for side in shape:
        count *= side
    if 4 * count != len(data):
        raise Malformed(f"{len(data)} bytes are no tensor of the shape {shape}")
    return data.view(_FLOAT).reshape(shape if len(shape) == 2 else -1)


def _step(code: int, read: Sequence[int], options: Optional[Table]) -> Callable[
        [Dict[int, numpy.ndarray]], numpy.ndarray]:
    """What an operator does."""
    def number(field: int, kind: str, default: float) -> float:
        return default if options is None else options.number(field, kind, default)

    def known(values: Dict[int, numpy.ndarray], place: int) -> numpy.ndarray:
        found = values.get(read[place]) if place < len(read) else None
        if found is None:
            raise Malformed("an operator reads what is not computed before")
        return found

    def vector(values: Dict[int, numpy.ndarray], place: int) -> numpy.ndarray:
        # A batch of one: the shape is that of one hand.
        found = known(values, place).reshape(-1)
        if len(found) > _MOST_VALUES:
            raise Malformed(f"an operator reads {len(found)} values")
        return found

    if code in _UNARY:
        return lambda values: _UNARY[code](vector(values, 0))
    if code == _SOFTMAX:
        beta = number(0, "f", 0.0)
        return lambda values: _softmax(vector(values, 0), beta)
    if code not in _BINARY and code != _FULLY_CONNECTED:
        raise Malformed(f"it has an operator of the code {code}; dense layers, sums, products, activations and "
                        "softmax are read")
    activation = _ACTIVATIONS.get(int(number(0, "b", 0)))
    if activation is None:
        raise Malformed("it has an activation that is not read")

    def combine(values: Dict[int, numpy.ndarray]) -> numpy.ndarray:
        left, right = vector(values, 0), vector(values, 1)
        if len(left) != len(right) and 1 not in (len(left), len(right)):
            raise Malformed(f"an operator combines {len(left)} values with {len(right)}")
        return activation(_BINARY[code](left, right))

    def connect(values: Dict[int, numpy.ndarray]) -> numpy.ndarray:
        given, weights = vector(values, 0), known(values, 1)
        if weights.ndim != 2 or weights.shape[1] != len(given):
            raise Malformed(f"a dense layer with weights of {weights.shape} gets {len(given)} values")
        sums = weights @ given
        # The bias may be left out.
        if len(read) > 2 and read[2] >= 0:
            bias = vector(values, 2)
            if len(bias) != len(sums):
                raise Malformed(f"a dense layer of {len(sums)} values has {len(bias)} biases")
            sums = sums + bias
        return activation(sums)

    return connect if code == _FULLY_CONNECTED else combine


def _lines(name: str, content: bytes) -> List[str]:
    """The lines of a file in the zip file at the end of the content."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as files:
            member = files.getinfo(name)
            if member.file_size > _MOST_TEXT or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Malformed(f"its {name} is too large, or compressed in a rare way")
            lines = decoded(files.read(name)).split("\n")
    except (*DAMAGED_ZIP, KeyError) as error:
        raise Malformed(f"the names of its classes, {name}, are not in it") from error
    return lines[:-1] if lines and not lines[-1] else lines
