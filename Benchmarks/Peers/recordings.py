"""Makes the audio files that are probed, and counts correct durations."""

import itertools
import os
import pathlib
import re
import shutil
import subprocess

from contestants import ROOT

TOLERANCE = 0.010
# Options of ffmpeg for each format. The seed of the noise is the length.
FORMATS = {
    "wav": ["-c:a", "pcm_s16le"], "flac": ["-c:a", "flac"], "m4a": ["-c:a", "aac", "-b:a", "64k"],
    "mp3": ["-c:a", "libmp3lame", "-q:a", "4"], "ogg": ["-c:a", "libvorbis", "-q:a", "2"],
    "opus": ["-c:a", "libopus", "-b:a", "32k"], "webm": ["-c:a", "libopus", "-b:a", "32k"],
}  # fmt: skip
LENGTHS = [7, 45, 180]


def sample_truth():
    """Returns the true duration of each sample in seconds, from Samples/SOURCES.md."""
    text = (ROOT / "Samples/SOURCES.md").read_text()
    rows = re.findall(r"^\| `recordings/([^`]+)` \|[^|]*\| ([0-9.]+) s,", text, re.MULTILINE)
    return {name: float(seconds) for name, seconds in rows}


def make_short(directory, count):
    """Makes `count` copies of the samples, of two seconds each. Returns the true duration of each."""
    directory.mkdir(parents=True)
    truth = {}
    samples = sorted(sample_truth().items())
    for number, (name, seconds) in zip(range(count), itertools.cycle(samples)):
        shutil.copyfile(ROOT / "Samples/recordings" / name, directory / f"{number:04}-{name}")
        truth[f"{number:04}-{name}"] = seconds
    return truth


def make_varied(directory, count):
    """Makes `count` links to files of up to three minutes that ffmpeg encodes from noise. Returns the durations."""
    sources = directory.with_name(directory.name + "-sources")
    sources.mkdir(parents=True)
    directory.mkdir()
    made = {}
    for seconds, (kind, options) in itertools.product(LENGTHS, FORMATS.items()):
        path = sources / f"{seconds}s.{kind}"
        noise = f"anoisesrc=color=pink:sample_rate=44100:duration={seconds}:seed={seconds}:amplitude=0.3"
        ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", noise]
        subprocess.run([*ffmpeg, "-ac", "1", *options, path], check=True)
        made[path] = float(seconds)
    truth = {}
    for number, (path, seconds) in zip(range(count), itertools.cycle(made.items())):
        os.link(path, directory / f"{number:04}-{path.name}")
        truth[f"{number:04}-{path.name}"] = seconds
    return truth


def count_correct(saved, truth):
    """Returns how many durations in a worker's result are within `TOLERANCE` of the truth."""
    lines = [line.split("\t") for line in pathlib.Path(saved).read_text().splitlines()]
    return sum(bool(seconds) and abs(float(seconds) - truth[name]) <= TOLERANCE for name, seconds in lines)
