"""Kills uploads at random moments, and resumes each until it completes.

Usage: kill.py BUILD WORK ROUNDS
"""

import os
import pathlib
import random
import shutil
import sys
import time

import uploads

build, work, rounds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
chance = random.Random(seed)
inputs, output = work / "in", work / "out"
uploads.write_beeps(inputs, 200)
digests = {uploads.digest(path) for path in inputs.iterdir()}


def kill(process, backend, is_first):
    """Kills a run: the first when the backend has a random number of items, a later one at a random time.

    A time alone does not do for the first: it comes from another run, and a loaded machine may be twice as fast by now.
    """
    count, end = chance.randrange(150), time.monotonic() + chance.uniform(0.02, seconds)
    while process.poll() is None:
        if sum(backend.stored_digests().values()) >= count if is_first else time.monotonic() > end:
            break
        time.sleep(0.002)
    process.kill()


def round(number, options):
    """Kills and resumes one upload. Returns the number of killed runs and of items with an unknown outcome."""
    shutil.rmtree(output, ignore_errors=True)
    killed = 0
    with uploads.Backend(build, work, "--latency", "5", *([] if options else ["--no-idempotency"])) as backend:
        while True:
            process = uploads.upload(build, inputs, backend, output, *options)
            # Kills the first run, and each later one with a probability of 0.3.
            if killed == 0 or chance.random() < 0.3:
                kill(process, backend, is_first=killed == 0)
            status = process.wait()
            if status >= 0:
                break
            killed += 1
        lines, stored = uploads.results(output), backend.stored_digests()
    found = uploads.statuses(lines)
    name = f"round {number}"
    uploads.check(len(lines) != 200, f"{name}: {len(lines)} lines")
    uploads.check(max(stored.values()) > 1, f"{name}: an item was stored twice")
    if options:
        uploads.check(set(stored) != digests, f"{name}: the backend stored {len(stored)} of 200 items")
        uploads.check(status != 0 or found["acknowledged"] != 200, f"{name}: status {status}, {dict(found)}")
    else:
        acknowledged = {line["sha256"] for line in lines if line["upload"]["status"] == "acknowledged"}
        uploads.check(acknowledged - set(stored), f"{name}: an acknowledged item is not stored")
        uploads.check(found["acknowledged"] + found["outcome-unknown"] != 200, f"{name}: {dict(found)}")
    return killed, found["outcome-unknown"]


with uploads.Backend(build, work, "--latency", "5") as backend:
    start = time.monotonic()
    uploads.check(
        uploads.upload(build, inputs, backend, output, "--idempotent").wait() != 0, "the run that is not killed fails"
    )
    seconds = time.monotonic() - start
for name, options in [("honors keys", ["--idempotent"]), ("ignores keys", [])]:
    outcomes = [round(number, options) for number in range(rounds)]
    killed, unknown = (sum(column) for column in zip(*outcomes))
    print(f"{name}: {rounds} uploads of 200 items, {killed} runs killed, {unknown} items outcome-unknown (SEED={seed})")
    uploads.check(killed < rounds // 2, "too few runs were killed before they ended")
uploads.end()
