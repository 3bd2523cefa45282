"""Uploads to a backend that answers 5xx, resets, drops what it committed, is busy and refuses what is large.

Usage: faults.py BUILD WORK COUNT
"""

import os
import pathlib
import random
import sys

import uploads

build, work, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
seed = os.environ.get("SEED", str(random.randrange(1 << 32)))
large = max(1, count // 50)
FAULTS = [
    "--seed", seed, "--error-rate", "0.1", "--reset-rate", "0.05", "--drop-rate", "0.05", "--busy-rate", "0.005",
    "--busy-burst", "5", "--retry-after", "1", "--too-large", "200000",
]  # fmt: skip
inputs = work / "in"
uploads.write_beeps(inputs, count, large)
digests = {path.name: uploads.digest(path) for path in inputs.iterdir()}
small = {digest for name, digest in digests.items() if int(name[:5]) >= large}


def run(name, honours):
    """One run; what it and the backend say."""
    output = work / name
    options = [] if honours else ["--no-idempotency"]
    with uploads.Backend(build, work, *FAULTS, *options) as backend:
        process = uploads.upload(
            build, inputs, backend, output, "--uploads", "8", *(["--idempotent"] if honours else []))
        status = process.wait()
        lines, held = uploads.results(output), backend.held()
    refused = [line for line in lines if line["upload"].get("reason", {}).get("code") == "too-large"]
    requests = sum(line["upload"]["attempts"] for line in lines)
    print(f"{name}: {dict(uploads.statuses(lines))}, {len(refused)} too large, "
          f"{requests / count:.3f} requests for each item; the backend holds {len(held)} distinct items (SEED={seed})")
    uploads.check(status != 1, f"status {status}, and not 1")
    uploads.check(len(lines) != count, f"{len(lines)} lines for {count} inputs")
    uploads.check(len(refused) != large, f"{len(refused)} of {large} large ones were refused as such")
    uploads.check(max(held.values()) > 1, "an item was taken twice")
    return lines, held, requests


lines, held, requests = run("honours keys", True)
uploads.check(set(held) != small, "the backend doesn't hold exactly what it was sent")
uploads.check(uploads.statuses(lines)["acknowledged"] != len(small), "not every item was acknowledged")
uploads.check(requests > 1.4 * count, "more than 1.4 requests for each item")

lines, held, _ = run("doesn't honour keys", False)
by_status = {status: {line["sha256"] for line in lines if line["upload"]["status"] == status}
             for status in ["acknowledged", "outcome-unknown", "failed"]}
uploads.check(by_status["acknowledged"] - set(held), "something is called acknowledged that the backend doesn't hold")
dropped = set(held) - by_status["acknowledged"]
uploads.check(not dropped, "nothing was dropped after it was committed: the run shows nothing")
uploads.check(dropped - by_status["outcome-unknown"], "what was dropped after it was committed isn't listed as such")
uploads.end()
