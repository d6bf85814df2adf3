"""Lines between points."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Connection:
    """A line from one point to another, by their numbers."""

    start: int
    end: int
