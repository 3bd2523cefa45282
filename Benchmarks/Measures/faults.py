"""Makes the faults that the measures must detect, on an upright 8-bit plane or BGR image of at most 1024 pixels.

`python faults.py IMAGE DIR` writes one PNG for each fault, to look at.
"""

import sys

import cv2
import numpy as np

import planes

BORDER = cv2.BORDER_REFLECT_101


def clipped(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def filtered(image, kernel):
    return clipped(cv2.filter2D(image.astype(np.float32), cv2.CV_32F, kernel, borderType=BORDER))


def disc(radius):
    """Returns a disc of `radius` pixels. The weight of a pixel is the share of its area inside the disc."""
    parts = 16
    reach = int(np.ceil(radius + 0.5))
    centers = (np.arange((2 * reach + 1) * parts) + 0.5) / parts - reach - 0.5
    inside = (centers[:, None] ** 2 + centers[None, :] ** 2 <= radius * radius).astype(np.float64)
    side = 2 * reach + 1
    kernel = inside.reshape(side, parts, side, parts).sum(axis=(1, 3))
    return (kernel / kernel.sum()).astype(np.float32)


def defocus(image, radius):
    """Blurs by a disc, as a lens out of focus does."""
    return filtered(image, disc(radius))


def segment(length, degrees):
    """Returns a line of `length` pixels through the center, antialiased."""
    reach = int(np.ceil(length / 2 + 1))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    steps = int(length * 16)
    offsets = ((np.arange(steps) + 0.5) / steps - 0.5) * length
    angle = np.deg2rad(degrees)
    for x, y in zip(reach + offsets * np.cos(angle), reach - offsets * np.sin(angle)):
        left, top = int(x), int(y)
        right, lower = x - left, y - top
        kernel[top, left] += (1 - right) * (1 - lower)
        kernel[top, left + 1] += right * (1 - lower)
        kernel[top + 1, left] += (1 - right) * lower
        kernel[top + 1, left + 1] += right * lower
    return (kernel / kernel.sum()).astype(np.float32)


def motion(image, length, degrees):
    """Blurs along a line, as a moving camera does."""
    return filtered(image, segment(length, degrees))


def exposure(image, stops):
    """Multiplies linear light by 2^stops and clips it. The transfer function is that of sRGB."""
    values = np.arange(256) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    exposed = np.minimum(linear * 2.0**stops, 1)
    encoded = np.where(exposed <= 0.0031308, exposed * 12.92, 1.055 * exposed ** (1 / 2.4) - 0.055)
    return clipped(encoded * 255)[image]


def noise(image, sigma, seed=20):
    """Adds Gaussian noise to luma: the same value to each channel of a pixel."""
    values = np.random.default_rng(seed).normal(0, sigma, image.shape[:2])
    return clipped(image + (values if image.ndim == 2 else values[..., None]))


def jpeg(image, quality):
    """Saves as JPEG with libjpeg's tables (and halved chroma) and decodes again."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE if image.ndim == 2 else cv2.IMREAD_COLOR)


def enlarged(image, factor):
    """Reduces by `factor`, then enlarges to the former size by a cubic."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (max(1, width // factor), max(1, height // factor)), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def reduced_by(image, factor):
    """Reduces by `factor`: an image that is too small."""
    height, width = image.shape[:2]
    return cv2.resize(image, (max(1, width // factor), max(1, height // factor)), interpolation=cv2.INTER_AREA)


def glare(image, share, blobs=3, seed=20):
    """Adds white discs with soft edges, which cover `share` of the middle half of the image's width and height."""
    height, width = image.shape[:2]
    random = np.random.default_rng(seed)
    radius = np.sqrt(share * width * height / 4 / blobs / np.pi)
    y, x = np.mgrid[:height, :width]
    light = np.zeros((height, width))
    for _ in range(blobs):
        center = random.uniform(0.3, 0.7, 2) * (width, height)
        light = np.maximum(light, np.clip((radius + 2 - np.hypot(x - center[0], y - center[1])) / 4, 0, 1))
    light = light if image.ndim == 2 else light[..., None]
    return clipped(image * (1 - light) + 255 * light)


def surrounded(image, margin=0.15):
    """Adds a black surround of `margin` of each side."""
    height, width = image.shape[:2]
    rows, columns = int(height * margin), int(width * margin)
    return cv2.copyMakeBorder(image, rows, rows, columns, columns, cv2.BORDER_CONSTANT, value=(0, 0, 0))


# The strengths that the evaluation uses.
FAULTS = (
    {f"defocus {r}": (defocus, r) for r in (1.5, 2, 3, 4, 6)}
    | {f"motion {n} at {a}": (motion, n, a) for n in (5, 9, 11, 15, 25) for a in (0, 45, 90, 135)}
    | {f"exposure {s:+}": (exposure, s) for s in (-3, -2, -1, 1, 2, 3)}
    | {f"noise {s}": (noise, s) for s in (2, 4, 6, 12)}
    | {f"quality {q}": (jpeg, q) for q in (10, 20, 40, 60)}
    | {"enlarged 2": (enlarged, 2), "enlarged 4": (enlarged, 4), "half size": (reduced_by, 2)}
    | {"surrounded": (surrounded,)}
    | {f"glare {s}": (glare, s) for s in (0.05, 0.2)}
)


def apply(name, image):
    """Applies a fault of `FAULTS`, or those of a name like `defocus 2 + noise 6 + quality 60` in turn."""
    for part in name.split(" + "):
        if part != "none":
            function, *arguments = FAULTS[part]
            image = function(image, *arguments)
    return image


def main():
    source, folder = sys.argv[1:]
    image = planes.load(source)
    for name in FAULTS:
        cv2.imwrite(f"{folder}/{name.replace(' ', '-')}.png", apply(name, image))


if __name__ == "__main__":
    main()
