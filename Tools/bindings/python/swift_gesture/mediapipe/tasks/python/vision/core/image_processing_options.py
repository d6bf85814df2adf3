"""How an image is stored."""
import dataclasses
from typing import Any, Optional


@dataclasses.dataclass
class ImageProcessingOptions:
    """How an image is stored: the degrees, clockwise, that turn it upright; a multiple of 90.

    There is no region of interest.
    """

    region_of_interest: Optional[Any] = None
    rotation_degrees: int = 0
