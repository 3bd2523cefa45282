"""Writes HEIC as phones do: a grid of tiles of 512 by 512 pixels, each coded by x265 through ffmpeg."""

import pathlib
import sys

from PIL import Image

PLANES = pathlib.Path(__file__).resolve().parents[2] / "Tests/Planes"
TILE = 512
# About the bytes of an iPhone's photo of as many pixels.
QUANTIZER = 33


def tile_planes(image):
    """Returns the bytes of Y, Cb and Cr of a tile, 4:2:0 with full range."""
    luma, *chroma = image.convert("YCbCr").split()
    half = [plane.resize((TILE // 2, TILE // 2), Image.Resampling.BOX) for plane in chroma]
    return b"".join(plane.tobytes() for plane in (luma, *half))


def save_heic(image, path):
    """Writes an RGB image with the matrix of BT.601 and full range, which the data states, as an iPhone's does."""
    sys.path.insert(0, str(PLANES))
    import heif
    import pictures

    columns, rows = -(-image.width // TILE), -(-image.height // TILE)
    tiles = []
    for y in range(rows):
        for x in range(columns):
            part = image.crop((x * TILE, y * TILE, (x + 1) * TILE, (y + 1) * TILE))
            picture = pictures.encode_raw(
                "hevc", "420", 8, tile_planes(part), (6, True), (TILE, TILE), QUANTIZER)
            tiles.append(heif.Item("hvc1", picture.data, [heif.size_property(TILE, TILE), picture.configuration]))
    shape = heif.size_property(*image.size)
    grid = heif.Item("grid", heif.grid_description(columns, rows, *image.size), [shape])
    path.write_bytes(heif.heif_file([grid, *tiles], [("dimg", 1, list(range(2, len(tiles) + 2)))], "heic"))
