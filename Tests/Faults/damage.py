"""Prepares damaged HEIC, AVIF and WebP files in other processes, as a batch does: every prefix, and changed bytes.

Usage: damage.py PREP WORK CHANGED [FILE...]        CHANGED is the number of changed files

Without files, the small ones are damaged: those of Samples/heif, and a WebP made by ffmpeg. Each run must end with
status 0 or 1 and a line for each input; no input may take 10 seconds, and the process no more memory than its limit.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import media

BATCH = 500
MEMORY_LIMIT = 256 << 20
# What a run has besides the memory of its images: the program, its libraries and the list of its inputs.
OTHER_MEMORY = 64 << 20


def small_files(work):
    """Returns small files of each format."""
    webp = work / "small.webp"
    source = ["-f", "lavfi", "-i", "testsrc2=size=48x40", "-frames:v", "1"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-c:v", "libwebp", "-quality", "60", webp], check=True)
    return [*sorted(media.SAMPLES.glob("heif/small-*")), webp]


def changed(data, chance):
    """Returns the file with one to four changed bits or bytes, or with a part that is moved or left out."""
    data = bytearray(data)
    kind = chance.random()
    if kind < 0.85:
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            place = chance.randrange(len(data))
            data[place] ^= 1 << chance.randrange(8) if chance.random() < 0.5 else chance.randrange(1, 256)
    else:
        start, end = sorted(chance.sample(range(len(data)), 2))
        part = data[start:end] if kind < 0.93 else b""
        data[start:end] = b""
        place = chance.randrange(len(data) + 1)
        data[place:place] = part
    return bytes(data)


def prefixes(files):
    for path in files:
        data = path.read_bytes()
        for count in range(1, len(data)):
            yield f"{path.stem}-first-{count}{path.suffix}", data[:count]


def changes(files, count, seed):
    chance = random.Random(seed)
    contents = [(path, path.read_bytes()) for path in files]
    for number in range(count):
        path, data = contents[number % len(contents)]
        yield f"{path.stem}-changed-{number}{path.suffix}", changed(data, chance)


class Runs:
    def __init__(self, prep, work):
        self.prep, self.work = prep, work
        self.verdicts, self.slowest, self.memory, self.faults = {}, 0, 0, []

    def run(self, named):
        """Prepares files in one process."""
        inputs, output = self.work / "damaged", self.work / "damaged-out"
        for directory in (inputs, output):
            shutil.rmtree(directory, ignore_errors=True)
        inputs.mkdir()
        for name, data in named:
            (inputs / name).write_bytes(data)
        command = [self.prep, inputs, "--output", output, "--jobs", "2", "--max-memory", str(MEMORY_LIMIT), "--quiet"]
        process = subprocess.Popen([*command, "--max-dimension", "64"], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.memory = max(self.memory, usage.ru_maxrss << 10)
        code = os.waitstatus_to_exitcode(status)
        manifest = output / "manifest.jsonl"
        lines = [json.loads(line) for line in manifest.read_bytes().splitlines()] if manifest.exists() else []
        if code not in (0, 1) or len(lines) != len(named):
            self.blame(named, code)
        for line in lines:
            codes = [reason["code"] for reason in line.get("reasons", [])]
            key = " ".join([line["verdict"], *codes[:1]])
            self.verdicts[key] = self.verdicts.get(key, 0) + 1
            self.slowest = max(self.slowest, line["elapsed_ms"])
            if line["elapsed_ms"] > 10_000:
                self.keep(line["input"], f"took {line['elapsed_ms']} ms")

    def blame(self, named, code):
        """Finds the files that ended the process, by halves."""
        if len(named) > 1:
            self.run(named[: len(named) // 2])
            self.run(named[len(named) // 2 :])
        else:
            self.keep(self.work / "damaged" / named[0][0], f"ended the process with {code}")

    def keep(self, path, text):
        path = pathlib.Path(path)
        kept = pathlib.Path(os.environ.get("KEEP", ".")) / path.name
        shutil.copy(path, kept)
        self.faults.append(f"{path.name} {text}; it is kept as {kept}")
        print(f"FAIL: {self.faults[-1]}", flush=True)


def main(prep, work, count, *paths):
    work = pathlib.Path(work)
    seed = int(os.environ.get("SEED") or random.randrange(10**6))
    files = [pathlib.Path(path) for path in paths] or small_files(work)
    runs, batch, start, total = Runs(prep, work), [], time.monotonic(), 0
    everything = [prefixes(files), changes(files, int(count), seed)]
    for source in everything:
        for one in source:
            batch.append(one)
            total += 1
            if len(batch) == BATCH:
                runs.run(batch)
                batch = []
    if batch:
        runs.run(batch)
    print(f"{total} damaged files of {len(files)}, SEED={seed}, in {time.monotonic() - start:.0f} s")
    print(f"slowest {runs.slowest:.0f} ms; largest process {runs.memory / 2**20:.0f} MiB")
    for verdict, found in sorted(runs.verdicts.items(), key=lambda pair: -pair[1]):
        print(f"{found:>8}  {verdict}")
    if runs.memory > MEMORY_LIMIT + OTHER_MEMORY:
        runs.faults.append("memory")
        print(f"FAIL: the process took more than {(MEMORY_LIMIT + OTHER_MEMORY) >> 20} MiB")
    sys.exit(1 if runs.faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
