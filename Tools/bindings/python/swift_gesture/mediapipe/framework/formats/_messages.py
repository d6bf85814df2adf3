"""Objects that behave as protobuf messages where scripts build, read and print them."""
import struct
from typing import Any, ClassVar, Dict, Generic, Iterable, List, Type, TypeVar

from swift_gesture._library import InvalidArgument

_Element = TypeVar("_Element", bound="Message")


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
            raise AttributeError(f"{type(self).__name__} has no field {name}.")
        return self._values.get(name, self._fields[name]())

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields or issubclass(self._fields[name], Message):
            raise AttributeError(f"{type(self).__name__} has no field {name} that can be set.")
        value = self._fields[name](value)
        # Floats of messages have 32 bits.
        self._values[name] = struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, float) else value

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
                lines.append(f'{name}: "{value}"\n' if isinstance(value, str) else f"{name}: {value:.9g}\n")
        return "".join(lines)

    @classmethod
    def _require(cls, name: str) -> None:
        if name not in cls._fields:
            raise InvalidArgument(f"{cls.__name__} has no field {name}; it has {', '.join(cls._fields)}.")
