"""Uploads one large part: measures memory above that of a small upload, and time relative to curl.

Usage: large_upload.py BUILD WORK MIB
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import uploads

build, work, size = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]) << 20


def write_recording(path, size):
    """Writes a sparse WAV file of `size` bytes of silence."""
    header = bytearray(uploads.media.beep(1)[:44])
    header[4:8] = (size - 8).to_bytes(4, "little")
    header[40:44] = (size - 44).to_bytes(4, "little")
    with open(path, "wb") as file:
        file.write(header)
        file.truncate(size)


def manifest(path, recording):
    """Prepares a recording, and returns the directory of its manifest."""
    out = work / f"prepared-{recording.stem}"
    subprocess.run([build / "prep", recording, "--output", out, "--quiet"], check=True)
    return out


def timed(command, environment=None):
    """Runs a process. Returns its wall time in seconds and its peak memory in bytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    uploads.check(status != 0, f"{command[0]} failed")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def send(backend, prepared, number):
    return timed(
        [build / "prep", "upload", "--from-manifest", prepared / "manifest.jsonl", "--to", backend.url + "/upload",
         "--field", f"round={number}", "--quiet"],
        {"PREP_TOKEN": uploads.TOKEN, "XDG_STATE_HOME": str(work / "state")})  # fmt: skip


small, large = work / "small.wav", work / "large.wav"
write_recording(small, 1000)
write_recording(large, size)
prepared_small, prepared_large = manifest(work, small), manifest(work, large)
ours, curl, memory = [], [], []
with uploads.Backend(build, work) as backend:
    idle = max(send(backend, prepared_small, number)[1] for number in range(3))
    for number in range(3):
        seconds, peak = send(backend, prepared_large, number)
        ours.append(seconds)
        memory.append(peak)
        file = prepared_large / "large.wav"
        curl.append(timed(
            ["curl", "--silent", "--fail", "--header", f"Authorization: Bearer {uploads.TOKEN}", "--form",
             f"file=@{file};type=audio/wav", backend.url + "/upload"])[0])  # fmt: skip
    stored = backend.query(f"SELECT count(*) FROM file WHERE size = {size}")[0][0]
uploads.check(stored != 6, f"the backend stored {stored} of 6 large parts")
ratio = statistics.median(ours) / statistics.median(curl)
above = max(memory) - idle
print(f"{size >> 20} MiB: {statistics.median(ours):.2f} s, curl {statistics.median(curl):.2f} s, ratio {ratio:.2f}; "
      f"memory {max(memory) / 2**20:.1f} MiB, {above / 2**20:.1f} above a small upload's {idle / 2**20:.1f}")
uploads.check(above > 24 << 20, "the peak memory is more than 24 MiB above that of a small upload")
uploads.end()
