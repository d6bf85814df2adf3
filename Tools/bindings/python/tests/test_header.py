"""The layouts, constants and functions of the package are those of gesture.h, as a compiler reads it."""
import ctypes
import os
import re
import subprocess
import unittest

from swift_gesture import _library

import support


class HeaderTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = re.sub(r"/\*.*?\*/", "", support.HEADER.read_text(), flags=re.DOTALL)

    def test_layouts(self):
        # Clang prints the layout of each struct whose size it needs.
        uses = "".join(f"char size_{name}[sizeof({name})];" for name in _library.STRUCTS)
        printed = subprocess.run(
            [os.environ["CLANG"], "-fsyntax-only", "-Xclang", "-fdump-record-layouts", "-include", str(support.HEADER),
             "-xc", "-"], input=uses, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = {}
        for block in printed.split("*** Dumping AST Record Layout")[1:]:
            name = re.search(r"0 \| struct (\w+)", block)[1]
            lines = re.findall(r"^ *(\d+) \|   \S.*?(\w+)$", block, re.MULTILINE)
            fields = [(field, int(offset)) for offset, field in lines]
            found[name] = (int(re.search(r"sizeof=(\d+)", block)[1]), fields)
        for name, struct in _library.STRUCTS.items():
            with self.subTest(struct=name):
                mine = [(field, getattr(struct, field).offset) for field, *_ in struct._fields_]
                self.assertEqual((ctypes.sizeof(struct), mine), found[name])
        declared = set(re.findall(r"^} (gesture_\w+);", self.text, re.MULTILINE))
        self.assertEqual(set(_library.STRUCTS), declared)

    def test_constants(self):
        header = {name: int(value) for name, value in re.findall(r"\b(GESTURE_[A-Z0-9_]+) = (\d+)", self.text)}
        self.assertEqual(_library.CONSTANTS, {name: header.get(name) for name in _library.CONSTANTS})
        for name in ("MESSAGE_SIZE", "LABEL_SIZE", "POINT_COUNT", "POSE_COUNT", "EMBEDDING_COUNT"):
            value = re.search(rf"#define GESTURE_{name} (\d+)", self.text)[1]
            self.assertEqual(getattr(_library, name), int(value))

    def test_functions(self):
        functions = re.findall(r"^gesture_status (gesture_\w+)\((.*?)\);", self.text, re.MULTILINE | re.DOTALL)
        declared = {name: parameters.count(",") + 1 for name, parameters in functions}
        self.assertEqual({name: len(parameters) for name, parameters in _library.FUNCTIONS.items()}, declared)


if __name__ == "__main__":
    unittest.main()
