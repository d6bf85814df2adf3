"""Checks of arguments: a wrong type or a value out of range is an InvalidArgument with the argument's name."""
import math
import os

import numpy

from ._library import InvalidArgument

# The fields of the library's structs have 32 bits.
_LARGEST = 2 ** 31 - 1


def refuse(name, value, requirement):
    """Raises InvalidArgument."""
    try:
        text = repr(value)
    except Exception:
        # Python prints no whole numbers of thousands of digits.
        text = "a " + type(value).__name__
    if len(text) > 80:
        text = text[:77] + "..."
    raise InvalidArgument(f"{name} is {text}; it must be {requirement}.")


def number(name, value, requirement):
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


def whole(name, value, requirement, largest=_LARGEST):
    """A whole number from -largest to largest, which is below 2^53, as an int; 30.0 is one."""
    found = number(name, value, requirement)
    if not found.is_integer() or abs(found) > largest:
        refuse(name, value, requirement)
    return int(found)


def flag(name, value):
    """True or False, also as 1 or 0."""
    # A span of time is an integer to NumPy.
    if isinstance(value, numpy.timedelta64) or not isinstance(
            value, (bool, int, numpy.bool_, numpy.integer)) or value not in (0, 1):
        refuse(name, value, "True or False")
    return bool(value)


def path(name, value):
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


def instance(name, value, kind):
    """An object of a class."""
    if not isinstance(value, kind):
        refuse(name, value, f"of the type {kind.__name__}")
    return value
