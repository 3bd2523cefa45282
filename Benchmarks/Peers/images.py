"""Measures preparing one image from bytes to bytes: time, memory and fidelity of each contestant."""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

import machine
from contestants import CORES, HERE, has_sharp, ours, peaks, peer, sharp, summary, take_turns

# Has the tables of the peers' outputs, so that fidelity compares only what comes before the encoder.
WITH_LIBJPEG = "MediaPrep, libjpeg-turbo's encoder"
ONE_THREAD = {"VIPS_CONCURRENCY": "1"}
ALL_CORES = {"VIPS_CONCURRENCY": str(CORES)}


@dataclasses.dataclass
class ImageTask:
    """Fits an image into a square of `side` pixels, as a 4:2:0 JPEG of `quality` with no metadata but the profile."""

    key: str
    title: str
    input: str
    side: int
    quality: int
    text: str
    # The least work that the task needs; empty if it is not measured.
    floor: str
    # Whether sharp lets libjpeg decode fewer pixels. It does not if less than a pixel would be left to spare.
    sharp_reduces: bool = False
    # The peers whose `thumbnail` does. It leaves at least twice the size; of a square, as Pillow calculates it.
    thumbnail_reduces: tuple[str, ...] = ()
    # Whether sharp itself takes part.
    is_sharps: bool = False
    # The peers that read the format.
    peers: tuple[str, ...] = ("vips", "pillow", "opencv")


TASKS = [
    ImageTask("sharp-jpeg", "sharp's JPEG task", "2725x2225.jpg", 720, 80,
            "2725x2225 JPEG to 720x588, quality 80: the sizes and the quality of sharp's own benchmark.",
            "entropy decode alone",
            sharp_reduces=True, is_sharps=True),
    ImageTask("sharp-png", "sharp's PNG task", "2048x1536-rgba.png", 720, 80,
            "2048x1536 RGBA PNG, a drawing on transparent ground, to 720x540. sharp's own task writes a PNG again; "
            "here all write a JPEG of quality 80, flattened on white.", "inflate alone", is_sharps=True),
    ImageTask("pillow-perf", "pillow-perf's cycle", "2560x1600-pillow-perf.jpg", 1024, 85,
            "2560x1600 JPEG, turned by 270 degrees, to 0.4 of its size, quality 85. The file's Exif orientation (6) "
            "asks "
            "for that rotation, and all apply it. `Pillow, full size` rotates before it resizes, as the cycle does.",
            "entropy decode alone"),
    ImageTask("phone-1600", "12 megapixels to 1600", "12mp-4032x3024.jpg", 1600, 80,
            "4032x3024 JPEG of 4.5 MB to 1600x1200, quality 80.", "entropy decode alone"),
    ImageTask("phone-1024", "12 megapixels to 1024", "12mp-4032x3024.jpg", 1024, 80,
            "The same to 1024x768.", "entropy decode alone", sharp_reduces=True),
    ImageTask("large-png", "A large photographic PNG", "4032x3024-rgb.png", 1600, 80,
            "The same image as an RGB PNG (Pillow's default compression), to 1600x1200, JPEG of quality 80.",
            "inflate alone"),
    ImageTask("24mp-1600", "24 megapixels to 1600", "24mp-5712x4284.jpg", 1600, 80,
            "5712x4284 JPEG with 2 bits per pixel to 1600x1200, quality 80.", "entropy decode alone",
            sharp_reduces=True),
    ImageTask("48mp-1600", "48 megapixels to 1600", "48mp-8064x6048.jpg", 1600, 80,
            "8064x6048 JPEG with 2 bits per pixel to 1600x1200, quality 80. `thumbnail` of libvips lets libjpeg "
            "halve it.", "entropy decode alone", sharp_reduces=True, thumbnail_reduces=("vips",)),
    ImageTask("48mp-1024", "48 megapixels to 1024", "48mp-8064x6048.jpg", 1024, 80,
            "The same to 1024x768. `thumbnail` of Pillow halves it, too.",
            "entropy decode alone", sharp_reduces=True, thumbnail_reduces=("vips", "pillow")),
    ImageTask("webp-1600", "A lossy WebP of 12 megapixels", "4032x3024.webp", 1600, 80,
            "4032x3024 lossy WebP (quality 80) to 1600x1200, JPEG of quality 80. `thumbnail` of libvips lets libwebp "
            "scale while it decodes.", "", thumbnail_reduces=("vips",)),
    ImageTask("heic-1600", "A HEIC of 12 megapixels", "4032x3024.heic", 1600, 80,
            "4032x3024 HEIC of tiles of 512x512 pixels, as phones write it, to 1600x1200, JPEG of quality 80. Pillow "
            "reads it by pillow-heif. The libvips of pyvips-binary has no decoder of HEVC, and OpenCV reads no HEIC; "
            "for vipsthumbnail of the system see the commands.", "", peers=("pillow",)),
]  # fmt: skip


def contestants(task, inputs, environment, threads):
    path = inputs / task.input
    wanted = f"max-dimension={task.side}", f"quality={task.quality}"
    entries = [
        ours("prepare", path, *wanted),
        ours("prepare", path, *wanted, "encoder=libjpeg", name=WITH_LIBJPEG, kind="variant"),
        peer("libvips, thumbnail", "vips-thumbnail", path, *wanted, environment=environment,
             is_reduced="vips" in task.thumbnail_reduces),
        peer("libvips, full size", "vips-full", path, *wanted, environment=environment),
        peer("Pillow, thumbnail", "pillow-thumbnail", path, *wanted,
             is_reduced="pillow" in task.thumbnail_reduces),
        peer("Pillow, full size", "pillow-full", path, *wanted),
        peer("OpenCV, area", "opencv", path, *wanted, f"threads={threads}"),
    ]  # fmt: skip
    if task.input.endswith(".jpg"):
        entries.insert(6, peer("Pillow, draft", "pillow-draft", path, *wanted, is_reduced=True))
    if task.sharp_reduces:
        entries.insert(4, peer("libvips, as sharp calls it", "vips-sharp", path, *wanted, environment=environment,
                               is_reduced=True))  # fmt: skip
    entries = [entry for entry in entries if entry.kind != "peer" or entry.family in task.peers]
    if task.is_sharps and has_sharp():
        entries += [
            sharp("sharp, default", path, *wanted, f"threads={threads}", reduces=True, is_reduced=task.sharp_reduces),
            *([sharp("sharp, full size", path, *wanted, f"threads={threads}", reduces=False, is_reduced=False)]
              if task.sharp_reduces else []),
        ]  # fmt: skip
    return entries


def fidelity_of(source, entries, outputs):
    """Returns the fidelity of every output. A separate process computes it, so that this one stays small."""
    names = [f"{entry.name}={outputs / str(number)}" for number, entry in enumerate(entries) if entry.kind != "floor"]
    run = subprocess.run([sys.executable, HERE / "fidelity.py", source, *names], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"fidelity: {run.stderr.strip()}")
    return json.loads(run.stdout)


def measure(task, inputs, rounds):
    """Measures all contestants and the floor on one thread; then memory, fidelity, and all cores."""
    entries = contestants(task, inputs, ONE_THREAD, threads=1)
    floors = [ours("floor", inputs / task.input, name=f"floor: {task.floor}", kind="floor")] if task.floor else []
    with tempfile.TemporaryDirectory() as directory:
        outputs = pathlib.Path(directory)
        rows = summary([*entries, *floors], take_turns([*entries, *floors], rounds, keep=outputs))
        fidelity = fidelity_of(inputs / task.input, entries, outputs)
    for row, entry in zip(rows, [*entries, *floors]):
        row["peak_bytes"], row["idle_bytes"] = peaks(entry)
        row.update(fidelity.get(row["name"], {}))
    return {
        "title": task.title, "text": task.text, "input_bytes": (inputs / task.input).stat().st_size, "rows": rows,
        "all_cores": on_all_cores(task, inputs, max(3, rounds // 2)),
    }  # fmt: skip


def on_all_cores(task, inputs, rounds):
    """Measures the wall time of one image with all cores. Contestants that use one thread are included to compare."""
    entries = contestants(task, inputs, ALL_CORES, threads=CORES)
    entries = [entry for entry in entries if entry.family != "pillow"]
    return summary(entries, take_turns(entries, rounds))


def measure_kernels(rounds):
    """Compares our own resampling kernels: the best for this machine, and others that it supports."""
    wanted = "4032x3024", "max-dimension=1600"
    others = {"portable kernels": "portable"}
    if {"avx512f", "avx512bw"} <= set(machine.processor()[1]):
        others["AVX2 kernels"] = "avx2"
    entries = [ours("resize", *wanted, name="best kernels")]
    for name, key in others.items():
        entries.append(ours("resize", *wanted, name=name, kind="peer", environment={"PREP_SIMD": key}))
    return {
        "title": "The resampler alone", "text": "4032x3024, 4:2:0, to 1600x1200, from planes to planes in memory.",
        "rows": summary(entries, take_turns(entries, rounds)),
    }  # fmt: skip
