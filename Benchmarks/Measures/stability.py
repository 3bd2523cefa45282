"""Evaluates how little the measures depend on the way an image is stored and prepared.

`python stability.py PREP FOLDER...`: PREP is the command. Each image of the folders is prepared to 800, 1600 and 3200
pixels, turned, mirrored, saved again as JPEG of quality 90, and surrounded with black. Prints for each measure how many
images differ by at most 5%, and the largest difference.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cv2

import measured
import planes

KEYS = ("sharpness", "mean", "p05", "p95", "contrast", "field_of_view_share", "noise", "glare", "detail")
SIZE, OTHER_SIZES = 1600, (800, 3200)
TURNED = {
    "quarter turn": lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
    "half turn": lambda image: cv2.rotate(image, cv2.ROTATE_180), "mirrored": lambda image: cv2.flip(image, 1)}
SAVED = "quality 90"
# An image of this size has a longer side of at most 1024 with a surround, so that it is not reduced.
INNER_SIZE = 768


def prepared(prep, source, size=SIZE):
    """Returns the measures in the manifest of a run, by the names of the files without their suffix."""
    with tempfile.TemporaryDirectory() as output:
        command = [prep, "run", source, "--output", output, "--max-dimension", str(size), "--quiet"]
        subprocess.run(command, check=True)
        lines = map(json.loads, pathlib.Path(output, "manifest.jsonl").read_text().splitlines())
        return {pathlib.Path(line["input"]).stem: line["image"]["measures"] for line in lines}


def variants(prep, path):
    """Returns pairs of measures by the name of a change: those of the image without and with it."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    # PNG keeps the samples, so that only the change itself can make a difference.
    compression = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    with tempfile.TemporaryDirectory() as folder:
        cv2.imwrite(f"{folder}/plain.png", image, compression)
        for name, turn in TURNED.items():
            cv2.imwrite(f"{folder}/{name}.png", turn(image), compression)
        cv2.imwrite(f"{folder}/{SAVED}.jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        found = prepared(prep, folder)
    pairs = {name: (found["plain"], found[name]) for name in (*TURNED, SAVED)}
    # The file itself, because JPEGs may be decoded at half size.
    base, = prepared(prep, path).values()
    for size in OTHER_SIZES:
        resized, = prepared(prep, path, size).values()
        pairs[f"prepared to {size}"] = base, resized
    inner = {"plain": planes.reduced(image, INNER_SIZE)}
    pairs["surrounded"] = tuple(
        measured.measure(prep, inner, fault)["plain"]["image"]["measures"] for fault in ("none", "surrounded"))
    return pairs


def difference(value, expected):
    """Returns the difference as a part of the expected value."""
    if value == expected:
        return 0
    return abs(value / expected - 1) if expected else float("inf")


def main():
    prep, *folders = sys.argv[1:]
    for folder in folders:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            images = list(pool.map(lambda path: variants(prep, path), planes.paths(folder)))
        print(f"{pathlib.Path(folder).name}: {len(images)} images")
        for name in images[0]:
            for key in KEYS:
                differences = [difference(changed[key], base[key]) for base, changed in (one[name] for one in images)]
                within = sum(one <= 0.05 for one in differences)
                print(f"  {name:16} {key:20} within 5%: {within}, equal: {differences.count(0)}, largest difference "
                      f"{max(differences):.1%}")


if __name__ == "__main__":
    main()
