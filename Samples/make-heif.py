"""Makes MediaPrep's HEIC and AVIF samples: painted throats and ear drums, encoded by heif-enc. Beside each is the
painting at a quarter of the size, as a PNG. Files with the prefix `small-` have waves instead, and a kilobyte, for
tests that change each byte.

    python Samples/make-heif.py        (needs numpy, Pillow, ffmpeg, and heif-enc of Debian's libheif-examples)
    python Samples/make-heif.py small  only the small files; needs only ffmpeg

The committed files were made with libheif 1.15.1, x265 3.5 and AOM 3.6.0; other versions give other bytes.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Name, scene, seed, and the options of heif-enc.
FILES = [
    ("throat.heic", "throat", 21, ["-q", "60"]),
    ("throat-444.heic", "throat", 22, ["-q", "60", "-p", "chroma=444"]),
    ("ear.avif", "ear", 23, ["-A", "-q", "60"]),
    ("ear-gray.avif", "ear", 24, ["-A", "-q", "60"]),
]


def make_small():
    """A HEIC that is a rotated grid of two tiles, and two AVIFs of 10 bits: one with opacity, one with PQ."""
    sys.path.insert(0, str(HERE.parent / "Tests/Planes"))
    import heif
    import pictures

    tile = pictures.encode("hevc", "420", 8, (1, True), size=(32, 24), quantizer=34)
    item = heif.Item("hvc1", tile.data, [heif.size_property(32, 24), tile.configuration])
    shape = [heif.size_property(60, 24), heif.color_property(12, 6, True), heif.rotation_property(1)]
    grid = heif.Item("grid", heif.grid_description(2, 1, 60, 24), shape)
    file = heif.heif_file([grid, item, item], [("dimg", 1, [2, 3])], "heic")
    (HERE / "heif/small-grid.heic").write_bytes(file)

    color = pictures.encode("av1", "444", 10, (9, False), size=(40, 32), quantizer=50)
    alpha = pictures.encode("av1", "gray", 10, (2, True), size=(40, 32), seed=3, quantizer=50)
    size = heif.size_property(40, 32)
    items = [heif.Item("av01", color.data, [size, color.configuration])]
    items.append(heif.Item("av01", alpha.data, [size, alpha.configuration, heif.alpha_property()]))
    (HERE / "heif/small-opacity.avif").write_bytes(heif.heif_file(items, [("auxl", 2, [1])], "avif"))

    bright = pictures.encode("av1", "420", 10, (9, False), size=(40, 32), quantizer=50)
    shape = [size, heif.color_property(9, 9, False, transfer=16), heif.light_level_property(400, 100)]
    items = [heif.Item("av01", bright.data, shape + [bright.configuration])]
    (HERE / "heif/small-hdr.avif").write_bytes(heif.heif_file(items, brand="avif"))


def make_paintings():
    from PIL import Image

    specification = importlib.util.spec_from_file_location("samples", HERE / "make-samples.py")
    samples = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(samples)
    with tempfile.TemporaryDirectory() as directory:
        for name, scene, seed, options in FILES:
            pixels = samples.paint(getattr(samples, scene), 256, 192, seed) * 255 + 0.5
            image = Image.fromarray(pixels.astype("uint8"))
            if "gray" in name:
                image = image.convert("L")
            painting = (HERE / "heif" / name).with_suffix(".png")
            image.resize((64, 48), Image.LANCZOS).save(painting, optimize=True)
            source = Path(directory) / "source.png"
            image.save(source)
            subprocess.run(["heif-enc", *options, source, "-o", HERE / "heif" / name], check=True)


def main():
    (HERE / "heif").mkdir(exist_ok=True)
    make_small()
    if sys.argv[1:] != ["small"]:
        make_paintings()
    for path in sorted((HERE / "heif").iterdir()):
        print(f"{path.stat().st_size:>9}  {path.name}")


if __name__ == "__main__":
    main()
