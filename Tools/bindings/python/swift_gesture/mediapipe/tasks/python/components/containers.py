"""What results are made of, with MediaPipe's names."""
import dataclasses
from typing import Optional


@dataclasses.dataclass
class Category:
    """A class and its score, 0 to 1."""

    index: Optional[int] = None
    score: Optional[float] = None
    display_name: Optional[str] = None
    category_name: Optional[str] = None


@dataclasses.dataclass
class Landmark:
    """A point in metres from the hand's middle."""

    x: Optional[float] = None
    y: Optional[float] = None
    z: Optional[float] = None
    # Never set: the networks have neither.
    visibility: Optional[float] = None
    presence: Optional[float] = None


@dataclasses.dataclass
class NormalizedLandmark:
    """A point in shares of the image's width and height; z in shares of the width."""

    x: Optional[float] = None
    y: Optional[float] = None
    z: Optional[float] = None
    # Never set: the networks have neither.
    visibility: Optional[float] = None
    presence: Optional[float] = None
