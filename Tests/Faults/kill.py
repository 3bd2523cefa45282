"""Kills runs at random moments, continues each to its end, and compares that with a run that nobody stopped.

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

OWN = {"manifest.jsonl", ".prep/ledger.sqlite"}


class Batch:
    """300 inputs, and the run over them that nobody stopped."""

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
        self.outputs = {name: (whole / name).read_bytes() for name in media.files(whole) - OWN}
        assert len(self.lines) == 300 and self.status == 1, "the uninterrupted run itself is wrong"
        print(f"300 inputs, {len(self.outputs)} outputs, {self.seconds:.2f} s uninterrupted")

    def make_inputs(self):
        """220 photos of 20 sizes, 64 recordings, 16 files that are damaged or no media; no two alike."""
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

    def strike(self, output, chance):
        """Starts a run and kills it: at a moment of its time, or just when so many outputs have come to be.

        Returns whether it was still running.
        """
        moment, count = chance.uniform(0, self.seconds), chance.randrange(len(self.outputs))
        by_count = chance.random() < 0.5
        run = self.start(output)
        end = time.monotonic() + moment
        while run.poll() is None:
            if sum(1 for _ in output.glob("visit */*")) > count if by_count else time.monotonic() > end:
                break
            time.sleep(0.0005)
        run.kill()
        return run.wait() < 0

    def faults_of_killed(self, output):
        """What is wrong with a run that was killed: outputs that are not whole."""
        names = {name for name in media.files(output) if not name.endswith("/") and not name.startswith(".prep/")}
        for name in names - OWN:
            if (output / name).read_bytes() != self.outputs.get(name):
                yield f"{name} is not what it should be"

    def faults_of_continued(self, output, status, kept):
        """What is wrong with a run that was continued to its end."""
        if status != self.status:
            yield f"status {status} and not {self.status}"
        for name in media.files(output) ^ (self.outputs.keys() | OWN):
            yield f"{name} is missing, or left over"
        for name, data in self.outputs.items():
            if not (output / name).exists() or (output / name).read_bytes() != data:
                yield f"{name} is not what it should be"
        if media.lines(output / "manifest.jsonl") != self.lines:
            yield "the manifest differs"
        for name, stamp in kept.items():
            if media.stamps(output, [name])[name] != stamp:
                yield f"{name} was called done, and done again"

    def round(self, chance):
        """Kills and continues once.

        Returns how many kills met a run, and what was wrong.
        """
        output = self.work / "out"
        shutil.rmtree(output, ignore_errors=True)
        hits, faults = 0, []
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            hits += self.strike(output, chance)
            faults += self.faults_of_killed(output) if output.exists() else []
        done = media.lines(output / "manifest.jsonl")
        kept = media.stamps(output, [line["output"] for line in done if line["output"]])
        status = self.start(output).wait()
        return hits, faults + list(self.faults_of_continued(output, status, kept))


def main():
    prep, work, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    chance = random.Random(seed)
    batch = Batch(prep, work)
    hits, bad = 0, 0
    for number in range(1, rounds + 1):
        struck, faults = batch.round(chance)
        hits += struck
        bad += bool(faults)
        for fault in faults[:5]:
            print(f"round {number}: {fault}")
    changed = [name for name, data in batch.before.items() if (batch.inputs / name).read_bytes() != data]
    for name in changed:
        print(f"the input {name} was changed")
    print(f"{rounds} rounds, {hits} runs killed, {bad} rounds wrong (SEED={seed})")
    sys.exit(1 if bad or changed or hits * 2 < rounds else 0)


main()
