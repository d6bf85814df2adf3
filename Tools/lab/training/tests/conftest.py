"""`pytest --bank DIR` runs the checks that need a sprite bank; without it they are skipped."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))


def pytest_addoption(parser):
    parser.addoption("--bank", type=pathlib.Path, help="sprite bank made by gesturetrain.assets")


@pytest.fixture(scope="session")
def bank(request):
    folder = request.config.getoption("--bank")
    if folder is None:
        pytest.skip("no sprite bank given: --bank DIR")
    return folder
