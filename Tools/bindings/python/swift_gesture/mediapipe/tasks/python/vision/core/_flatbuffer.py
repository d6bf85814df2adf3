"""Reads FlatBuffers, the format of .tflite files. Every position is checked, so no content leads outside of it."""
import struct
from typing import Any, List, Optional

import numpy

# Elements of a vector of tables at most. Each is an object here.
_MOST_TABLES = 4096


class Malformed(Exception):
    """The content contradicts itself; the text says where."""


class Table:
    """A table of a FlatBuffer. Fields are named by their index in the schema; those left out have a default."""

    def __init__(self, content: bytes, position: int) -> None:
        self._content, self._position = content, position
        self._fields = position - self._at("i", position)
        self._size = self._at("H", self._fields)

    @staticmethod
    def root(content: bytes) -> "Table":
        """The table that a file begins with."""
        return Table(content, Table._number(content, "I", 0))

    def number(self, field: int, kind: str, default: Any) -> Any:
        """A number, of a kind of Python's `struct`."""
        position = self._field(field)
        return default if position is None else self._at(kind, position)

    def table(self, field: int) -> "Optional[Table]":
        """A table; None if it is left out."""
        position = self._pointed(field)
        return None if position is None else Table(self._content, position)

    def tables(self, field: int) -> "List[Table]":
        """A vector of tables."""
        offsets = self.numbers(field, numpy.dtype("<u4"))
        if len(offsets) > _MOST_TABLES:
            raise Malformed(f"it has {len(offsets)} tables in one list")
        first = (self._pointed(field) or 0) + 4
        return [Table(self._content, first + 4 * index + int(offset)) for index, offset in enumerate(offsets)]

    def numbers(self, field: int, kind: numpy.dtype) -> numpy.ndarray:
        """A vector of numbers, in the content's own memory."""
        position = self._pointed(field)
        if position is None:
            return numpy.empty(0, kind)
        count = self._at("I", position)
        if position + 4 + count * kind.itemsize > len(self._content):
            raise Malformed(f"the {count} numbers at byte {position} go beyond its end")
        return numpy.frombuffer(self._content, kind, count, position + 4)

    def text(self, field: int) -> str:
        """A text; empty if it is left out."""
        return decoded(self.numbers(field, numpy.dtype("u1")).tobytes())

    def _field(self, field: int) -> Optional[int]:
        entry = 4 + 2 * field
        offset = self._at("H", self._fields + entry) if entry + 2 <= self._size else 0
        return self._position + offset if offset else None

    def _pointed(self, field: int) -> Optional[int]:
        position = self._field(field)
        return None if position is None else position + self._at("I", position)

    def _at(self, kind: str, position: int) -> Any:
        return self._number(self._content, kind, position)

    @staticmethod
    def _number(content: bytes, kind: str, position: int) -> Any:
        if not 0 <= position <= len(content) - struct.calcsize(kind):
            raise Malformed(f"byte {position} is outside of its {len(content)} bytes")
        return struct.unpack_from("<" + kind, content, position)[0]


def decoded(content: bytes) -> str:
    """A text in UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Malformed("a text in it is not UTF-8") from error
