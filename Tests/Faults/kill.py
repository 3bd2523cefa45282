"""Kills runs at random times, resumes each until it completes, and compares it with an uninterrupted run.

Usage: kill.py PREP WORK ROUNDS
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import media

RUN_FILES = {"manifest.jsonl", ".prep/ledger.sqlite"}


class Batch:
    """320 inputs and the results of an uninterrupted run."""

    def __init__(self, prep, work):
        self.prep, self.work = prep, work
        self.inputs = work / "in"
        self.make_inputs()
        self.before = {name: (self.inputs / name).read_bytes() for name in media.files(self.inputs)}
        whole = work / "whole"
        start = time.monotonic()
        self.status = self.start(whole).wait()
        self.seconds = time.monotonic() - start
        self.lines = media.lines(whole / "manifest.jsonl")
        self.outputs = {name: (whole / name).read_bytes() for name in media.files(whole) - RUN_FILES}
        assert len(self.lines) == 320 and self.status == 1, "the uninterrupted run itself is wrong"
        print(f"320 inputs, {len(self.outputs)} outputs, {self.seconds:.2f} s uninterrupted")

    def make_inputs(self):
        """Makes 240 photos of 20 sizes, 64 audio files, and 16 files that are damaged or not media; all different."""
        damaged = sorted((media.SAMPLES / "damaged").iterdir())
        recordings = sorted((media.SAMPLES / "recordings").iterdir())
        made = [pair for size in range(640, 1240, 30) for pair in media.photos(self.prep, self.work, size)]
        made += [(recordings[i % 8].name, recordings[i % 8].read_bytes()) for i in range(64)]
        made += [(damaged[i % 4].name, damaged[i % 4].read_bytes()) for i in range(16)]
        for number, (name, data) in enumerate(made):
            directory = self.inputs / f"visit {number % 13}"
            directory.mkdir(parents=True, exist_ok=True)
            (directory / f"{number:03} {name}").write_bytes(data + b"%d" % number)

    def start(self, output):
        command = [self.prep, self.inputs, "--output", output, "--max-dimension", "500", "--quiet"]
        return subprocess.Popen(command)

    def run_and_kill(self, output, chance):
        """Starts a run and kills it at a random time, or when a random number of outputs exists.

        Returns whether the run was still active.
        """
        delay, count = chance.uniform(0, self.seconds), chance.randrange(len(self.outputs))
        by_count = chance.random() < 0.5
        run = self.start(output)
        end = time.monotonic() + delay
        while run.poll() is None:
            if sum(1 for _ in output.glob("visit */*")) > count if by_count else time.monotonic() > end:
                break
            time.sleep(0.0005)
        run.kill()
        return run.wait() < 0

    def faults_of_killed(self, output):
        """Yields the faults of a killed run: incomplete outputs."""
        names = {name for name in media.files(output) if not name.endswith("/") and not name.startswith(".prep/")}
        for name in names - RUN_FILES:
            if (output / name).read_bytes() != self.outputs.get(name):
                yield f"{name} has wrong content"

    def faults_of_resumed(self, output, status, kept):
        """Yields the faults of a run that was resumed until it completed."""
        if status != self.status:
            yield f"status {status} (expected {self.status})"
        for name in media.files(output) ^ (self.outputs.keys() | RUN_FILES):
            yield f"{name} is missing or unexpected"
        for name, data in self.outputs.items():
            if not (output / name).exists() or (output / name).read_bytes() != data:
                yield f"{name} has wrong content"
        if media.lines(output / "manifest.jsonl") != self.lines:
            yield "the manifest differs"
        for name, stamp in kept.items():
            if media.stamps(output, [name])[name] != stamp:
                yield f"{name} was complete and was written again"

    def round(self, chance):
        """Kills and resumes once.

        Returns the number of runs that were killed before they ended, and the faults.
        """
        output = self.work / "out"
        shutil.rmtree(output, ignore_errors=True)
        hits, faults = 0, []
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            hits += self.run_and_kill(output, chance)
            faults += self.faults_of_killed(output) if output.exists() else []
        done = media.lines(output / "manifest.jsonl")
        kept = media.stamps(output, [line["output"] for line in done if line["output"]])
        status = self.start(output).wait()
        return hits, faults + list(self.faults_of_resumed(output, status, kept))


def main():
    prep, work, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    chance = random.Random(seed)
    batch = Batch(prep, work)
    hits, failed = 0, 0
    for number in range(1, rounds + 1):
        killed, faults = batch.round(chance)
        hits += killed
        failed += bool(faults)
        for fault in faults[:5]:
            print(f"round {number}: {fault}")
    changed = [name for name, data in batch.before.items() if (batch.inputs / name).read_bytes() != data]
    for name in changed:
        print(f"the input {name} was changed")
    print(f"{rounds} rounds, {hits} runs killed, {failed} rounds failed (SEED={seed})")
    sys.exit(1 if failed or changed or hits * 2 < rounds else 0)


main()
