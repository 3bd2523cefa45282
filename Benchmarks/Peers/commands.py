"""Measures one image from file to file by commands: latency, CPU time and peak memory."""

import os
import shutil
import subprocess
import sys

import images
from batch import empty, size
from contestants import BENCHMARKS, PREP, Contestant, order, summary
from programs import timed

USAGE = BENCHMARKS / ".build/release/usage"
KEYS = ["phone-1600", "24mp-1600", "48mp-1600", "48mp-1024", "webp-1600", "heic-1600"]


def entries(task, path, output):
    prep = [PREP, path, "--output", output, "--max-dimension", task.side, "--quality", task.quality, "--quiet"]
    vips = [shutil.which("vipsthumbnail"), path, "--size", f"{task.side}x{task.side}>",
            "-o", f"{output}/%s.jpg[Q={task.quality},strip]"]  # fmt: skip
    return [
        Contestant("prep", prep, kind="ours"),
        Contestant("prep, without its ledger", [*prep, "--no-state"], kind="variant"),
        Contestant("vipsthumbnail, all cores", vips, images.ALL_CORES, family="vipsthumbnail",
                   is_reduced="vips" in task.thumbnail_reduces),
        Contestant("vipsthumbnail, one thread", vips, images.ONE_THREAD, family="vipsthumbnail",
                   is_reduced="vips" in task.thumbnail_reduces),
    ]  # fmt: skip


def run(contestant, output):
    empty(output)
    return timed(contestant)


def peak(contestant, output):
    """Returns the kernel's peak resident size. `usage` starts the program, because the peak includes the memory of the
    process that starts it."""
    empty(output)
    command = [str(part) for part in (USAGE, *contestant.command)]
    environment = {**os.environ, **contestant.environment}
    return int(subprocess.run(command, capture_output=True, check=True, env=environment).stdout.split()[2])


def made(output):
    """Returns the size in pixels and in bytes of the only output."""
    (path,) = (path for path in output.iterdir() if path.suffix in (".jpg", ".jpeg"))
    return size(path), path.stat().st_size


def measure(task, inputs, output, rounds):
    path = inputs / task.input
    contestants = entries(task, path, output)
    memory, outputs, samples = [], [], [[] for _ in contestants]
    # The first runs are not timed: they fill the page cache and measure memory.
    for contestant in contestants:
        memory.append(peak(contestant, output))
        outputs.append(made(output))
        if outputs[-1][0] != outputs[0][0]:
            sys.exit(f"{contestant.name} wrote an output of a different size than ours")
    for number in range(rounds):
        for turn in order(len(contestants), number):
            samples[turn].append(run(contestants[turn], output))
    rows = summary(contestants, samples)
    for row, peak_bytes, (_, byte_count) in zip(rows, memory, outputs):
        row.update(peak_bytes=peak_bytes, bytes=byte_count)
    shutil.rmtree(output)
    return {"title": task.title, "input_bytes": path.stat().st_size, "rows": rows}


def measure_all(inputs, work, rounds):
    tasks = {task.key: task for task in images.TASKS}
    return {key: measure(tasks[key], inputs, work / "outputs", rounds) for key in KEYS}
