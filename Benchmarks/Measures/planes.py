"""Loads images as the measures see them: upright, with a longer side of at most 1024, as 8-bit luma and chroma."""

import pathlib

import cv2
import numpy as np

LONGER_SIDE = 1024
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}


def paths(folder):
    """Returns the images of a folder, sorted by name."""
    return sorted(path for path in pathlib.Path(folder).iterdir() if path.suffix.lower() in SUFFIXES)


def load(path):
    """Returns the image as 8-bit BGR, upright and reduced. OpenCV applies the Exif orientation."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} cannot be decoded")
    return reduced(image)


def reduced(image, side=LONGER_SIDE):
    """Returns the image reduced by area averages. It is never enlarged."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    if scale >= 1:
        return image
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def ycc(image):
    """Returns Y', Cb and Cr of full range (BT.601), as JPEG stores them: three 8-bit planes."""
    blue, green, red = (image[..., i].astype(np.float64) for i in range(3))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    planes = luma, 128 + 0.564334 * (blue - luma), 128 + 0.713267 * (red - luma)
    return tuple(np.clip(np.rint(plane), 0, 255).astype(np.uint8) for plane in planes)


def luma(image):
    """Returns Y' of a BGR image, or the plane itself if it has one channel."""
    return image if image.ndim == 2 else ycc(image)[0]
