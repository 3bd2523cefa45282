"""Measures the bytes of encoders at equal visual quality: MediaPrep, libjpeg-turbo, mozjpeg and jpegli.

All encode the same pixels at several qualities, in one scan with 4:2:0 chroma. SSIMULACRA2 and the 3-norm of
butteraugli compare the decoded pixels with the encoded ones. The bytes at the scores that libjpeg-turbo has at
qualities 60, 80 and 90 are interpolated.
"""

import concurrent.futures
import dataclasses
import importlib
import importlib.metadata
import io
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from contestants import CORES, PREP
from PIL import Image, ImageOps

SIDES = 1024, 1600
LEVELS = 60, 80, 90
QUALITIES = 50, 60, 70, 80, 86, 90, 94
BASELINE, OURS = "libjpeg-turbo", "MediaPrep"
MEASURES = {"ssimulacra2": "SSIMULACRA2", "butteraugli": "butteraugli"}


def pillow(pixels, quality):
    output = io.BytesIO()
    Image.fromarray(pixels).save(output, "JPEG", quality=quality, subsampling="4:2:0")
    return output.getvalue()


def mozjpeg(pixels, quality):
    return importlib.import_module("imagecodecs").mozjpeg_encode(
        pixels, quality, subsampling="420", progressive=False, optimize=True)


def jpegli(pixels, quality):
    """Writes one scan with 4:2:0 chroma and adaptive quantization: the defaults of jpegli's interface."""
    height, width = pixels.shape[:2]
    return importlib.import_module("pyjpegli").encode(numpy.ascontiguousarray(pixels), width, height, quality)


ENCODERS = {BASELINE: pillow, "mozjpeg": mozjpeg, "jpegli": jpegli}
# The modules that encode. imagecodecs for Linux is built without mozjpeg.
MODULES = {BASELINE: "PIL", "mozjpeg": "imagecodecs._mozjpeg", "jpegli": "pyjpegli"}


@dataclasses.dataclass
class Point:
    """A file: its bits per pixel, and its scores, which are higher for a better image."""

    quality: int
    bits: float
    ssimulacra2: float
    butteraugli: float


def is_installed(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def can_score():
    return is_installed("ssimulacra2") and shutil.which("butteraugli_main") is not None


def missing():
    """Returns a sentence for each program that is not installed."""
    found = [
        f"{name} is not compared: the Python module {module} is missing." for name, module in MODULES.items()
        if not is_installed(module)]  # fmt: skip
    if not can_score():
        found.append("Nothing is compared: the Python package ssimulacra2 or butteraugli_main is missing.")
    return found


def sources(inputs, side, count):
    """Returns the color images that are reduced to `side` pixels, without repetitions."""
    found = {}
    for path in sorted((inputs / "batch-plain").iterdir()):
        with Image.open(path) as image:
            if image.mode == "RGB" and max(image.size) >= 1.25 * side:
                found.setdefault(path.read_bytes(), path)
    paths = list(found.values())
    return [paths[number * len(paths) // count] for number in range(min(count, len(paths)))]


def references(inputs, side, count, directory):
    """Writes the pixels that are encoded as PNGs. Returns their paths."""
    directory.mkdir()
    paths = []
    for number, path in enumerate(sources(inputs, side, count)):
        image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        image.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=None)
        image.info.clear()
        paths.append(directory / f"{number:02}.png")
        image.save(paths[-1])
    return paths


def prepared(directory, scratch, side):
    """Returns the files of `prep` by quality and name."""
    files = {}
    for quality in QUALITIES:
        output = scratch / f"prep-{side}-{quality}"
        subprocess.run(
            [PREP, directory, "--output", output, "--quality", str(quality), "--max-dimension", str(side), "--chroma",
             "420"], check=True, capture_output=True)  # fmt: skip
        files[quality] = {path.name.split(".")[0]: path.read_bytes() for path in output.glob("*.jpg")}
    return files


def scores(reference, data):
    """Returns SSIMULACRA2, and the negative 3-norm of butteraugli."""
    from ssimulacra2 import compute_ssimulacra2

    with tempfile.TemporaryDirectory() as directory:
        decoded = Path(directory) / "decoded.png"
        Image.open(io.BytesIO(data)).save(decoded, compress_level=1)
        run = subprocess.run(
            ["butteraugli_main", reference, decoded, "--pnorm", "3"], check=True, capture_output=True, text=True)
        return compute_ssimulacra2(str(reference), str(decoded)), -float(run.stdout.split("3-norm:")[1].split()[0])


def points(reference, name, ours):
    """Returns the points of one encoder for one image."""
    with Image.open(reference) as image:
        pixels, area = numpy.asarray(image), image.width * image.height
    found = []
    for quality in QUALITIES:
        data = ours[quality][reference.stem] if name == OURS else ENCODERS[name](pixels, quality)
        found.append(Point(quality, len(data) * 8 / area, *scores(reference, data)))
    return found


def bits_at(points, measure, score):
    """Returns the logarithm of the bits at a score, by a parabola through the three nearest points, or `None` if no
    point has a lower score or none a higher one."""
    pairs = sorted((getattr(point, measure), math.log(point.bits)) for point in points)
    if not pairs[0][0] <= score <= pairs[-1][0]:
        return None
    nearest = sorted(pairs, key=lambda pair: abs(pair[0] - score))[:3]
    return float(numpy.polyfit([pair[0] - score for pair in nearest], [pair[1] for pair in nearest], 2)[-1])


def compare(curves, level, measure):
    """Returns for each encoder the mean and the largest ratio of its bytes to libjpeg-turbo's at `level`, and the
    number of images. `curves` has a list of points for each encoder and image."""
    rows = {}
    for name, images in curves.items():
        ratios = []
        for points, baseline in zip(images, curves[BASELINE]):
            wanted = next(point for point in baseline if point.quality == level)
            if (bits := bits_at(points, measure, getattr(wanted, measure))) is not None:
                ratios.append(math.exp(bits) / wanted.bits)
        if ratios:
            rows[name] = {"mean": statistics.mean(ratios), "worst": max(ratios), "images": len(ratios)}
    return rows


def measure_side(inputs, scratch, side, count):
    paths = references(inputs, side, count, scratch / f"references-{side}")
    ours = prepared(scratch / f"references-{side}", scratch, side)
    names = [OURS, *(name for name in ENCODERS if is_installed(MODULES[name]))]
    with concurrent.futures.ProcessPoolExecutor(CORES) as pool:
        jobs = {name: [pool.submit(points, path, name, ours) for path in paths] for name in names}
        curves = {name: [job.result() for job in taken] for name, taken in jobs.items()}
    return {
        "images": len(paths),
        "levels": {level: {measure: compare(curves, level, measure) for measure in MEASURES} for level in LEVELS},
        "curves": {
            name: [{key: statistics.mean(getattr(one[number], key) for one in images) for key in ("bits", *MEASURES)}
                   for number in range(len(QUALITIES))]
            for name, images in curves.items()},
    }  # fmt: skip


def programs():
    """Returns the installed packages and their versions."""
    found = []
    for package in ("Pillow", "imagecodecs", "pyjpegli", "ssimulacra2"):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return ", ".join(found)


def main(inputs, scratch, count):
    """Prints the results for each side, and why programs are missing."""
    results = {
        "baseline": BASELINE, "qualities": QUALITIES, "measures": MEASURES, "programs": programs(),
        "missing": missing(), "sides": {},
    }  # fmt: skip
    if can_score():
        scratch = Path(scratch)
        scratch.mkdir()
        results["sides"] = {side: measure_side(Path(inputs), scratch, side, int(count)) for side in SIDES}
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
