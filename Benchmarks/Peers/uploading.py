"""Measures the upload of one large file to a local backend, by `prep upload` and by curl."""

import shutil
import subprocess
import sys

from contestants import PREP, ROOT, Contestant, summary
from programs import timed, watched

sys.path.insert(0, str(ROOT / "Tests/Uploads"))

import uploads  # noqa: E402  (starts and stops the backend)

MEBIBYTES = 256


def write_recording(path):
    """Writes a sparse WAV file of `MEBIBYTES` of silence. Reading it needs no disk access."""
    header = bytearray(uploads.media.beep(1)[:44])
    header[4:8] = ((MEBIBYTES << 20) - 8).to_bytes(4, "little")
    header[40:44] = ((MEBIBYTES << 20) - 44).to_bytes(4, "little")
    with open(path, "wb") as file:
        file.write(header)
        file.truncate(MEBIBYTES << 20)


def entries(backend, prepared, number):
    """Returns both contestants. A new value of `round` makes the same file a new item: `prep` sends no item twice."""
    environment = {"PREP_TOKEN": uploads.TOKEN, "XDG_STATE_HOME": str(prepared / "state")}
    mine = [PREP, "upload", "--from-manifest", prepared / "manifest.jsonl", "--to", backend.url + "/upload",
            "--field", f"round={number}", "--quiet"]  # fmt: skip
    curl = ["curl", "--silent", "--fail", "--header", f"Authorization: Bearer {uploads.TOKEN}",
            "--form", f"file=@{prepared / 'large.wav'};type=audio/wav", backend.url + "/upload"]  # fmt: skip
    return [Contestant("prep upload", mine, environment, "ours"), Contestant("curl --form", curl)]


def measure(work, rounds):
    work.mkdir()
    prepared = work / "prepared"
    write_recording(work / "large.wav")
    subprocess.run([PREP, work / "large.wav", "--output", prepared, "--quiet"], check=True)
    samples = [[], []]
    with uploads.Backend(PREP.parent, work) as backend:
        for number in range(rounds):
            pair = list(zip(samples, entries(backend, prepared, number)))
            for times, contestant in pair if number % 2 == 0 else reversed(pair):
                times.append(timed(contestant))
        contestants = entries(backend, prepared, rounds)
        peaks = [watched(contestant).peak for contestant in contestants]
        held = backend.query(f"SELECT count(*) FROM file WHERE size = {MEBIBYTES << 20}")[0][0]
    if held != 2 * rounds + 2:
        sys.exit(f"the backend holds {held} of {2 * rounds + 2} uploads")
    shutil.rmtree(work)
    rows = summary(contestants, samples)
    for row, peak in zip(rows, peaks):
        row["peak_bytes"] = peak
    return {
        "title": f"Upload of one file of {MEBIBYTES} MiB", "rows": rows,
        "text": "To `dev-backend` on the same machine, whose time is part of both. Ours verifies the SHA-256 of the "
        "file while it sends, and records the upload before and after.",
    }  # fmt: skip
