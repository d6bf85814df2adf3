"""Checks of arguments: a wrong type or a value out of range is an InvalidArgument with the argument's name."""
import math
import os
from typing import Any, List, NoReturn, Optional, Type, TypeVar, Union

import numpy

from ._library import InvalidArgument

# The fields of the library's structs have 32 bits.
_LARGEST = 2 ** 31 - 1

Path = Union[str, "os.PathLike[str]"]
_Kind = TypeVar("_Kind")


def refuse(name: str, value: object, requirement: str) -> NoReturn:
    """Raises InvalidArgument."""
    try:
        text = repr(value)
    except Exception:
        # Python prints no whole numbers of thousands of digits.
        text = "a " + type(value).__name__
    if len(text) > 80:
        text = text[:77] + "..."
    raise InvalidArgument(f"{name} is {text}; it must be {requirement}.")


def number(name: str, value: Any, requirement: str) -> float:
    """A finite number as a float: an int, a float, a NumPy scalar, or another number that can become one."""
    # Texts, spans of time and arrays can become floats too, and True is 1.
    is_other = isinstance(value, (str, bytes, bytearray, bool)) or (
        isinstance(value, (numpy.generic, numpy.ndarray)) and (value.ndim > 0 or value.dtype.kind not in "iuf"))
    try:
        found = math.nan if is_other else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        refuse(name, value, requirement)
    return found


def whole(name: str, value: Any, requirement: str, largest: int = _LARGEST) -> int:
    """A whole number from -largest to largest, which is below 2^53, as an int; 30.0 is one."""
    found = number(name, value, requirement)
    if not found.is_integer() or abs(found) > largest:
        refuse(name, value, requirement)
    return int(found)


def flag(name: str, value: Any) -> bool:
    """True or False, also as 1 or 0."""
    # A span of time is an integer to NumPy.
    if isinstance(value, numpy.timedelta64) or not isinstance(
            value, (bool, int, numpy.bool_, numpy.integer)) or value not in (0, 1):
        refuse(name, value, "True or False")
    return bool(value)


def path(name: str, value: Any) -> Optional[bytes]:
    """A path as the bytes of its UTF-8; None stays None."""
    if value is None:
        return None
    requirement = "a path as text or pathlib.Path"
    try:
        found = os.fspath(value)
    except TypeError:
        refuse(name, value, requirement)
    if not isinstance(found, str):
        refuse(name, value, requirement)
    try:
        encoded = found.encode()
    except UnicodeEncodeError:
        refuse(name, value, "a path that is UTF-8")
    if 0 in encoded:
        refuse(name, value, "a path without a zero byte")
    return encoded


def texts(name: str, value: Any, requirement: str) -> List[str]:
    """A list of texts without zero bytes; a single text is refused."""
    if isinstance(value, (str, bytes)):
        refuse(name, value, requirement)
    try:
        found = list(value)
    except TypeError:
        refuse(name, value, requirement)
    for text in found:
        if not isinstance(text, str) or "\0" in text or not text.isprintable():
            refuse(name, value, requirement)
    return found


def instance(name: str, value: Any, kind: Type[_Kind]) -> _Kind:
    """An object of a class."""
    if not isinstance(value, kind):
        refuse(name, value, f"of the type {kind.__name__}")
    return value
