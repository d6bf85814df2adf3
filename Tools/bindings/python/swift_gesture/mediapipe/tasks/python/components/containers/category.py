"""A class and its score."""
import dataclasses
from typing import Optional


@dataclasses.dataclass
class Category:
    """A class and its score, 0 to 1."""

    index: Optional[int] = None
    score: Optional[float] = None
    display_name: Optional[str] = None
    category_name: Optional[str] = None
