"""Runs contestants as worker processes that wait for commands, and measures them in turns."""

import contextlib
import dataclasses
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent
ROOT = BENCHMARKS.parent
CONTESTANT = BENCHMARKS / ".build/release/contestant"
PREP, BACKEND = ROOT / ".build/release/prep", ROOT / ".build/release/dev-backend"
CORES = len(os.sched_getaffinity(0))
# `run` installs sharp here if there are Node.js and npm's registry.
NODE_MODULES = BENCHMARKS / ".build-peers/node/node_modules"


@dataclasses.dataclass
class Contestant:
    """A program that does a task, and how tables and plots show it."""

    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    # "ours", "variant" of ours, "peer", or "floor" for the least work that the task needs.
    kind: str = "peer"
    # The peer, if it has several variants; and whether libjpeg decodes fewer pixels than the image has.
    family: str = ""
    is_reduced: bool = False
    # Only takes part in the first round, so that the others can have more rounds.
    is_slow: bool = False


def ours(task, *arguments, name="MediaPrep", kind="ours", environment=None):
    return Contestant(name, [CONTESTANT, task, *arguments], environment or {}, kind, "MediaPrep")


def peer(name, task, *arguments, environment=None, family="", is_reduced=False):
    command = [sys.executable, HERE / "peers.py", task, *arguments]
    return Contestant(name, command, environment or {}, "peer", family or task.split("-")[0], is_reduced)


def sharp(name, path, *arguments, reduces, is_reduced):
    command = ["node", HERE / "with_sharp.js", path, *arguments, f"reduces={reduces:d}"]
    return Contestant(name, command, {"NODE_PATH": str(NODE_MODULES)}, "peer", "sharp", is_reduced)


def has_sharp():
    return (NODE_MODULES / "sharp").exists()


@dataclasses.dataclass
class Sample:
    """CPU and wall time of one repetition in milliseconds, and the bytes of its output."""

    cpu: float
    wall: float
    bytes: int


class Worker:
    """The process of a contestant, which is ready when the initializer returns."""

    def __init__(self, contestant):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **contestant.environment}
        self.name = contestant.name
        self.process = subprocess.Popen(
            [str(part) for part in contestant.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment, start_new_session=True)  # fmt: skip
        if self.process.stdout.readline() != "ready\n":
            sys.exit(f"{self.name} did not start")

    def ask(self, line):
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.name} ended instead of answering {line!r}")
        return json.loads(answer)

    def run(self, times=1):
        answer = self.ask(f"run {times}")
        return Sample(answer["cpu_ns"] / 1e6 / times, answer["wall_ns"] / 1e6 / times, answer["bytes"])

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.stdin.close()
        self.process.wait()


def order(count, number):
    """Returns the order of `count` contestants in a round: random, but the same in every run."""
    return random.Random(number).sample(range(count), count)


def take_turns(contestants, rounds, milliseconds=150, keep=None):
    """Returns each contestant's samples, one per round, measured in turns.

    A sample repeats the work for about `milliseconds`, so that the clock's resolution and the protocol do not matter;
    without a number, it does the work once. Each round has a different order. With `keep`, the last output of each
    contestant is left in that directory under the contestant's number.
    """
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant)) for contestant in contestants]
        times = [max(1, round(milliseconds / worker.run().wall)) if milliseconds else 1 for worker in workers]
        samples = [[] for _ in workers]
        for number in range(rounds):
            for turn in order(len(workers), number):
                samples[turn].append(workers[turn].run(times[turn]))
        if keep:
            for number, worker in enumerate(workers):
                worker.ask(f"save {keep / str(number)}")
    return samples


def peaks(contestant):
    """Returns the peak memory in bytes of a process that does the work once, and its peak before the work."""
    with Worker(contestant) as worker:
        answer = worker.ask("peak")
        return answer["peak_bytes"], answer["idle_bytes"]


def ratios(mine, theirs, key):
    """Returns the ratio of each round. Other work on the machine changes it less than it changes the times."""
    return [getattr(a, key) / getattr(b, key) for a, b in zip(mine, theirs)]


def spread(values):
    """Returns the median and the quartiles."""
    if len(values) < 2:
        return {"median": values[0], "low": values[0], "high": values[0]}
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": statistics.median(values), "low": low, "high": high}


def summary(contestants, samples):
    """Returns a row for each contestant: its medians, and the ratios of ours to it."""
    mine = next(taken for contestant, taken in zip(contestants, samples) if contestant.kind == "ours")
    rows = []
    for contestant, taken in zip(contestants, samples):
        rows.append({
            "name": contestant.name, "kind": contestant.kind, "family": contestant.family,
            "is_reduced": contestant.is_reduced, "bytes": taken[-1].bytes,
            "cpu_ms": statistics.median(sample.cpu for sample in taken),
            "wall_ms": statistics.median(sample.wall for sample in taken),
            "cpu_ratio": spread(ratios(mine, taken, "cpu")), "wall_ratio": spread(ratios(mine, taken, "wall")),
        })  # fmt: skip
    return rows
