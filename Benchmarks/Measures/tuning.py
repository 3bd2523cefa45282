"""Evaluates the policies that `prep tune-policy` writes.

`python tuning.py PREP FRAMES`: PREP is the command, and FRAMES a folder with the frames of `labels.csv`. Takes 10, 20
and 40 of the good frames as examples, 10 times each, and prints the shares of the other good frames that the policy
rejects, and that it lets pass with a fault.
"""

import json
import random
import subprocess
import sys

import evaluate
import measured
import planes

FAULTS = ["defocus 3", "motion 11 at 0", "motion 11 at 45", "motion 11 at 90", "exposure -2", "exposure +2", "noise 6",
          "enlarged 2"]
ROUNDS = 10
MEASURES = {
    "too-blurred": "sharpness", "too-dark": "mean", "too-bright": "mean", "glare": "glare",
    "low-contrast": "contrast", "too-noisy": "noise", "too-compressed": "blocking", "upscaled": "detail",
    "no-field-of-view": "field_of_view_share"}
MAXIMA = {"too-bright", "glare", "too-noisy", "too-compressed"}


def tuned(prep, paths):
    """Returns the limits that `prep tune-policy` chooses, by rule."""
    policy = json.loads(subprocess.run([prep, "tune-policy", *paths], stdout=subprocess.PIPE, check=True).stdout)
    return {name: rule["limit"] for name, rule in policy.items()}


def accepts(limits, line):
    image = line["image"]
    values = {name: image["measures"][key] for name, key in MEASURES.items()}
    values["too-small"] = min(image["width"], image["height"])
    return all(values[name] <= limit if name in MAXIMA else values[name] >= limit for name, limit in limits.items())


def main():
    prep, folder = sys.argv[1:]
    good, _ = evaluate.labels()
    paths = {path.stem: path for path in planes.paths(folder) if path.stem in good}
    lines = measured.measure_all(prep, folder, ["none", *FAULTS])
    generator = random.Random(1)
    for count in (10, 20, 40):
        rejected, passed, left = 0, dict.fromkeys(FAULTS, 0), 0
        for _ in range(ROUNDS):
            examples = generator.sample(sorted(paths), count)
            limits = tuned(prep, [paths[name] for name in examples])
            others = sorted(set(paths).difference(examples))
            left += len(others)
            rejected += sum(not accepts(limits, lines["none"][name]) for name in others)
            for fault in FAULTS:
                passed[fault] += sum(accepts(limits, lines[fault][name]) for name in others)
        shares = ", ".join(f"{fault} {number / left:.1%}" for fault, number in passed.items())
        print(f"{count} of {len(paths)}: other good frames rejected {rejected / left:.1%}; let pass: {shares}")


if __name__ == "__main__":
    main()
