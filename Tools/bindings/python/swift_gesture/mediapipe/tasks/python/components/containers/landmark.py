"""Points."""
import dataclasses
from typing import Optional


@dataclasses.dataclass
class Landmark:
    """A point in metres, from the middle of the hand or of the hips."""

    x: Optional[float] = None
    y: Optional[float] = None
    z: Optional[float] = None
    # Bodies alone: how likely it is within the image and not hidden, and within the image, 0 to 1.
    visibility: Optional[float] = None
    presence: Optional[float] = None
    # Never set.
    name: Optional[str] = None


@dataclasses.dataclass
class NormalizedLandmark:
    """A point in shares of the image's width and height; z in shares of the width."""

    x: Optional[float] = None
    y: Optional[float] = None
    z: Optional[float] = None
    # Bodies alone, as for Landmark.
    visibility: Optional[float] = None
    presence: Optional[float] = None
    # Never set.
    name: Optional[str] = None
