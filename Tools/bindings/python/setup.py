"""The wheel: Python around a shared library, one for every Python of a platform. The script `build` runs this."""
import os

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel


class LibraryWheel(bdist_wheel):
    """A wheel with the tag of the platform and of no particular Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    name="swift-gesture",
    version=os.environ["SWIFT_GESTURE_VERSION"],
    description="Hands, bodies and gestures in camera frames, on one CPU core",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy>=1.22"],
    extras_require={"daft": ["av>=15", "daft>=0.7.20"]},
    packages=find_packages(include=["swift_gesture", "swift_gesture.*"]),
    package_data={"swift_gesture": ["py.typed", "lib/*.so", "lib/gesture-hands/*", "lib/gesture-bodies/*", "lib/NOTICE", "lib/LICENSE"]},
    cmdclass={"bdist_wheel": LibraryWheel},
)
