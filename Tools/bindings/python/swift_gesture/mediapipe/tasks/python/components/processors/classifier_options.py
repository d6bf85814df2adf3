"""Which categories are reported, with MediaPipe's names."""
import dataclasses
from typing import List, Optional


@dataclasses.dataclass
class ClassifierOptions:
    """A least score, and which categories are allowed or denied; at most one of the lists."""

    display_names_locale: Optional[str] = None
    max_results: Optional[int] = None
    score_threshold: Optional[float] = None
    category_allowlist: Optional[List[str]] = None
    category_denylist: Optional[List[str]] = None
