"""Options that every task of MediaPipe has."""
import dataclasses
import enum
from typing import Optional


@dataclasses.dataclass
class BaseOptions:
    """Where the networks come from.

    model_asset_path:   a folder with hand networks of this project. Any other path, such as one of a .task file, is
                        not read: this package brings its networks.
    model_asset_buffer: not read either.
    delegate:           there is the CPU alone.
    """

    class Delegate(enum.IntEnum):
        CPU = 0
        GPU = 1

    model_asset_path: Optional[str] = None
    model_asset_buffer: Optional[bytes] = None
    delegate: Optional[Delegate] = None
