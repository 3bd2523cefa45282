"""Small media made of the repository's samples, and what two runs over them are compared by."""

import io
import json
import os
import pathlib
import subprocess
import wave

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Samples"


def photos(prep, work, size):
    """The sample photos at `size` pixels: names and bytes."""
    made = work / f"photos-{size}"
    command = [
        prep,
        SAMPLES / "photos",
        "--output",
        made,
        "--max-dimension",
        str(size),
        "--quality",
        "95",
        "--no-state",
    ]
    subprocess.run(command + ["--manifest", "/dev/null", "--quiet"], check=True)
    return sorted((path.name, path.read_bytes()) for path in made.iterdir())


def files(directory):
    """All files below a directory, relative to it; directories that hold nothing too."""
    found = set()
    for place, directories, names in os.walk(directory):
        relative = pathlib.Path(place).relative_to(directory)
        found |= {str(relative / name) for name in names}
        if not directories and not names:
            found.add(f"{relative}/")
    return found


def lines(manifest):
    """What a manifest says, in an order of its own and without the time that each input took: whole lines alone."""
    whole = manifest.read_bytes().split(b"\n")[:-1] if manifest.exists() else []
    entries = [json.loads(line) for line in whole]
    for entry in entries:
        del entry["elapsed_ms"]
    return sorted(entries, key=lambda entry: entry["input"])


def stamps(directory, names):
    """Which file each of these is, and when it was written."""
    found = {}
    for name in names:
        stat = os.stat(os.path.join(directory, name))
        found[name] = (stat.st_ino, stat.st_mtime_ns)
    return found


def beep(number):
    """A tenth of a second of sound; each number has its own."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"".join((i * (number + 7) % 9973).to_bytes(2, "little") for i in range(800)))
    return file.getvalue()
