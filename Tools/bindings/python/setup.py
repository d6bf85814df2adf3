"""The wheel: Python around a shared library, one for every Python of a platform. The script `build` runs this."""
import os
import re

from elftools.elf.elffile import ELFFile
from setuptools import Distribution, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel


class LibraryDistribution(Distribution):
    """One that belongs to a platform, although no extension is compiled."""

    def has_ext_modules(self):
        return True


class LibraryWheel(bdist_wheel):
    """A wheel of no particular Python, for every Linux whose glibc has the symbols that the library needs (PEP 600)."""

    def get_tag(self):
        with open("swift_gesture/lib/libgesture.so", "rb") as library:
            needed = ELFFile(library).get_section_by_name(".gnu.version_r")
            names = [version.name for _, versions in needed.iter_versions() for version in versions]
        glibc = max((int(major), int(minor)) for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", " ".join(names)))
        return "py3", "none", super().get_tag()[2].replace("linux", "manylinux_%d_%d" % glibc, 1)


setup(
    name="swift-gesture",
    version=os.environ["SWIFT_GESTURE_VERSION"],
    description="Hands, bodies and gestures in camera frames, on one CPU core",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy>=1.22"],
    extras_require={
        "daft": ["av>=15", "daft>=0.7.20"],
        # What MediaPipe brings and scripts use.
        "mediapipe": ["matplotlib", "opencv-contrib-python", "protobuf>=4.25"],
    },
    packages=find_packages(include=["swift_gesture", "swift_gesture.*"]),
    package_data={"swift_gesture": ["py.typed", "lib/*.so", "lib/gesture-hands/*", "lib/gesture-bodies/*", "lib/NOTICE", "lib/LICENSE"]},
    distclass=LibraryDistribution,
    cmdclass={"bdist_wheel": LibraryWheel},
)
