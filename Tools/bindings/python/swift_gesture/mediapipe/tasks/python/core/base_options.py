"""Options that every task of MediaPipe has."""
import dataclasses
import enum
from typing import Optional


@dataclasses.dataclass
class BaseOptions:
    """Where the networks come from.

    model_asset_path:   a folder with networks of this project, or a .task bundle of the task. This package brings its
                        networks: where those of the bundle are others, a warning says so.
    model_asset_buffer: the bytes of such a file, likewise.
    delegate:           there is the CPU alone.
    """

    class Delegate(enum.IntEnum):
        CPU = 0
        GPU = 1

    model_asset_path: Optional[str] = None
    model_asset_buffer: Optional[bytes] = None
    delegate: Optional[Delegate] = None
