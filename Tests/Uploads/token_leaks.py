"""Searches for the token in all files and streams of failing runs, at every log level.

Usage: token_leaks.py BUILD WORK
"""

import base64
import os
import pathlib
import subprocess
import sys

import uploads

build, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SECRET = "zq8-Secret.Token_of~nobody/0123456789+abcdef="
forms = [SECRET, SECRET.replace("/", "%2F"), base64.b64encode(SECRET.encode()).decode(), SECRET[:16]]
needles = [form.encode() for form in forms] + [SECRET.encode("utf-16-le"), SECRET.encode().hex().encode()]
inputs = work / "in"
uploads.write_beeps(inputs, 6, 1)
token_file = work / "token"
token_file.write_text(f"  {SECRET}\n")
os.chmod(token_file, 0o600)
searched = 0


def search(name, content):
    global searched
    searched += 1
    uploads.check(any(needle in content for needle in needles), f"the token is in {name}")


def search_below(directory):
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path != token_file:
            search(path.relative_to(work), path.read_bytes())


CASES = {
    "refused": (),
    "failing": ("--error-rate", "0.5", "--reset-rate", "0.3", "--drop-rate", "0.1"),
    "busy": ("--busy-rate", "1", "--retry-after", "7200"),
    "large": ("--too-large", "100", "--too-large-abrupt"),
    "gone": None,
}
for case, faults in CASES.items():
    for level in ["trace", "debug", "info", "notice", "warning", "error", "critical"]:
        for source in [["--token-file", token_file], []]:
            place = work / f"{case}-{level}-{len(source)}"
            place.mkdir()
            with uploads.Backend(build, place, *(faults or ())) as backend:
                url = backend.url if faults is not None else "http://127.0.0.1:1"
                process = subprocess.run(
                    [build / "prep", "upload", inputs, "--to", url + "/upload", "--output", place / "out",
                     "--responses", place / "responses", "--max-attempts", "2", "--log-level", level, *source],
                    env={**os.environ, **({} if source else {"PREP_TOKEN": SECRET})}, capture_output=True, cwd=place,
                    timeout=300)  # fmt: skip
                uploads.check(process.returncode != 1, f"{place.name}: status {process.returncode} (expected 1)")
                search(f"{place.name}: standard output", process.stdout)
                search(f"{place.name}: standard error", process.stderr)
                uploads.check(
                    level in ("trace", "debug") and b"debug" not in process.stderr, f"{place.name}: nothing was logged"
                )
            manifest, report = place / "out" / "manifest.jsonl", place / "report.html"
            subprocess.run([build / "prep", "report", manifest, "--output", report], check=True, capture_output=True)
            search_below(place)
print(f"searched {searched} files and streams for the token")
uploads.end()
