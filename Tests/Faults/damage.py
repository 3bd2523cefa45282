"""Prepares damaged HEIC, AVIF and WebP files in other processes, as a batch does: every prefix, and changed bytes.

Usage: damage.py PREP WORK CHANGED [FILE...]        CHANGED is the number of changed files

Without files, the small ones are damaged: those of Samples/heif, and a WebP made by ffmpeg. Each run must end with
status 0 or 1 and a line for each input; no input may take 10 seconds, and no process more memory than the limit.
SEED=N makes other changes than the default, 1. Files that reveal a fault are kept in WORK/kept, or in the directory
KEEP.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import media

BATCH = 500
# The most time of a run over a batch, in seconds.
TIME_LIMIT = 1200
MEMORY_LIMIT = 256 << 20
# What a run has besides the memory of its images: the program, its libraries and the list of its inputs.
OTHER_MEMORY = 64 << 20


def small_files(work):
    """Returns small files of each format."""
    webp = work / "small.webp"
    source = ["-f", "lavfi", "-i", "testsrc2=size=48x40", "-frames:v", "1"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-c:v", "libwebp", "-quality", "60", webp], check=True)
    return [*sorted(media.SAMPLES.glob("heif/small-*")), webp]


def changed(data, generator):
    """Returns the file with one to four changed bits or bytes, or with a part that is moved or left out."""
    data = bytearray(data)
    kind = generator.random()
    if kind < 0.85:
        for _ in range(generator.choice((1, 1, 1, 2, 4))):
            place = generator.randrange(len(data))
            data[place] ^= 1 << generator.randrange(8) if generator.random() < 0.5 else generator.randrange(1, 256)
    else:
        start, end = sorted(generator.sample(range(len(data)), 2))
        part = data[start:end] if kind < 0.93 else b""
        data[start:end] = b""
        place = generator.randrange(len(data) + 1)
        data[place:place] = part
    return bytes(data)


def prefixes(files):
    for path in files:
        data = path.read_bytes()
        for count in range(1, len(data)):
            yield f"{path.stem}-first-{count}{path.suffix}", data[:count]


def changes(files, count, seed):
    generator = random.Random(seed)
    contents = [(path, path.read_bytes()) for path in files]
    for number in range(count):
        path, data = contents[number % len(contents)]
        yield f"{path.stem}-changed-{number}{path.suffix}", changed(data, generator)


class Runs:
    def __init__(self, prep, work, kept):
        self.prep, self.work, self.kept = prep, work, kept
        self.verdicts, self.slowest, self.memory, self.faults = {}, 0, 0, []

    def run(self, named):
        """Prepares files in one process. Returns whether it ended well."""
        inputs, output = self.work / "damaged", self.work / "damaged-out"
        for directory in (inputs, output):
            shutil.rmtree(directory, ignore_errors=True)
        inputs.mkdir()
        for name, data in named:
            (inputs / name).write_bytes(data)
        end = self.prepare(inputs, output)
        manifest = output / "manifest.jsonl"
        # The last line of a run that was ended may be incomplete.
        lines = manifest.read_bytes().split(b"\n")[:-1] if manifest.exists() else []
        if end not in ("status 0", "status 1") or len(lines) != len(named):
            self.blame(named, f"{end} and {len(lines)} lines for {len(named)} files")
            return False
        for line in map(json.loads, lines):
            codes = [reason["code"] for reason in line.get("reasons", [])]
            key = " ".join([line["verdict"], *codes[:1]])
            self.verdicts[key] = self.verdicts.get(key, 0) + 1
            self.slowest = max(self.slowest, line["elapsed_ms"])
            if line["elapsed_ms"] > 10_000:
                name = pathlib.Path(line["input"]).name
                self.keep([(name, dict(named)[name])], f"{line['elapsed_ms']} ms")
        return True

    def prepare(self, inputs, output):
        """Runs prep, and returns how it ended."""
        command = [self.prep, inputs, "--output", output, "--jobs", "2", "--max-memory", str(MEMORY_LIMIT), "--quiet"]
        process = subprocess.Popen([*command, "--max-dimension", "64"], stderr=subprocess.DEVNULL)
        expired = threading.Event()

        def expire():
            expired.set()
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(TIME_LIMIT, expire)
        timer.daemon = True
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        self.memory = max(self.memory, usage.ru_maxrss << 10)
        return f"no end within {TIME_LIMIT} s" if expired.is_set() else f"status {os.waitstatus_to_exitcode(status)}"

    def blame(self, named, text):
        """Finds the files that make a run fail, by halves. If neither half fails, all of them are reported."""
        halves = [named[: len(named) // 2], named[len(named) // 2 :]]
        if len(named) == 1 or all([self.run(half) for half in halves]):
            self.keep(named, text)

    def keep(self, named, text):
        self.kept.mkdir(parents=True, exist_ok=True)
        for name, data in named:
            (self.kept / name).write_bytes(data)
        names = named[0][0] if len(named) == 1 else f"{named[0][0]} to {named[-1][0]}"
        self.faults.append(f"{names}: {text}; kept in {self.kept}")
        print(f"FAIL: {self.faults[-1]}", flush=True)


def main(prep, work, count, *paths):
    work = pathlib.Path(work)
    seed = int(os.environ.get("SEED") or 1)
    files = [pathlib.Path(path) for path in paths] or small_files(work)
    runs = Runs(prep, work, pathlib.Path(os.environ.get("KEEP") or work / "kept"))
    batch, start, total = [], time.monotonic(), 0
    sources = [prefixes(files), changes(files, int(count), seed)]
    for source in sources:
        for file in source:
            batch.append(file)
            total += 1
            if len(batch) == BATCH:
                runs.run(batch)
                batch = []
    if batch:
        runs.run(batch)
    print(f"{total} damaged files of {len(files)}, SEED={seed}, in {time.monotonic() - start:.0f} s")
    # A worker of prep is a process of its own, and the maximum is not their sum.
    print(f"slowest {runs.slowest:.0f} ms; largest process, prep or a worker, {runs.memory / 2**20:.0f} MiB")
    for verdict, found in sorted(runs.verdicts.items(), key=lambda pair: -pair[1]):
        print(f"{found:>8}  {verdict}")
    if runs.memory > MEMORY_LIMIT + OTHER_MEMORY:
        runs.faults.append("memory")
        print(f"FAIL: a process took more than {(MEMORY_LIMIT + OTHER_MEMORY) >> 20} MiB")
    sys.exit(1 if runs.faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
