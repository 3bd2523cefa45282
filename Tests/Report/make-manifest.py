#!/usr/bin/env python3
"""Prints the manifest of a large run: `make-manifest.py N [LENGTH]`.

It has N lines: most inputs are ready, 1 in 100 is rejected and 1 in 500 failed. A few names are hostile to a page.
LENGTH adds as many characters to each name. The same arguments print the same manifest.
"""

import json
import random
import sys

HOSTILE = [
    "</script><script>alert(1)</script>.jpg",
    "<img src=x onerror=alert(1)>.jpg",
    "quote\" apostrophe' & amp;.jpg",
    "line\u2028separator\u2029.jpg",
    "gnp.\u202egpj.exe.jpg",
    "new\nline\tand\u0000zero.jpg".replace("\u0000", "\u0001"),
    "<!--comment.jpg",
    "unbroken-" + "x" * 240 + ".jpg",
    "deep/" * 100 + "photo.jpg",
    "日本語の写真.jpg",
]

REJECTED = [
    ("unsupported-heic", "HEIC is not read"),
    ("truncated", "the image ends before its data does"),
    ("max-bytes", "the smallest form allowed has 312004 bytes, more than the 262144 allowed"),
    ("name-collision", "another input has the same output"),
]


def line(number, random):
    directory = f"archive/2024-{number // 9000 + 1:02}/patient-{number // 40:05}"
    fate = random.random()
    is_recording = random.random() < 0.15
    name = f"{directory}/IMG_{number:06}." + ("m4a" if is_recording else "jpg")
    if number < len(HOSTILE):
        name, fate, is_recording = HOSTILE[number], 0 if number % 2 else 1, False
    size = int(random.lognormvariate(15 if not is_recording else 13, 0.6))
    entry = {
        "input": name,
        "output": None,
        "kind": "audio" if is_recording else "image",
        "verdict": "rejected",
        "reasons": [],
        "warnings": [],
        "format": "m4a" if is_recording else "jpeg",
        "input_bytes": size,
        "output_bytes": None,
        "sha256": None,
        "elapsed_ms": round(random.random() * 100, 3),
    }
    if fate < 0.01:
        code, message = random.choice(REJECTED)
        entry["reasons"] = [{"code": code, "message": message, "offset": size // 2}]
        return entry
    if fate < 0.012:
        entry["verdict"] = "failed"
        entry["reasons"] = [{"code": "unreadable", "message": "the file can't be read: Permission denied"}]
        return entry
    entry["verdict"] = "accepted" if is_recording else "converted"
    entry["output"] = name
    entry["output_bytes"] = size if is_recording else int(size * random.uniform(0.03, 0.3))
    entry["sha256"] = f"{random.getrandbits(256):064x}"
    if is_recording:
        entry["audio"] = {"duration_seconds": round(random.lognormvariate(4, 1.2), 3)}
    else:
        entry["image"] = {"width": 1200, "height": 1600, "source_width": 3024, "source_height": 4032}
    if random.random() < 0.03:
        entry["warnings"] = [
            {"code": "trailing-bytes", "message": "112 bytes behind the end are left out", "offset": size - 112}
        ]
    return entry


def main():
    numbers = random.Random(4)
    longer = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for number in range(int(sys.argv[1])):
        entry = line(number, numbers)
        entry["input"] += "x" * longer
        print(json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


main()
