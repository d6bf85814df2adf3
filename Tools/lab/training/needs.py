"""What a tool needs before it begins: programs, files and folders. All that is missing is reported at once, with how to get it."""

import os
import pathlib
import shutil


def built(*paths):
    """Programs of this package."""
    return [f"{path} is missing: build it with Tools/build --product {pathlib.Path(path).name}" for path in paths if not runs(path)]


def programs(*names):
    """Programs of the system, by name."""
    return [f"{name} is missing: Tools/setup installs it" for name in names if not shutil.which(name)]


def files(*paths):
    return [f"{path} {'is not a file' if path.exists() else 'does not exist'}" for path in paths if not path.is_file()]


def folders(*paths):
    return [f"{path} {'is not a folder' if path.exists() else 'does not exist'}" for path in paths if not path.is_dir()]


def runs(path):
    """Whether a path is a program's."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def check(*missing):
    """Ends with what these lists say, if they say anything."""
    reported = [line for lines in missing for line in lines]
    if reported:
        raise SystemExit("\n".join(reported))
