"""The recordings that are probed, and how many durations of them somebody got right."""

import itertools
import os
import pathlib
import re
import shutil
import subprocess

from contestants import ROOT

TOLERANCE = 0.010
# How ffmpeg writes each form; the seed of its noise is the length.
FORMS = {
    "wav": ["-c:a", "pcm_s16le"], "flac": ["-c:a", "flac"], "m4a": ["-c:a", "aac", "-b:a", "64k"],
    "mp3": ["-c:a", "libmp3lame", "-q:a", "4"], "ogg": ["-c:a", "libvorbis", "-q:a", "2"],
    "opus": ["-c:a", "libopus", "-b:a", "32k"], "webm": ["-c:a", "libopus", "-b:a", "32k"],
}  # fmt: skip
LENGTHS = [7, 45, 180]


def sample_truth():
    """What Samples/SOURCES.md says of the sound in each recording, in seconds."""
    text = (ROOT / "Samples/SOURCES.md").read_text()
    rows = re.findall(r"^\| `recordings/([^`]+)` \|[^|]*\| ([0-9.]+) s,", text, re.MULTILINE)
    return {name: float(seconds) for name, seconds in rows}


def notes(directory, count):
    """So many copies of the samples: notes of two seconds. The truth of each."""
    directory.mkdir(parents=True)
    truth = {}
    samples = sorted(sample_truth().items())
    for number, (name, seconds) in zip(range(count), itertools.cycle(samples)):
        shutil.copyfile(ROOT / "Samples/recordings" / name, directory / f"{number:04}-{name}")
        truth[f"{number:04}-{name}"] = seconds
    return truth


def varied(directory, count):
    """So many names for recordings of up to three minutes that ffmpeg writes from noise of so many samples."""
    sources = directory.with_name(directory.name + "-sources")
    sources.mkdir(parents=True)
    directory.mkdir()
    made = {}
    for seconds, (kind, options) in itertools.product(LENGTHS, FORMS.items()):
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


def right(saved, truth):
    """How many of the durations in a worker's result are true."""
    lines = [line.split("\t") for line in pathlib.Path(saved).read_text().splitlines()]
    return sum(bool(seconds) and abs(float(seconds) - truth[name]) <= TOLERANCE for name, seconds in lines)
