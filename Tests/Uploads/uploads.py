"""Starts a backend and runs `prep upload`, and reads what both recorded."""

import collections
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Faults"))

import media  # noqa: E402  (shared with Tests/Faults)

TOKEN = "dev-token"


class Backend:
    """A `dev-backend` process and its database. The end of a `with` block stops it and removes the database."""

    def __init__(self, build, work, *options):
        self.database = work / "backend.sqlite"
        command = [build / "dev-backend", "--port", "0", "--database", self.database, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        for path in self.database.parent.glob(self.database.name + "*"):
            path.unlink()

    def query(self, sql):
        with sqlite3.connect(self.database) as database:
            return database.execute(sql).fetchall()

    def stored_digests(self):
        """Counts the stored files by digest."""
        return collections.Counter(digest for (digest,) in self.query("SELECT sha256 FROM file"))


def upload(build, inputs, backend, output, *options, environment=None):
    """Starts `prep upload` with its state in `output`, and returns the process."""
    command = [
        build / "prep",
        "upload",
        inputs,
        "--to",
        backend.url + "/upload",
        "--output",
        output,
        "--quiet",
        *options,
    ]
    return subprocess.Popen(command, env={**os.environ, "PREP_TOKEN": TOKEN, **(environment or {})})


def results(output):
    """Returns the lines of a run's manifest."""
    return [json.loads(line) for line in (output / "manifest.jsonl").read_bytes().split(b"\n")[:-1]]


def statuses(lines):
    return collections.Counter(line["upload"]["status"] for line in lines if "upload" in line)


def write_beeps(directory, count, large=0):
    """Writes different WAV files of a tenth of a second; the first `large` files end with 300 KB of silence."""
    directory.mkdir(parents=True)
    for number in range(count):
        data = bytearray(media.beep(number))
        if number < large:
            data += bytes(300_000)
            data[4:8] = (len(data) - 8).to_bytes(4, "little")
            data[40:44] = (len(data) - 44).to_bytes(4, "little")
        (directory / f"{number:05}.wav").write_bytes(data)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check(is_wrong, text):
    """Prints and counts a failure if `is_wrong`."""
    if is_wrong:
        print(f"FAIL: {text}")
        check.failures += 1


check.failures = 0


def end():
    sys.exit(1 if check.failures else 0)
