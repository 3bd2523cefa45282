"""Measures images with faults by `prep inspect --measures`."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import cv2

import faults
import planes


def write_all(folder, images, fault):
    """Writes each image with a fault as PNG."""
    for name, image in images.items():
        cv2.imwrite(f"{folder}/{name}.png", faults.apply(fault, image), [cv2.IMWRITE_PNG_COMPRESSION, 1])


def measure(prep, images, fault, options=()):
    """Returns the manifest line of each image with a fault, by the image's name."""
    with tempfile.TemporaryDirectory() as folder:
        write_all(folder, images, fault)
        files = sorted(pathlib.Path(folder).iterdir())
        command = [prep, "inspect", "--measures", "--json", *options, *files]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {pathlib.Path(line["input"]).stem: line for line in map(json.loads, lines)}


def measure_all(prep, folder, names, options=()):
    """Returns the lines of all images of a folder for each fault."""
    images = {path.stem: planes.load(path) for path in planes.paths(folder)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {name: pool.submit(measure, prep, images, name, options) for name in names}
        return {name: job.result() for name, job in jobs.items()}


def values(lines, measure_name):
    return [line["image"]["measures"][measure_name] for _, line in sorted(lines.items())]
