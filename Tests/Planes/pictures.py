"""Pictures coded by x265, libaom and libwebp, and their samples as ffmpeg's own decoders and libaom decode them."""

import json
import math
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

CHROMA_FACTORS = {"420": (2, 2), "422": (2, 1), "444": (1, 1), "gray": (1, 1)}
MATRIX_NAMES = {1: "bt709", 2: "unknown", 5: "bt470bg", 6: "smpte170m", 9: "bt2020nc"}


@dataclass
class Picture:
    """A coded picture. `planes` are lists of rows."""

    codec: str
    chroma: str
    depth: int
    width: int
    height: int
    signal: tuple  # the matrix and the range that the data states, or None
    configuration: bytes  # the box hvcC or av1C
    data: bytes
    planes: list


def plane_sizes(chroma, width, height):
    across, down = CHROMA_FACTORS[chroma]
    sizes = [(width, height)]
    return sizes if chroma == "gray" else sizes + 2 * [(-(-width // across), -(-height // down))]


def run(*command, data=b""):
    return subprocess.run(command, input=data, check=True, stdout=subprocess.PIPE).stdout


def ffmpeg(*arguments, data=b""):
    return run("ffmpeg", "-v", "error", "-y", *map(str, arguments), data=data)


def pixel_format(chroma, depth):
    return ("gray" if chroma == "gray" else f"yuv{chroma}p") + (f"{depth}le" if depth > 8 else "")


def pack(planes, depth):
    samples = [sample for plane in planes for row in plane for sample in row]
    return bytes(samples) if depth == 8 else struct.pack(f"<{len(samples)}H", *samples)


def unpack(raw, sizes, depth):
    samples = raw if depth == 8 else struct.unpack(f"<{len(raw) // 2}H", raw)
    assert len(samples) == sum(w * h for w, h in sizes), "ffmpeg gives planes of other sizes"
    planes, start = [], 0
    for width, height in sizes:
        planes.append([list(samples[start + y * width : start + (y + 1) * width]) for y in range(height)])
        start += width * height
    return planes


def painted_planes(chroma, depth, width, height, seed):
    """Waves that reach beyond both ends of the range."""
    top = (1 << depth) - 1
    planes = []
    for index, (w, h) in enumerate(plane_sizes(chroma, width, height)):
        a, b = 0.05 + 0.013 * ((seed + 3 * index) % 7), 0.04 + 0.017 * ((seed + 5 * index) % 5)
        phase = seed + 2 * index
        scale_x, scale_y = width / w, height / h

        def wave(x, y):
            value = 0.5 + 0.65 * math.sin(a * x * scale_x + phase) * math.cos(b * y * scale_y + 0.4 * phase)
            return min(max(round(value * top), 0), top)

        planes.append([[wave(x, y) for x in range(w)] for y in range(h)])
    return planes


def content_of_box(file, kind):
    place = file.index(kind) - 4
    return file[place : place + struct.unpack(">I", file[place : place + 4])[0]]


def encode(codec, chroma, depth, signal=None, size=(64, 48), seed=1, quantizer=10):
    """Codes a painted picture."""
    raw = pack(painted_planes(chroma, depth, *size, seed), depth)
    return encode_raw(codec, chroma, depth, raw, signal, size, quantizer)


def encode_raw(codec, chroma, depth, raw, signal, size, quantizer):
    """Codes a picture of samples. ffmpeg writes the box with its configuration; a bitstream filter states the
    colors."""
    width, height = size
    matrix, is_full_range = signal or (2, False)
    primaries = {1: 1, 9: 9}.get(matrix, 2)
    if codec == "hevc":
        coder = ["-c:v", "libx265", "-x265-params", f"log-level=none:info=0:qp={quantizer}:keyint=1", "-tag:v", "hvc1"]
        statement = f"hevc_metadata=colour_primaries={primaries}:transfer_characteristics=13"
        statement += f":matrix_coefficients={matrix}:video_full_range_flag={int(is_full_range)}"
    else:
        coder = ["-c:v", "libaom-av1", "-cpu-used", "8", "-crf", str(quantizer), "-b:v", "0"]
        statement = f"av1_metadata=color_primaries={primaries}:transfer_characteristics=13"
        statement += f":matrix_coefficients={matrix}:color_range={'pc' if is_full_range else 'tv'}"
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "picture.mp4"
        source = ["-f", "rawvideo", "-pix_fmt", pixel_format(chroma, depth), "-s", f"{width}x{height}", "-i", "-"]
        filters = ["-bsf:v", statement] if signal else []
        ffmpeg(*source, "-frames:v", "1", *coder, *filters, "-f", "mp4", path, data=raw)
        check_statement(path, signal)
        decoded = ffmpeg("-c:v", "hevc" if codec == "hevc" else "libaom-av1", "-i", path, "-f", "rawvideo", "-")
        file = path.read_bytes()
    return Picture(
        codec, chroma, depth, width, height, signal, content_of_box(file, b"hvcC" if codec == "hevc" else b"av1C"),
        content_of_box(file, b"mdat")[8:], unpack(decoded, plane_sizes(chroma, width, height), depth),
    )


def check_statement(path, signal):
    """Checks that the data states the colors."""
    probe = ["ffprobe", "-v", "error", "-show_entries", "stream=color_space,color_range", "-of", "json", str(path)]
    stream = json.loads(run(*probe))["streams"][0]
    expected = {"color_space": MATRIX_NAMES[signal[0]], "color_range": "pc" if signal[1] else "tv"} if signal else {}
    for key, value in expected.items():
        assert stream.get(key, "unknown") == value, f"the data states {stream}, not {expected}"
    assert signal or stream.get("color_space", "unknown") == "unknown", f"the data states {stream}"


def lossy_webp(width, height, seed):
    """A lossy WebP, and its samples."""
    raw = pack(painted_planes("420", 8, width, height, seed), 8)
    source = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{width}x{height}", "-i", "-"]
    file = ffmpeg(*source, "-c:v", "libwebp", "-quality", "90", "-f", "webp", "-", data=raw)
    decoded = ffmpeg("-f", "webp_pipe", "-i", "-", "-f", "rawvideo", "-", data=file)
    return file, unpack(decoded, plane_sizes("420", width, height), 8)


def lossless_webp(width, height, seed):
    """A lossless WebP, and its planes of red, green and blue."""
    planes = painted_planes("444", 8, width, height, seed)
    pixels = bytes(planes[c][y][x] for y in range(height) for x in range(width) for c in range(3))
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-i", "-"]
    file = ffmpeg(*source, "-c:v", "libwebp", "-lossless", "1", "-f", "webp", "-", data=pixels)
    raw = ffmpeg("-f", "webp_pipe", "-i", "-", "-pix_fmt", "rgb24", "-f", "rawvideo", "-", data=file)
    assert raw == pixels, "the WebP is not lossless"
    return file, planes
