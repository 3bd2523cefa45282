"""Compares outputs with references computed from the source: `fidelity.py SOURCE NAME=OUTPUT...` prints JSON.

The first output may have other quantization tables than the rest, which share theirs.

The references are float64 Lanczos reductions of all pixels of the source: one of the stored values (gamma light, in
which all contestants compute), one of linear light. Outputs with a different size, sampling or quantization, or with
metadata other than the profile, are an error, because they cannot be compared.
"""

import json
import sys

import numpy
import pillow_heif
from PIL import Image, ImageOps, JpegImagePlugin

pillow_heif.register_heif_opener()

LUMA = numpy.array([0.299, 0.587, 0.114])
# Rows that are converted to float64 at once, which keeps a 12-megapixel source below 400 MiB.
STRIP = 32


def read(path):
    """Returns upright 8-bit RGB pixels. Transparency is flattened on white and rounded, as by all contestants."""
    image = ImageOps.exif_transpose(Image.open(path))
    if image.mode == "RGBA":
        pixels = numpy.asarray(image)
        flat = numpy.empty((*pixels.shape[:2], 3), numpy.uint8)
        for start in range(0, len(pixels), STRIP):
            strip = pixels[start : start + STRIP].astype(float)
            alpha = strip[..., 3:] / 255
            flat[start : start + STRIP] = numpy.rint(strip[..., :3] * alpha + 255 * (1 - alpha))
        return flat
    return numpy.asarray(image.convert("RGB"))


def lanczos(count, wanted):
    """Yields the first input sample of each of `wanted` output samples, and the weights of its input samples."""
    step = count / wanted
    reach = 3 * max(step, 1)
    for number in range(wanted):
        center = (number + 0.5) * step
        first, last = max(0, int(numpy.floor(center - reach))), min(count, int(numpy.ceil(center + reach)))
        x = (numpy.arange(first, last) + 0.5 - center) / max(step, 1)
        weights = numpy.where(numpy.abs(x) < 3, numpy.sinc(x) * numpy.sinc(x / 3), 0)
        yield first, weights / weights.sum()


def reduced(pixels, width, height, curve):
    """Returns the image at another size, computed from the values of `curve` for 0 to 255."""
    across = list(lanczos(pixels.shape[1], width))
    result = numpy.empty((height, width, 3))
    down = list(lanczos(pixels.shape[0], height))
    for start in range(0, height, STRIP):
        part = down[start : start + STRIP]
        top, bottom = part[0][0], part[-1][0] + len(part[-1][1])
        source = curve[pixels[top:bottom]]
        rows = numpy.stack([numpy.tensordot(w, source[first - top : first - top + len(w)], 1) for first, w in part])
        made = result[start : start + len(part)]
        for column, (first, weights) in enumerate(across):
            made[:, column] = numpy.tensordot(rows[:, first : first + len(weights)], weights, (1, 0))
    return result


def linear(code):
    """Converts stored sRGB values from 0 to 1 to linear light from 0 to 1."""
    return numpy.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def stored(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def references(pixels, width, height):
    code = numpy.arange(256.0)
    return {
        "gamma": numpy.clip(reduced(pixels, width, height, code), 0, 255),
        "linear": 255 * stored(reduced(pixels, width, height, linear(code / 255))),
    }


def psnr(a, b):
    return 10 * numpy.log10(255**2 / numpy.mean((a - b) ** 2))


def smooth(plane):
    """Returns Gaussian means of 11 by 11 samples, sigma 1.5, where all samples exist."""
    window = numpy.exp(-((numpy.arange(11) - 5.0) ** 2) / (2 * 1.5**2))
    window /= window.sum()
    for axis in (0, 1):
        length = plane.shape[axis] - 10
        plane = sum(w * plane.take(range(k, k + length), axis) for k, w in enumerate(window))
    return plane


def ssim(a, b):
    """Returns the mean structural similarity of two planes with values from 0 to 255."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = smooth(a), smooth(b)
    variances = smooth(a * a) - mean_a**2 + smooth(b * b) - mean_b**2
    covariance = smooth(a * b) - mean_a * mean_b
    similarity = (2 * mean_a * mean_b + c1) * (2 * covariance + c2)
    return numpy.mean(similarity / ((mean_a**2 + mean_b**2 + c1) * (variances + c2)))


def form(path, has_own_tables):
    """Returns the properties that all outputs must share, and the metadata that they must not have."""
    image = Image.open(path)
    extra = sorted(set(image.info) & {"exif", "comment", "xmp", "photoshop"})
    tables = None if has_own_tables else image.quantization
    return {"size": image.size, "sampling": JpegImagePlugin.get_sampling(image), "tables": tables, "extra": extra}


def main(source, *outputs):
    outputs = dict(output.split("=", 1) for output in outputs)
    first = next(iter(outputs))
    forms = {name: form(path, has_own_tables=name == first) for name, path in outputs.items()}
    *_, expected = forms.values()
    for name, found in forms.items():
        wanted = expected | {"tables": found["tables"]} if name == first else expected
        if found != wanted or found["sampling"] != 2 or found["extra"]:
            sys.exit(f"{name} has a different form: {found} (expected {wanted})")
    width, height = expected["size"]
    against = references(read(source), width, height)
    result = {}
    for name, path in outputs.items():
        pixels = read(path).astype(float)
        result[name] = {"width": width, "height": height}
        for light, reference in against.items():
            result[name][light] = {
                "psnr_y": psnr(pixels @ LUMA, reference @ LUMA), "psnr_rgb": psnr(pixels, reference),
                "ssim_y": ssim(pixels @ LUMA, reference @ LUMA),
            }  # fmt: skip
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
