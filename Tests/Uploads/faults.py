"""Uploads to a backend that returns 5xx, resets, commits without a response, is busy, and rejects large files.

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


def run(name, honors_keys):
    """Runs once. Returns the manifest's lines, the backend's digests and the number of requests."""
    output = work / name
    options = [] if honors_keys else ["--no-idempotency"]
    with uploads.Backend(build, work, *FAULTS, *options) as backend:
        process = uploads.upload(
            build, inputs, backend, output, "--uploads", "8", *(["--idempotent"] if honors_keys else []))
        status = process.wait()
        lines, stored = uploads.results(output), backend.stored_digests()
    rejected = [line for line in lines if line["upload"].get("reason", {}).get("code") == "too-large"]
    requests = sum(line["upload"]["attempts"] for line in lines)
    print(f"{name}: {dict(uploads.statuses(lines))}, {len(rejected)} too large, "
          f"{requests / count:.3f} requests per item; the backend stored {len(stored)} different items (SEED={seed})")
    uploads.check(status != 1, f"status {status} (expected 1)")
    uploads.check(len(lines) != count, f"{len(lines)} lines for {count} inputs")
    uploads.check(len(rejected) != large, f"{len(rejected)} of {large} large files were rejected as too large")
    uploads.check(max(stored.values()) > 1, "an item was stored twice")
    return lines, stored, requests


lines, stored, requests = run("honors keys", True)
uploads.check(set(stored) != small, "the backend did not store exactly the sent items")
uploads.check(uploads.statuses(lines)["acknowledged"] != len(small), "not every item was acknowledged")
uploads.check(requests > 1.4 * count, "more than 1.4 requests per item")

lines, stored, _ = run("ignores keys", False)
by_status = {status: {line["sha256"] for line in lines if line["upload"]["status"] == status}
             for status in ["acknowledged", "outcome-unknown", "failed"]}
uploads.check(by_status["acknowledged"] - set(stored), "an acknowledged item is not stored")
dropped = set(stored) - by_status["acknowledged"]
uploads.check(not dropped, "no response was dropped after a commit: the run tests nothing")
uploads.check(dropped - by_status["outcome-unknown"], "an item whose response was dropped is not outcome-unknown")
uploads.end()
