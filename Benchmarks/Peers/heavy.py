"""Makes heavy photos: JPEGs of 12 megapixels with at least 2 bits per pixel, as phones write, and larger mosaics.

Painted photos have the statistics that a decoder's time depends on. Disks of all sizes that cover each other have the
edges and the spectrum of natural images; parts are out of focus; noise grows with the square root of the light.
"""

import itertools
import shutil

import numpy
from PIL import Image, ImageChops, ImageDraw, ImageFilter

COUNT, SIZE, QUALITY = 60, (4032, 3024), 95
# Scenes are larger than photos, which are random parts of them.
SCENES, MARGIN = 4, 432
# Bits per pixel.
LEAST, MOST = 2.0, 3.0
# Radii of the disks in pixels, with a density of r^-3, which makes a scene look alike at all scales.
RADII = 3, 1200
# Standard deviation of the noise at white, of 255, for luma and for each color.
NOISE, COLOR_NOISE = 6.0, 2.0


def bits_per_pixel(path):
    with Image.open(path) as image:
        return path.stat().st_size * 8 / (image.width * image.height)


def smooth_mask(rng, size, low, high):
    """Returns a mask with a few soft regions, from `low` to `high` of 255."""
    cells = Image.fromarray(rng.integers(low, high, (5, 6), numpy.uint8))
    return cells.resize(size, Image.Resampling.BICUBIC)


def scene(rng):
    """Paints disks over each other until they cover the image, then light, a lens and its focus."""
    width, height = size = SIZE[0] + MARGIN, SIZE[1] + MARGIN
    image = Image.new("RGB", size)
    pen = ImageDraw.Draw(image)
    smallest, largest = (radius**-2.0 for radius in RADII)
    count = int(width * height * 3 / (2 * numpy.pi * numpy.log(RADII[1] / RADII[0]) * RADII[0] ** 2))
    radii = (smallest - rng.random(count) * (smallest - largest)) ** -0.5
    centers = rng.random((count, 2)) * size
    lumas = 255 * rng.beta(1.6, 2.0, (count, 1))
    colors = numpy.clip(lumas + (0.05 + 0.1 * lumas) * rng.standard_normal((count, 3)), 0, 255).astype(int)
    for (x, y), radius, color in zip(centers.tolist(), radii.tolist(), map(tuple, colors.tolist())):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)
    blurred = image.filter(ImageFilter.GaussianBlur(9))
    image = image.filter(ImageFilter.GaussianBlur(1))
    image.paste(blurred, mask=smooth_mask(rng, size, 0, 255).point(lambda value: 255 * (value > 140)))
    return Image.composite(image, Image.new("RGB", size), smooth_mask(rng, size, 130, 255))


def noise(rng):
    """Returns noise with the correlation that interpolating a sensor's colors leaves, of the size of a scene."""
    height, width = SIZE[1] + MARGIN, SIZE[0] + MARGIN
    luma = rng.standard_normal((height, width, 1), numpy.float32) * numpy.float32(NOISE)
    color = rng.standard_normal((height, width, 3), numpy.float32) * numpy.float32(COLOR_NOISE)
    for axis in (0, 1):
        color = (color + numpy.roll(color, 1, axis)) * numpy.float32(2**-0.5)
    return luma + color


def exposed(image, grain, strength):
    """Adds noise to an image in proportion to the square root of the light."""
    pixels = numpy.asarray(image)
    gain = (strength * numpy.sqrt(0.05 + numpy.arange(256) / 255)).astype(numpy.float32)
    return Image.fromarray(numpy.clip(pixels + gain[pixels] * grain, 0, 255).astype(numpy.uint8))


def paint(directory, cut, options):
    """Writes parts of the scenes. `cut(scene, size, rng)` returns a part, `options(number)` the options of a JPEG."""
    rng = numpy.random.default_rng(27)
    grain = noise(rng)
    for first in range(SCENES):
        source, strength = scene(rng), 1.0
        for number in range(first, COUNT, SCENES):
            part = cut(source, SIZE, rng)
            x, y = (int(rng.integers(0, MARGIN + 1)) for _ in range(2))
            path = directory / f"{number:02}-heavy.jpg"
            for _ in range(12):
                made = exposed(part, grain[y : y + SIZE[1], x : x + SIZE[0]], strength)
                made.save(path, quality=QUALITY, **options(number))
                found = bits_per_pixel(path)
                if LEAST * 1.05 <= found <= MOST * 0.95:
                    break
                strength *= 1.15 if found < LEAST * 1.05 else 0.85
            else:
                raise SystemExit(f"{path.name}: no noise makes it {LEAST} to {MOST} bits per pixel")


def given(photos):
    """Returns the photos that are heavy: of at least 12 megapixels in one scan, and with enough bits per pixel."""
    found = []
    for path in photos:
        with Image.open(path) as image:
            is_single_scan = image.format == "JPEG" and image.mode == "RGB" and not image.info.get("progressive")
            if is_single_scan and image.width * image.height >= SIZE[0] * SIZE[1] and bits_per_pixel(path) >= LEAST:
                found.append(path)
    return found


def repeat(photos, directory):
    for number, path in zip(range(COUNT), itertools.cycle(photos)):
        shutil.copyfile(path, directory / f"{number:02}-{path.name}")


def mosaics(phone, directory):
    """Mirrors a photo of 12 megapixels into one of 48, and cuts one of 24 from its middle: the sizes of phones. Both
    have the lowest quality with at least 2 bits per pixel."""
    width, height = phone.size
    whole = Image.new("RGB", (2 * width, 2 * height))
    across = phone.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    for left, part in ((0, phone), (width, across)):
        whole.paste(part, (left, 0))
        whole.paste(part.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (left, height))
    # Off the blocks of the photo: its coefficients, quantized twice at the same places, would not look like a camera's.
    whole = ImageChops.offset(whole, 4)
    x, y = (whole.width - 5712) // 2, (whole.height - 4284) // 2
    save_heavy(whole.crop((x, y, x + 5712, y + 4284)), directory / "24mp-5712x4284.jpg")
    save_heavy(whole, directory / "48mp-8064x6048.jpg")


def save_heavy(image, path):
    low, high = 50, 98
    while low < high:
        quality = (low + high) // 2
        image.save(path, quality=quality)
        low, high = (low, quality) if bits_per_pixel(path) >= LEAST else (quality + 1, high)
    image.save(path, quality=low)
    if bits_per_pixel(path) < LEAST:
        raise SystemExit(f"{path.name}: no quality makes it {LEAST} bits per pixel")
