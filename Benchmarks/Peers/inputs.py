"""Makes the images that are prepared: `inputs.py DIR [PHOTOS]`.

Without PHOTOS, the code that paints the repository's samples paints them from seeded random numbers. They have the
sizes, qualities and bytes of the photos that sharp and pillow-perf measure, and of a phone's photo. Sensor noise is
added until a file has the right number of bytes, because a decoder's time depends on the bytes and pixels of its input.
With PHOTOS, its files of the same names are used, and all of its files form the batch. Heavy photos form a batch of
their own: those of PHOTOS, or painted ones if it has none.
"""

import importlib.util
import itertools
import pathlib
import shutil
import sys

import heavy
import numpy
import phone_formats
from PIL import Image, ImageDraw, ImageFilter, ImageOps

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 60
NAMES = ["2725x2225.jpg", "2048x1536-rgba.png", "2560x1600-pillow-perf.jpg", "12mp-4032x3024.jpg"]
ORIENTATION = 0x0112


def painter():
    """Returns the module that paints the samples. Its file name is not a valid module name."""
    path = HERE.parents[1] / "Samples/make-samples.py"
    spec = importlib.util.spec_from_file_location("make_samples", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def image_from(code):
    return Image.fromarray((numpy.clip(code, 0, 1) * 255 + 0.5).astype(numpy.uint8))


def exif(orientation):
    tags = Image.Exif()
    tags[ORIENTATION] = orientation
    return tags


def photograph(path, scene, seed, size, quality, byte_count, **options):
    """Writes a JPEG of `byte_count` bytes, within 2%. Returns the image that it was encoded from."""
    paint = painter()
    code = paint.paint(getattr(paint, scene), *size, seed, grain=0)
    noise = numpy.random.default_rng(seed).standard_normal(code.shape[:2], numpy.float32)[..., None]
    low, high = 0.0, 0.1
    for _ in range(16):
        strength = numpy.float32((low + high) / 2)
        image = image_from(code + strength * noise)
        image.save(path, "JPEG", quality=quality, **options)
        found = path.stat().st_size / byte_count
        if 0.98 <= found <= 1.02:
            return image
        low, high = (float(strength), high) if found < 1 else (low, float(strength))
    sys.exit(f"{path.name}: no noise makes it {byte_count} bytes long")


def drawing(path, width, height, seed):
    """Draws strokes, rings and a soft stain on a transparent background: about 1.7 bits per pixel, as in drawings."""
    rng = numpy.random.default_rng(seed)
    sheet = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(sheet)
    for number in range(14):
        x, y = rng.integers(width // 10, width * 8 // 10), rng.integers(height // 10, height * 8 // 10)
        points = [
            (int(x + 30 * k + rng.integers(-20, 20)), int(y + (-1) ** k * rng.integers(40, 150))) for k in range(9)]
        color = (*map(int, rng.integers(0, 255, 3)), int(rng.integers(90, 256)))
        pen.line(points, color, int(rng.integers(2, 16)), "curve")
        if number % 4 == 0:
            pen.ellipse([int(x), int(y), int(x) + 340, int(y) + 340], outline=color, width=9)
    pixels = numpy.array(sheet.filter(ImageFilter.GaussianBlur(1)))
    y, x = numpy.ogrid[0:height, 0:width]
    from_center = numpy.hypot((x - width * 0.58) / (width * 0.10), (y - height * 0.3) / (height * 0.12))
    stain = numpy.clip(1.2 - from_center, 0, 1)
    grain = rng.normal(0, 9, (height, width))
    covered = stain > 0
    pixels[covered, :3] = numpy.clip(70 + grain[covered, None] * (0.6, 0.3, 1), 0, 255).astype(numpy.uint8)
    pixels[covered, 3] = numpy.clip(255 * stain[covered] + grain[covered], 1, 255).astype(numpy.uint8)
    # Transparent pixels have no color, as in files of drawing programs.
    pixels[pixels[..., 3] == 0] = 0
    Image.fromarray(pixels).save(path)


def singles(directory):
    """Paints the four images. Returns the images that the batch is cut from."""
    photograph(directory / NAMES[0], "throat", 21, (2725, 2225), 90, 829_183)
    drawing(directory / NAMES[1], 2048, 1536, 22)
    photograph(directory / NAMES[2], "ear", 23, (2560, 1600), 88, 526_928, exif=exif(6))
    phone = photograph(directory / NAMES[3], "throat", 24, (4032, 3024), 90, 4_519_545, exif=exif(1))
    other = photograph(directory / "other.jpg", "ear", 25, (4032, 3024), 90, 3_400_000)
    (directory / "other.jpg").unlink()
    return [phone, other]


def cut(source, size, rng):
    """Returns a random part of an image, possibly mirrored, lighter or darker."""
    x, y = (int(rng.integers(0, whole - part + 1)) for whole, part in zip(source.size, size))
    part = source.crop((x, y, x + size[0], y + size[1]))
    if rng.integers(2):
        part = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    light = rng.uniform(0.75, 1.15)
    return part.point(lambda value: value * light)


SIZES = [(4032, 3024)] * 4 + [(3264, 2448)] * 4 + [(2592, 1944)] * 3 + [(2048, 1536)] * 2 + [(1600, 1200), (1200, 900)]


def painted_batch(sources, plain, mixed):
    """Writes photos of several sizes, qualities, samplings and orientations. One in ten is a PNG, and every second PNG
    has a soft edge. The mixed set is the same, except that every fourth JPEG is progressive."""
    rng = numpy.random.default_rng(26)
    for number in range(BATCH):
        is_png = number % 10 == 9
        image = cut(sources[number % len(sources)], (1920, 1440) if is_png else SIZES[number % len(SIZES)], rng)
        stem = f"{number:02}-{image.width}x{image.height}"
        if is_png:
            if number % 20 == 9:
                image.putalpha(ImageOps.invert(Image.radial_gradient("L")).resize(image.size))
            image.save(plain / f"{stem}.png")
            shutil.copy(plain / f"{stem}.png", mixed)
            continue
        options = {
            "quality": int(rng.integers(84, 94)), "subsampling": ["4:2:0", "4:2:0", "4:2:0", "4:2:2",
                "4:4:4"][number % 5],
            "exif": exif([1, 6, 1, 3, 8, 1, 6][number % 7]),
        }  # fmt: skip
        image.save(plain / f"{stem}.jpg", **options)
        image.save(mixed / f"{stem}.jpg", **options, progressive=number % 4 == 0)


def photo_batch(photos, plain, mixed):
    """Repeats the photos until there are enough. The plain set has no progressive photos. Neither set has CMYK: libvips
    converts it by its profile, which ours omits, so the work would differ."""
    photos = [path for path in photos if Image.open(path).mode != "CMYK"]
    single = [path for path in photos if not Image.open(path).info.get("progressive")]
    for files, directory in ((single, plain), (photos, mixed)):
        for number, path in zip(range(BATCH), itertools.cycle(files)):
            shutil.copyfile(path, directory / f"{number:02}-{path.name}")


def main(directory, photos=None):
    directory = pathlib.Path(directory)
    plain, mixed, dense = (directory / name for name in ("batch-plain", "batch-mixed", "batch-heavy"))
    for path in (plain, mixed, dense):
        path.mkdir(parents=True)
    if photos:
        for name in NAMES:
            shutil.copyfile(pathlib.Path(photos) / name, directory / name)
        paths = sorted(pathlib.Path(photos).iterdir())
        paths = [path for path in paths if path.suffix.lower() in (".jpg", ".jpeg", ".png")]
        photo_batch(paths, plain, mixed)
    else:
        paths = []
        painted_batch(singles(directory), plain, mixed)
    if given := heavy.given(paths):
        heavy.repeat(given, dense)
    else:
        heavy.paint(dense, cut, lambda number: {"exif": exif([1, 6, 1, 3, 8, 1, 6][number % 7])})
    phone = Image.open(directory / NAMES[3]).convert("RGB")
    phone.save(directory / "4032x3024-rgb.png")
    phone.save(directory / "4032x3024.webp", quality=80)
    phone_formats.save_heic(phone, directory / "4032x3024.heic")
    # Of the coefficients of the painted photo of 12 megapixels, 0.4% are above 15. In photos of phones, 7 to 10% are.
    heavy.mosaics(Image.open(directory / NAMES[3] if photos else min(dense.iterdir())), directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
