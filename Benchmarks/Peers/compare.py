"""The whole comparison: makes inputs, measures, and writes what came of it. Started by `run`, which says how."""

import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

import batch
import pictures
import sending
import sound
from contestants import BENCHMARKS, HERE, ROOT
from machine import OtherWork, machine, versions
from report import Report

WORK = BENCHMARKS / ".build-peers"
TASKS = [*(picture.key for picture in pictures.PICTURES), "kernels", "batch", "recordings", "uploads"]


def arguments():
    parser = argparse.ArgumentParser(prog="run", add_help=False)
    parser.add_argument("--photos", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("tasks", nargs="*", metavar="TASK", choices=[[], *TASKS])
    return parser.parse_args()


def made_inputs(photos):
    """The directory of the pictures, made if what makes them, or the photographs, changed. By a process of its own,
    since this one's memory is where that of its children starts."""
    facts = [(HERE / "inputs.py").read_bytes(), (ROOT / "Samples/make-samples.py").read_bytes()]
    if photos:
        facts += [fact for path in sorted(photos.iterdir()) for fact in (path.name.encode(), path.read_bytes())]
    directory = WORK / f"inputs-{hashlib.sha256(b'|'.join(facts)).hexdigest()[:12]}"
    if not directory.exists():
        draft = WORK / "inputs-draft"
        shutil.rmtree(draft, ignore_errors=True)
        say("making the inputs")
        subprocess.run([sys.executable, "-B", HERE / "inputs.py", draft, *([photos] if photos else [])], check=True)
        draft.rename(directory)
    return directory


def described(inputs):
    """Name, bytes and digest of each picture, and how many of the batches are copies of it."""
    found = {}
    for place in (".", "batch-plain", "batch-mixed"):
        for path in sorted(path for path in (inputs / place).iterdir() if path.is_file()):
            data = path.read_bytes()
            value = hashlib.sha256(data).hexdigest()
            name = path.name if place == "." else path.name.split("-", 1)[1]
            one = found.setdefault(
                value, {"name": name, "bytes": len(data), "sha256": value, "batch-plain": 0, "batch-mixed": 0}
            )
            if place != ".":
                one[place] += 1
    return sorted(found.values(), key=lambda one: one["name"])


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(wanted, inputs, is_quick):
    """Whatever is wanted, by the name of its part in the report."""
    rounds, few, once = (3, 1, 1) if is_quick else (15, 5, 2)
    photos, recordings = (12, 100) if is_quick else (60, 1000)
    results = {"repetitions": {"rounds": rounds, "few": few}}
    for task in pictures.PICTURES:
        if task.key in wanted:
            say(task.title)
            results.setdefault("pictures", {})[task.key] = pictures.measure(task, inputs, rounds)
    scratch = WORK / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    parts = {
        "kernels": lambda: pictures.measure_kernels(rounds),
        "batch": lambda: batch.measure_all(inputs, scratch, photos, few),
        "recordings": lambda: sound.measure_all(scratch / "recordings", recordings, rounds, once),
        "uploads": lambda: sending.measure(scratch / "uploads", few),
    }
    for name, part in parts.items():
        if name in wanted:
            say(name)
            results[name] = part()
    shutil.rmtree(scratch)
    return results


def main():
    options = arguments()
    wanted = options.tasks or TASKS
    is_whole = not options.quick and not options.tasks
    WORK.mkdir(exist_ok=True)
    inputs = made_inputs(options.photos)
    facts = {"machine": machine(), "versions": versions()}
    others = OtherWork()
    results = measure(wanted, inputs, options.quick) | facts
    results["other_work"] = others.text()
    results["source"] = (
        "photographs, by `--photos`" if options.photos else "painted, of as many bytes as photographs have"
    )
    results["inputs"] = described(inputs)
    (WORK / "results.json").write_text(json.dumps(results, indent=1))
    # Figures of a part, or of few repetitions, are to look at.
    directory = BENCHMARKS if is_whole else WORK
    print(Report(directory, results).write())


if __name__ == "__main__":
    main()
