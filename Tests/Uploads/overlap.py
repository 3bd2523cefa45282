"""Uploads photos, 8 at a time, to a backend that takes 200 ms each. Compares with preparing and sending alone.

Usage: overlap.py BUILD WORK PHOTOS
"""

import pathlib
import statistics
import subprocess
import sys
import time

import uploads

build, work, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
inputs = work / "in"
inputs.mkdir()
# All different, because equal files are sent once.
photos = {}
for size in range(1150, 450, -20):
    photos.update((data, name) for name, data in uploads.media.photos(build / "prep", work, size))
    if len(photos) >= count:
        break
for number, (data, name) in zip(range(count), photos.items()):
    (inputs / f"{number:03} {name}").write_bytes(data)


def seconds(command):
    start = time.monotonic()
    uploads.check(command() != 0, "a run failed")
    return time.monotonic() - start


def prepare(output):
    return lambda: subprocess.run([build / "prep", inputs, "--output", output, "--quiet"]).returncode


whole, preparing, sending = [], [], []
with uploads.Backend(build, work, "--latency", "200") as backend:
    for number in range(3):
        # Another value of the field makes new items.
        field = ["--field", f"round={number}"]
        alone, both = work / f"alone-{number}", work / f"both-{number}"
        preparing.append(seconds(prepare(alone)))
        sending.append(seconds(lambda: uploads.upload(
            build, inputs, backend, alone, "--uploads", "8", *field).wait()))
        whole.append(seconds(lambda: uploads.upload(
            build, inputs, backend, both, "--uploads", "8", "--field", f"round=both-{number}").wait()))
    stored = backend.query("SELECT count(*) FROM item")[0][0]
uploads.check(stored != 6 * count, f"the backend stored {stored} of {6 * count} items")
whole, preparing, sending = (statistics.median(times) for times in (whole, preparing, sending))
print(
    f"{count} photos, 8 at a time, 200 ms each: {whole:.2f} s; preparing alone {preparing:.2f}, "
    f"sending alone {sending:.2f}: {whole / max(preparing, sending):.2f} of the longer"
)
uploads.end()
