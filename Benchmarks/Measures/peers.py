"""Measures of sharpness by other libraries, and the two prototypes that ours must beat. Higher is sharper."""

import functools

import cv2
import numpy as np

SIDE = 16


def laplacian(luma):
    """OpenCV: the variance of the Laplacian."""
    return cv2.Laplacian(luma, cv2.CV_64F).var()


def blur_effect(luma):
    """scikit-image: the difference between neighbors that a strong blur takes away (Crete et al. 2007)."""
    from skimage.measure import blur_effect as measure

    return -measure(luma)


@functools.cache
def brisque_model():
    from brisque import BRISQUE

    return BRISQUE(url=False)


def brisque(luma):
    """BRISQUE: a regression on statistics of normalized luminance (Mittal et al. 2012)."""
    return -brisque_model().score(cv2.cvtColor(luma, cv2.COLOR_GRAY2BGR))


def gaussian(values, sigma):
    return cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REFLECT_101)


def places(values):
    """Returns the mean of each whole place of 16x16 pixels."""
    rows, columns = (side // SIDE for side in values.shape)
    return values[: rows * SIDE, : columns * SIDE].reshape(rows, SIDE, columns, SIDE).mean(axis=(1, 3))


def prototype_ratio(luma):
    """RMS of G0-G1 over that of G2-G4, in the tenth of the places that is richest in the latter."""
    plane = luma.astype(np.float32)
    fine = places((plane - gaussian(plane, 1)) ** 2).ravel()
    coarse = places((gaussian(plane, 2) - gaussian(plane, 4)) ** 2).ravel()
    richest = coarse >= np.quantile(coarse, 0.9)
    return float(np.sqrt(fine[richest].mean() / max(coarse[richest].mean(), 1e-9)))


def prototype_slope(luma):
    """The slope of fine on coarse energy from the flattest 30% to the richest tenth, the least of four directions."""
    plane = luma.astype(np.float32)
    bands = [gaussian(plane, a) - gaussian(plane, b) for a, b in ((0.5, 1), (1.5, 3))]
    slopes = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        moved = [band - np.roll(band, (down, right), axis=(0, 1)) for band in bands]
        fine, coarse = (places(band**2).ravel() for band in moved)
        rich, flat = coarse >= np.quantile(coarse, 0.9), coarse <= np.quantile(coarse, 0.3)
        rise = fine[rich].mean() - fine[flat].mean()
        slopes.append(rise / max(coarse[rich].mean() - coarse[flat].mean(), 1e-9))
    return float(min(slopes))


PROTOTYPES = {"prototype 1": prototype_ratio, "prototype 2": prototype_slope}
PEERS = {"OpenCV": laplacian, "scikit-image": blur_effect, "BRISQUE": brisque}
