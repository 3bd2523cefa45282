"""One large file to a backend on this machine, by `prep upload` and by curl."""

import shutil
import subprocess
import sys

from contestants import PREP, ROOT, Contestant, summary
from programs import timed, watched

sys.path.insert(0, str(ROOT / "Tests/Uploads"))

import uploads  # noqa: E402  (it knows how to start a backend, and how to end it)

MEBIBYTES = 256


def write_recording(path):
    """A WAV of so many MiB of silence, most of it a hole: reading it costs no disk."""
    header = bytearray(uploads.media.beep(1)[:44])
    header[4:8] = ((MEBIBYTES << 20) - 8).to_bytes(4, "little")
    header[40:44] = ((MEBIBYTES << 20) - 44).to_bytes(4, "little")
    with open(path, "wb") as file:
        file.write(header)
        file.truncate(MEBIBYTES << 20)


def entries(backend, prepared, number):
    """One sends what `prep run` prepared, and keeps a record of it; the same again as a field's other value makes it
    another thing, since nothing is sent twice. The other sends the same file as a form."""
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
    samples, peaks = [[], []], []
    with uploads.Backend(PREP.parent, work) as backend:
        for number in range(rounds):
            pair = list(zip(samples, entries(backend, prepared, number)))
            for taken, contestant in pair if number % 2 == 0 else reversed(pair):
                taken.append(timed(contestant))
        everybody = entries(backend, prepared, rounds)
        peaks = [watched(contestant).peak for contestant in everybody]
        held = backend.query(f"SELECT count(*) FROM file WHERE size = {MEBIBYTES << 20}")[0][0]
    if held != 2 * rounds + 2:
        sys.exit(f"the backend holds {held} of {2 * rounds + 2} uploads")
    shutil.rmtree(work)
    rows = summary(everybody, samples)
    for row, peak in zip(rows, peaks):
        row["peak_bytes"] = peak
    return {
        "title": f"One file of {MEBIBYTES} MiB, sent", "rows": rows,
        "text": "To `dev-backend` on the same machine, which takes part in both. Ours computes the SHA-256 of what it "
        "sends, to be sure that it is what was prepared, and records before and after what is sent.",
    }  # fmt: skip
