"""Runs over 1,000 inputs and over many: what memory each takes, how long the second run, and what it leaves alone.

Usage: scale.py PREP WORK COUNT
"""

import json
import pathlib
import subprocess
import sys

import media

MOST_GROWTH = 20  # MiB
LONGEST = 2.0  # seconds
PER_DIRECTORY = 500


def make_inputs(prep, work, count):
    """`count` small files, one recording to four photos, in many directories."""
    photos = [data for _, data in media.photos(prep, work, 64)]
    for number in range(count):
        directory = work / f"in-{count}" / f"{number // PER_DIRECTORY:04}"
        if number % PER_DIRECTORY == 0:
            directory.mkdir(parents=True)
        is_sound = number % 5 == 0
        data = media.beep(number) if is_sound else photos[number % len(photos)] + b"%d" % number
        (directory / f"{number:06}{'.wav' if is_sound else '.jpg'}").write_bytes(data)


# By a process of its own: what a child took counts from its fork, when it still was this one, with all its lists.
WATCH = """
import json, os, sys, time
start = time.monotonic()
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - start,
                  "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}))
"""


def measure(prep, work, count):
    """What a run took, in seconds and MiB, and what it said."""
    command = [prep, work / f"in-{count}", "--output", work / f"out-{count}", "--max-dimension", "32"]
    watched = subprocess.run([sys.executable, "-c", WATCH, *command], capture_output=True, text=True, check=True)
    figures = json.loads(watched.stdout)
    if figures["status"] != 0:
        sys.exit(f"status {figures['status']}: {watched.stderr}")
    return figures, watched.stderr


def run_twice(prep, work, count):
    """The figures of a first and of a second run over `count` inputs. Prints them."""
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
        sys.exit("the second run touched outputs")
    if media.lines(output / "manifest.jsonl") != lines:
        sys.exit("the second run's manifest differs")
    if "nothing to do" not in text:
        sys.exit(f"the second run does not say that there was nothing to do: {text}")
    return first, second


def main():
    prep, work, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    few = run_twice(prep, work, 1000)
    many = run_twice(prep, work, count)
    growth = max(after["memory"] - before["memory"] for before, after in zip(few, many))
    again = many[1]["seconds"]
    print(f"{count} inputs take {growth:.1f} MiB more than 1000; the second run {again:.2f} s")
    sys.exit(1 if growth > MOST_GROWTH or again > LONGEST else 0)


main()
