"""Makes small media from the repository's samples, and reads the results of runs for comparison."""

import io
import json
import os
import pathlib
import subprocess
import wave

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Samples"


def photos(prep, work, size):
    """Returns the names and bytes of the sample photos at `size` pixels."""
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
    """Returns the relative paths of all files and empty directories below a directory."""
    found = set()
    for place, directories, names in os.walk(directory):
        relative = pathlib.Path(place).relative_to(directory)
        found |= {str(relative / name) for name in names}
        if not directories and not names:
            found.add(f"{relative}/")
    return found


def lines(manifest):
    """Returns the complete lines of a manifest, sorted by input, without elapsed times."""
    whole = manifest.read_bytes().split(b"\n")[:-1] if manifest.exists() else []
    entries = [json.loads(line) for line in whole]
    for entry in entries:
        del entry["elapsed_ms"]
    return sorted(entries, key=lambda entry: entry["input"])


def stamps(directory, names):
    """Returns the inode and the modification time of each file."""
    found = {}
    for name in names:
        stat = os.stat(os.path.join(directory, name))
        found[name] = (stat.st_ino, stat.st_mtime_ns)
    return found


def beep(number):
    """Returns a WAV file of a tenth of a second. Each number gives different samples."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"".join((i * (number + 7) % 9973).to_bytes(2, "little") for i in range(800)))
    return file.getvalue()
