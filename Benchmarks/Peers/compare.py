"""Makes the inputs, measures all tasks and writes the report. `run` starts it and documents its options."""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import batch
import commands
import images
import probing
import uploading
from contestants import BENCHMARKS, HERE, ROOT
from machine import OtherWork, machine, versions
from report import Report

BATCHES = ["batch-plain", "batch-mixed", "batch-heavy"]
WORK = BENCHMARKS / ".build-peers"
TASKS = [*(task.key for task in images.TASKS), "commands", "kernels", "batch", "batch-heavy", "recordings", "uploads",
         "bytes"]


def arguments():
    parser = argparse.ArgumentParser(prog="run", add_help=False)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("tasks", nargs="*", metavar="TASK", choices=[[], *TASKS])
    return parser.parse_args()


def make_inputs(photos):
    """Returns the directory of the images, and makes it if the scripts or the photos have changed. A separate process
    makes them, because this process's memory counts in the peak of its children."""
    scripts = [HERE / name for name in ("inputs.py", "heavy.py", "phone_formats.py")]
    scripts.append(ROOT / "Samples/make-samples.py")
    facts = [path.read_bytes() for path in scripts]
    if photos:
        facts += [fact for path in sorted(photos.iterdir()) for fact in (path.name.encode(), path.read_bytes())]
    directory = WORK / f"inputs-{hashlib.sha256(b'|'.join(facts)).hexdigest()[:12]}"
    if not directory.exists():
        draft = WORK / "inputs-draft"
        shutil.rmtree(draft, ignore_errors=True)
        log("making the inputs")
        subprocess.run([sys.executable, "-B", HERE / "inputs.py", draft, *([photos] if photos else [])], check=True)
        draft.rename(directory)
    return directory


def describe(inputs):
    """Returns name, bytes and digest of each image, and how often it is in each batch."""
    found = {}
    for place in (".", *BATCHES):
        for path in sorted(path for path in (inputs / place).iterdir() if path.is_file()):
            data = path.read_bytes()
            value = hashlib.sha256(data).hexdigest()
            name = path.name if place == "." else path.name.split("-", 1)[1]
            facts = {"name": name, "bytes": len(data), "sha256": value, **dict.fromkeys(BATCHES, 0)}
            one = found.setdefault(value, facts)
            if place != ".":
                one[place] += 1
    return sorted(found.values(), key=lambda one: one["name"])


def compare_bytes(inputs, photos):
    """Returns the bytes at equal quality. A separate process computes them, so that this one stays small."""
    log("bytes")
    with tempfile.TemporaryDirectory(dir=WORK) as scratch:
        command = [sys.executable, "-B", HERE / "rates.py", inputs, Path(scratch) / "bytes", str(photos)]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def log(text):
    print(text, file=sys.stderr, flush=True)


def measure(wanted, inputs, is_quick):
    """Measures the wanted tasks, and returns the results by the name of their section."""
    rounds, few, once = (3, 1, 1) if is_quick else (15, 5, 2)
    photos, recordings = (12, 100) if is_quick else (60, 1000)
    results = {"repetitions": {"rounds": rounds, "few": few}}
    for task in images.TASKS:
        if task.key in wanted:
            log(task.title)
            results.setdefault("images", {})[task.key] = images.measure(task, inputs, rounds)
    scratch = WORK / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    parts = {
        "commands": lambda: commands.measure_all(inputs, scratch, rounds),
        "kernels": lambda: images.measure_kernels(rounds),
        "batch": lambda: batch.measure_all(inputs, scratch, photos, few),
        "batch-heavy": lambda: batch.measure_heavy(inputs, scratch, photos, few),
        "recordings": lambda: probing.measure_all(scratch / "recordings", recordings, rounds, once),
        "uploads": lambda: uploading.measure(scratch / "uploads", few),
    }
    for name, part in parts.items():
        if name in wanted:
            log(name)
            results[name] = part()
    shutil.rmtree(scratch)
    return results


def main():
    options = arguments()
    wanted = options.tasks or TASKS
    is_whole = not options.quick and not options.tasks
    WORK.mkdir(exist_ok=True)
    inputs = make_inputs(options.photos)
    facts = {"machine": machine(), "versions": versions()}
    others = OtherWork()
    results = measure(wanted, inputs, options.quick) | facts
    results["other_work"] = others.text()
    # Last, and not part of the other work: other processes do not change sizes.
    if "bytes" in wanted:
        results["bytes"] = compare_bytes(inputs, 2 if options.quick else 8)
    results["source"] = (
        "photos of `--photos`" if options.photos else "painted, with as many bytes as photos"
    )
    results["inputs"] = describe(inputs)
    (WORK / "results.json").write_text(json.dumps(results, indent=1))
    # A part, or few repetitions, must not replace the stored results.
    directory = BENCHMARKS if is_whole else WORK
    print(Report(directory, results).write())


if __name__ == "__main__":
    main()
