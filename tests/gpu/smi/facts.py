#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a libnvidia-ml.so.1 says about itself, held against the description's facts.

    facts.py LIBRARY OUT SHIMS/API/NVML

writes OUT/exports.txt (the functions that it exports) and OUT/texts.txt (nvmlErrorString's words), and prints what
testdata/exports.txt and results.api have otherwise. Exit status 0: nothing.
"""

import ctypes
import pathlib
import re
import struct
import sys


def exports(path):
    """The nvml functions of an ELF's dynamic symbol table."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"facts: {path} is no 64-bit library")
    at, size, count = (*struct.unpack_from("<Q", data, 40), *struct.unpack_from("<HH", data, 58))
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    names = set()
    for _, kind, _, _, offset, length, link, _, _, entry in sections:
        if kind != 11:  # SHT_DYNSYM
            continue
        strings = sections[link][4]
        for i in range(0, length, entry):
            name, _, _, section = struct.unpack_from("<IBBH", data, offset + i)
            if section:  # defined here
                end = data.index(b"\0", strings + name)
                names.add(data[strings + name : end].decode())
    return sorted(n for n in names if n.startswith("nvml"))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    library, out, api = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    differ = False

    def say(what):
        nonlocal differ
        differ = True
        print(what)

    have = exports(library)
    (out / "exports.txt").write_text("\n".join(have) + "\n")
    known = [l for l in (api / "testdata/exports.txt").read_text().split("\n") if l and l[0] != "#"]
    for name in sorted(set(have) - set(known)):
        say(f"exported, and not described: {name}")
    for name in sorted(set(known) - set(have)):
        say(f"described, and not exported: {name}")

    results = (api / "results.api").read_text()
    values = {name: int(value) for name, value in re.findall(r"^    (NVML_\w+) = (\d+)$", results, re.M)}
    texts = dict(re.findall(r'^    (NVML_\w+) "(.+)"$', results, re.M))
    say_error = ctypes.CDLL(str(library)).nvmlErrorString
    say_error.restype = ctypes.c_char_p
    with open(out / "texts.txt", "w") as f:
        for name, value in values.items():
            text = say_error(value).decode()
            print(value, text, file=f)
            if texts.get(name) != text:
                say(f"{name}: the library says {text!r}, axon {texts.get(name)!r}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
