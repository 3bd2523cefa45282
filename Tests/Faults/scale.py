"""Runs over 1,000 inputs and over many. Measures memory, and checks that a second run is fast and changes nothing.

Usage: scale.py PREP WORK COUNT
"""

import json
import pathlib
import subprocess
import sys

import media

MAX_GROWTH = 20  # MiB
MAX_SECONDS = 2.0  # of CPU time
PER_DIRECTORY = 500


def make_inputs(prep, work, count):
    """Makes `count` small files in many directories, one audio file for each four photos."""
    photos = [data for _, data in media.photos(prep, work, 64)]
    for number in range(count):
        directory = work / f"in-{count}" / f"{number // PER_DIRECTORY:04}"
        if number % PER_DIRECTORY == 0:
            directory.mkdir(parents=True)
        is_audio = number % 5 == 0
        data = media.beep(number) if is_audio else photos[number % len(photos)] + b"%d" % number
        (directory / f"{number:06}{'.wav' if is_audio else '.jpg'}").write_bytes(data)


# Runs in a small process: the peak memory of a child includes that of its parent at the fork.
MEASURE = """
import json, os, sys, time
start = time.monotonic()
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - start,
                  "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}))
"""


def measure(prep, work, count):
    """Returns a run's time in seconds, its memory in MiB, and its standard error."""
    command = [prep, work / f"in-{count}", "--output", work / f"out-{count}", "--max-dimension", "32"]
    measured = subprocess.run([sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=True)
    figures = json.loads(measured.stdout)
    if figures["status"] != 0:
        sys.exit(f"status {figures['status']}: {measured.stderr}")
    return figures, measured.stderr


def run_twice(prep, work, count):
    """Runs twice over `count` inputs. Prints and returns the measurements of both runs."""
    make_inputs(prep, work, count)
    output = work / f"out-{count}"
    first, _ = measure(prep, work, count)
    names = media.files(output) - {"manifest.jsonl", ".prep/ledger.sqlite"}
    before, lines = media.stamps(output, names), media.lines(output / "manifest.jsonl")
    assert len(names) == len(lines) == count, f"{len(names)} outputs and {len(lines)} lines of {count} inputs"
    second, text = measure(prep, work, count)
    for title, run in (("first", first), ("second", second)):
        print(f"{count} inputs, {title}: {run['seconds']:.2f} s, {run['cpu']:.2f} s of CPU, {run['memory']:.1f} MiB")
    if media.stamps(output, names) != before:
        sys.exit("the second run changed outputs")
    if media.lines(output / "manifest.jsonl") != lines:
        sys.exit("the second run's manifest differs")
    if "nothing to do" not in text:
        sys.exit(f"the second run did not print \"nothing to do\": {text}")
    return first, second


def main():
    prep, work, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    few = run_twice(prep, work, 1000)
    many = run_twice(prep, work, count)
    growth = max(after["memory"] - before["memory"] for before, after in zip(few, many))
    again = many[1]["cpu"]
    print(f"{count} inputs take {growth:.1f} MiB more than 1000; the second run {again:.2f} s")
    sys.exit(1 if growth > MAX_GROWTH or again > MAX_SECONDS else 0)


main()
