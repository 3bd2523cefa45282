"""Makes HEIC, AVIF and WebP files of every sampling, range, matrix, depth and rotation, each with a JSON file of what
it must decode to: the stored samples, and the upright planes in JPEG's encoding in floating point.

    python3 Tests/Planes/make-files.py DIR        (needs ffmpeg with x265, libaom and libwebp)

The samples are those of ffmpeg's decoders of HEVC and VP8, and of libaom.
"""

import json
import sys
from pathlib import Path

import heif
from pictures import CHROMA_FACTORS, encode, lossless_webp, lossy_webp, plane_sizes

LUMA_WEIGHTS = {1: (0.2126, 0.0722), 2: (0.299, 0.114), 5: (0.299, 0.114), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}

# What the coded data states: matrix and whether the range is full. None: it states nothing.
SIGNALS = [None, (1, False), (6, True), (9, True), (1, True), (9, False), (5, False), (2, True)]
# The container's rotation, in quarter turns counterclockwise, and the axis of its mirroring.
TURNS = [(0, None), (1, None), (2, None), (3, None), (0, 0), (0, 1), (1, 0), (3, 1)]


def effective_encoding(signal, container):
    """The container's range counts, and its matrix unless it is unspecified; without it, those of the data."""
    matrix, is_full_range = signal or (2, False)
    if container:
        matrix, is_full_range = (matrix if container[0] == 2 else container[0]), container[1]
    return matrix, is_full_range


def crop(planes, chroma, x, y, width, height):
    across, down = CHROMA_FACTORS[chroma]
    cropped = []
    for index, plane in enumerate(planes):
        a, d = (1, 1) if index == 0 else (across, down)
        rows = plane[y // d : y // d + -(-height // d)]
        cropped.append([row[x // a : x // a + -(-width // a)] for row in rows])
    return cropped


def blend(planes, chroma, depth, alpha, alpha_depth, encoding):
    """The planes over white, each sample with the mean opacity of its pixels."""
    white = [(1 << depth) - 1 if encoding[1] else 235 << depth - 8] + 2 * [1 << depth - 1]
    across, down = CHROMA_FACTORS[chroma]
    result = []
    for index, plane in enumerate(planes):
        a, d = (1, 1) if index == 0 else (across, down)
        rows = []
        for y, row in enumerate(plane):
            cells = [[r[x * a : x * a + a] for r in alpha[y * d : y * d + d]] for x in range(len(row))]
            flat = [[value for part in cell for value in part] for cell in cells]
            opacity = [sum(values) / len(values) / ((1 << alpha_depth) - 1) for values in flat]
            rows.append([s * o + white[index] * (1 - o) for s, o in zip(row, opacity)])
        result.append(rows)
    return result


def to_jpeg(planes, chroma, depth, encoding):
    """Y, Cb and Cr of BT.601 with full range, by the equations of H.273. Luma uses the chroma of its place."""
    matrix, is_full_range = encoding
    scale, top = 1 << depth - 8, (1 << depth) - 1

    def luma(value):
        return value * 255 / top if is_full_range else (value / scale - 16) * 255 / 219

    def color(value):
        return (value - (1 << depth - 1)) * 255 / top if is_full_range else (value / scale - 128) * 255 / 224

    gray = [[luma(value) for value in row] for row in planes[0]]
    if len(planes) == 1:
        return clamp([gray])
    cb, cr = ([[color(value) for value in row] for row in plane] for plane in planes[1:])
    red, blue = LUMA_WEIGHTS[matrix]

    def converted(y, b, r):
        r, b = y + 2 * (1 - red) * r, y + 2 * (1 - blue) * b
        g = (y - red * r - blue * b) / (1 - red - blue)
        y = 0.299 * r + 0.587 * g + 0.114 * b
        return y, (b - y) / (2 * (1 - 0.114)) + 128, (r - y) / (2 * (1 - 0.299)) + 128

    across, down = CHROMA_FACTORS[chroma]
    result = [
        [
            [converted(value, cb[y // down][x // across], cr[y // down][x // across])[0] for x, value in enumerate(row)]
            for y, row in enumerate(gray)
        ]
    ]
    for part in (1, 2):
        result.append([[converted(0, b, r)[part] for b, r in zip(*rows)] for rows in zip(cb, cr)])
    return clamp(result)


def clamp(planes):
    return [[[min(max(value, 0), 255) for value in row] for row in plane] for plane in planes]


def turn(plane, quarter_turns, axis):
    for _ in range(quarter_turns):
        plane = [list(column) for column in zip(*plane)][::-1]
    if axis == 0:
        plane = plane[::-1]
    elif axis == 1:
        plane = [row[::-1] for row in plane]
    return plane


class Files:
    """Writes files with their expectations."""

    def __init__(self, directory):
        self.directory, self.count = Path(directory), 0

    def write(self, name, file, stored, expected):
        self.count += 1
        (self.directory / name).write_bytes(file)
        description = {"name": name, "expected": [[[round(v, 4) for v in r] for r in p] for p in expected]}
        if stored is not None:
            description["stored"] = stored
        (self.directory / f"{name}.json").write_text(json.dumps(description))

    def write_heif(self, name, picture, container=None, turns=(0, None), aperture=None, alpha=None, grid=None):
        """`alpha` is a picture of the opacity. `grid` has columns, rows, width and height; all tiles are `picture`."""
        kind = "hvc1" if picture.codec == "hevc" else "av01"
        size = heif.size_property(picture.width, picture.height)
        planes, width, height = picture.planes, picture.width, picture.height
        items, references = [heif.Item(kind, picture.data, [size, picture.configuration])], []
        if grid:
            columns, rows, width, height = grid
            whole = [[row * columns for row in plane] * rows for plane in planes]
            planes = crop(whole, picture.chroma, 0, 0, width, height)
            tiles = [heif.Item(kind, picture.data, [size, picture.configuration]) for _ in range(columns * rows)]
            shape = heif.size_property(width, height)
            items = [heif.Item("grid", heif.grid_description(*grid), [shape])] + tiles
            references.append(("dimg", 1, list(range(2, len(items) + 1))))
        shown = items[0].properties
        if container:
            primaries = container[0] if container[0] in (1, 9) else 2
            shown.append(heif.color_property(primaries, *container))
        if aperture:
            shown.append(heif.aperture_property(*aperture, width, height))
            planes = crop(planes, picture.chroma, *aperture)
        if turns[0]:
            shown.append(heif.rotation_property(turns[0]))
        if turns[1] is not None:
            shown.append(heif.mirroring_property(turns[1]))
        encoding = effective_encoding(picture.signal, container)
        stored = planes
        if alpha:
            items.append(heif.Item(kind, alpha.data, [size, alpha.configuration, heif.alpha_property()]))
            references.append(("auxl", len(items), [1]))
            planes = blend(planes, picture.chroma, picture.depth, alpha.planes[0], alpha.depth, encoding)
            stored = None
        expected = [turn(plane, *turns) for plane in to_jpeg(planes, picture.chroma, picture.depth, encoding)]
        brand = "heic" if picture.codec == "hevc" else "avif"
        self.write(f"{name}.{brand}", heif.heif_file(items, references, brand), stored, expected)


def describe(colors):
    return "none" if colors is None else f"{colors[0]}{'full' if colors[1] else 'limited'}"


def write_all_combinations(files):
    """Each codec, sampling and depth, with colors stated by the data, by the container and by both."""
    index = 0
    for codec in ("hevc", "av1"):
        for depth, samplings in ((8, CHROMA_FACTORS), (10, CHROMA_FACTORS), (12, ["420"])):
            for chroma in samplings:
                signal = SIGNALS[index % len(SIGNALS)]
                picture = encode(codec, chroma, depth, signal, seed=index)
                for turn_index, container in enumerate([None, SIGNALS[1 + (index + 2) % 6], (2, index % 2 == 0)]):
                    name = f"{chroma}-{depth}-data-{describe(signal)}-container-{describe(container)}"
                    files.write_heif(name, picture, container, TURNS[(3 * index + turn_index) % len(TURNS)])
                index += 1


def write_special_cases(files):
    """Grids, crops, odd sizes, opacity, and WebP."""
    hevc, av1 = encode("hevc", "420", 8, (1, False), seed=31), encode("av1", "444", 10, (9, True), seed=32)
    files.write_heif("grid-420-8", hevc, grid=(2, 2, 120, 90), turns=(1, None))
    files.write_heif("grid-444-10", av1, grid=(3, 2, 191, 95), turns=(2, None))
    files.write_heif("crop-420-8", hevc, aperture=(10, 6, 40, 30), turns=(3, None))
    files.write_heif("crop-444-10", av1, aperture=(7, 5, 33, 29), turns=(0, 1))
    for chroma, depth in (("420", 8), ("420", 10), ("422", 10)):
        odd = encode("av1", chroma, depth, (1, False), size=(61, 45), seed=33 + depth)
        files.write_heif(f"odd-{chroma}-{depth}", odd)
    for codec, chroma, depth, signal in (
        ("hevc", "420", 8, (6, False)), ("hevc", "444", 10, (1, True)), ("av1", "420", 8, (9, False)),
        ("av1", "444", 10, (9, True)), ("av1", "gray", 8, (6, False)),
    ):
        picture = encode(codec, chroma, depth, signal, seed=40)
        opacity = encode(codec, "gray", depth, (2, True), seed=41)
        files.write_heif(f"opacity-{chroma}-{depth}", picture, alpha=opacity)
    for width, height in ((64, 48), (61, 45), (17, 33)):
        file, planes = lossy_webp(width, height, 50)
        files.write(f"lossy-{width}.webp", file, planes, to_jpeg(planes, "420", 8, (6, False)))
    file, colors = lossless_webp(61, 45, 51)
    luma = [[0.299 * r + 0.587 * g + 0.114 * b for r, g, b in zip(*rows)] for rows in zip(*colors)]
    cb = [[(b - y) / 1.772 + 128 for y, b in zip(*rows)] for rows in zip(luma, colors[2])]
    cr = [[(r - y) / 1.402 + 128 for y, r in zip(*rows)] for rows in zip(luma, colors[0])]
    files.write("lossless.webp", file, None, clamp([luma, cb, cr]))


def main():
    files = Files(sys.argv[1])
    write_all_combinations(files)
    write_special_cases(files)
    print(f"{files.count} files")


if __name__ == "__main__":
    main()
