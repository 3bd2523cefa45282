"""Makes MediaPrep's HEIC and AVIF samples: painted throats and ear drums, encoded by heif-enc. Beside each is the
painting at a quarter of the size, as a PNG.

    python Samples/make-heif.py        (needs numpy, Pillow, and heif-enc of Debian's libheif-examples)

The committed files were made with libheif 1.15.1, x265 3.5 and AOM 3.6.0; other versions give other bytes.
"""

import importlib.util
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
SPECIFICATION = importlib.util.spec_from_file_location("samples", HERE / "make-samples.py")
samples = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(samples)

# Name, scene, seed, and the options of heif-enc.
FILES = [
    ("throat.heic", samples.throat, 21, ["-q", "60"]),
    ("throat-444.heic", samples.throat, 22, ["-q", "60", "-p", "chroma=444"]),
    ("ear.avif", samples.ear, 23, ["-A", "-q", "60"]),
    ("ear-gray.avif", samples.ear, 24, ["-A", "-q", "60"]),
]


def main():
    (HERE / "heif").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        for name, scene, seed, options in FILES:
            image = Image.fromarray((samples.paint(scene, 256, 192, seed) * 255 + 0.5).astype("uint8"))
            if "gray" in name:
                image = image.convert("L")
            image.resize((64, 48), Image.LANCZOS).save((HERE / "heif" / name).with_suffix(".png"), optimize=True)
            source = Path(directory) / "source.png"
            image.save(source)
            subprocess.run(["heif-enc", *options, source, "-o", HERE / "heif" / name], check=True)
            print(f"{(HERE / 'heif' / name).stat().st_size:>9}  {name}")


if __name__ == "__main__":
    main()
