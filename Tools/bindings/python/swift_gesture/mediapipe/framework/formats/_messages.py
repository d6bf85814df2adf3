"""The messages of MediaPipe 0.10: protobuf's own where protobuf is installed, else objects with the same fields."""
import struct
import warnings
from typing import Any, Callable, ClassVar, Dict, Generic, Iterable, List, Type, TypeVar

from swift_gesture._library import GestureWarning, InvalidArgument

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    _make_class: Any = message_factory.GetMessageClass
except (ImportError, AttributeError):
    _make_class = None

_Element = TypeVar("_Element", bound="Message")
_Kind = TypeVar("_Kind", bound="Message")

# The oldest version with message_factory.GetMessageClass; setup.py names it, too.
_PROTOBUF = "protobuf>=4.25"
# What protobuf's functions, such as MessageToDict, ask of a message, and what scripts call.
_PROTOBUF_NAMES = frozenset((
    "DESCRIPTOR", "ByteSize", "Clear", "FromString", "IsInitialized", "ListFields", "MergeFrom", "MergeFromString",
    "ParseFromString", "SerializePartialToString", "SerializeToString", "WhichOneof"))


class Repeated(List[_Element], Generic[_Element]):
    """A list of messages."""

    def __init__(self, kind: Type[_Element], elements: Iterable[_Element] = ()) -> None:
        super().__init__(elements)
        self._kind = kind

    def add(self, **values: Any) -> _Element:
        """Appends a message of these values and returns it."""
        made = self._kind(**values)
        self.append(made)
        return made


class Message:
    """Fields with types; one that is not set reads as its type's zero."""

    # float, int, str, or the class of a repeated message.
    _fields: ClassVar[Dict[str, Any]] = {}

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_values", {})
        for name, kind in self._fields.items():
            if issubclass(kind, Message):
                self._values[name] = Repeated(kind)
        for name, value in values.items():
            self._require(name)
            if issubclass(self._fields[name], Message):
                self._values[name].extend(value)
            elif value is not None:
                setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in self._fields:
            if name in _PROTOBUF_NAMES:
                sentence = (f"{type(self).__name__} has no {name}: MessageToDict and other functions of protobuf need "
                            f'{_PROTOBUF}. Run: pip install "{_PROTOBUF}"')
                # A script that catches every exception would do nothing without a word.
                warnings.warn(sentence, GestureWarning, stacklevel=2)
                raise AttributeError(sentence)
            raise AttributeError(f"{type(self).__name__} has no field {name}.")
        return self._values.get(name, self._fields[name]())

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields or issubclass(self._fields[name], Message):
            raise AttributeError(f"{type(self).__name__} has no field {name} that can be set.")
        value = self._fields[name](value)
        self._values[name] = _float32(value) if isinstance(value, float) else value

    def HasField(self, name: str) -> bool:
        """Whether a field is set."""
        self._require(name)
        return name in self._values

    def ClearField(self, name: str) -> None:
        """Makes a field one that is not set."""
        self._require(name)
        if issubclass(self._fields[name], Message):
            self._values[name].clear()
        else:
            self._values.pop(name, None)

    def CopyFrom(self, other: "Message") -> None:
        """Takes the values of a message of the same kind."""
        if type(other) is not type(self):
            raise TypeError(f"A {type(self).__name__} cannot take the values of a {type(other).__name__}.")
        for name in self._fields:
            self.ClearField(name)
        self._values.update(type(self)(**other._values)._values)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._values == self._values  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = []
        for name in self._fields:
            value = self._values.get(name)
            if isinstance(value, Repeated):
                for element in value:
                    body = "".join(f"  {line}\n" for line in repr(element).splitlines())
                    lines.append(f"{name} {{\n{body}}}\n")
            elif value is not None:
                lines.append(f"{name}: {_text(value)}\n")
        return "".join(lines)

    @classmethod
    def _require(cls, name: str) -> None:
        if name not in cls._fields:
            raise InvalidArgument(f"{cls.__name__} has no field {name}; it has {', '.join(cls._fields)}.")


def _float32(value: float) -> float:
    """Floats of messages have 32 bits."""
    return struct.unpack("f", struct.pack("f", value))[0]  # type: ignore[no-any-return]


def _text(value: Any) -> str:
    """A value as protobuf prints it: floats with the fewest digits, from six on, that give them back."""
    if isinstance(value, str):
        return f'"{value}"'
    texts = [f"{value:.{digits}g}" for digits in (6, 7, 8, 9)]
    return next((text for text in texts if _float32(float(text)) == value), texts[-1])


# Of its own: MediaPipe's messages may be in protobuf's.
_pool: Any = _make_class and descriptor_pool.DescriptorPool()


def message(file: str) -> Callable[[Type[_Kind]], Type[_Kind]]:
    """Decorates a class: it becomes protobuf's class of the same name and fields where protobuf is installed.

    file: MediaPipe's file of the message, without its ending. The fields are numbered from 1 in their order, as there,
    so the bytes of a message are MediaPipe's.
    """
    def decorate(kind: Type[_Kind]) -> Type[_Kind]:
        if _make_class is None:
            return kind
        field_type = descriptor_pb2.FieldDescriptorProto
        scalars = {float: field_type.TYPE_FLOAT, int: field_type.TYPE_INT32, str: field_type.TYPE_STRING}
        described = descriptor_pb2.FileDescriptorProto(name=f"{file}.{kind.__name__}.proto", package="mediapipe")
        fields = described.message_type.add(name=kind.__name__).field
        for number, (name, value) in enumerate(kind._fields.items(), 1):
            if value in scalars:
                fields.add(name=name, number=number, label=field_type.LABEL_OPTIONAL, type=scalars[value])
            else:
                element = value.DESCRIPTOR
                described.dependency.append(element.file.name)
                fields.add(name=name, number=number, label=field_type.LABEL_REPEATED, type=field_type.TYPE_MESSAGE,
                           type_name="." + element.full_name)
        _pool.Add(described)
        made = _make_class(_pool.FindMessageTypeByName(f"mediapipe.{kind.__name__}"))
        made.__module__, made.__doc__ = kind.__module__, kind.__doc__
        return made
    return decorate
