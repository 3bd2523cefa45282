"""Compares two directories of results: files byte for byte, manifests line for line in any order.

usage: compare.py REFERENCE DIR

Except for ledgers, no temporary files of runs may remain. Exits with status 1 if anything differs.
"""

import filecmp
import json
import os
import sys


def outputs(directory):
    """Returns the relative paths, as bytes, of all files and empty directories except manifests and ledgers."""
    directory = os.fsencode(directory)
    found = set()
    for parent, directories, files in os.walk(directory):
        empty = [] if directories or files else [b""]
        for name in files + empty:
            path = os.path.relpath(os.path.join(parent, name), directory)
            is_own = path.startswith(b"manifest") and path.endswith(b".jsonl") or path.startswith(b".prep/ledger")
            if not is_own:
                found.add(path)
    return found


def manifest(directory):
    """Returns the sorted lines, without values that may differ between runs."""
    lines = []
    with open(os.path.join(directory, "manifest.jsonl"), encoding="utf-8", newline="\n") as file:
        for line in file:
            facts = json.loads(line)
            facts.pop("elapsed_ms")
            facts.pop("upload", None)
            lines.append(json.dumps(facts, sort_keys=True))
    return sorted(lines)


def main(reference, directory):
    expected, found = outputs(reference), outputs(directory)
    both = [os.fsencode(one) for one in (reference, directory)]
    same = {path for path in expected & found if filecmp.cmp(*(os.path.join(one, path) for one in both), shallow=False)}
    lines, expected_lines = manifest(directory), manifest(reference)
    differences = (
        [("missing", path) for path in expected - found]
        + [("stray", path) for path in found - expected]
        + [("differs", path) for path in (expected & found) - same]
        + [("line missing", line) for line in set(expected_lines) - set(lines)]
        + [("line too many", line) for line in set(lines) - set(expected_lines)]
        + [("lines repeated", len(lines) - len(set(lines)))] * (len(lines) != len(set(lines)))
    )
    for what, thing in differences[:20]:
        print(f"  {what}: {thing}")
    verdict = f"{len(differences)} DIFFERENCES" if differences else "equal"
    print(
        f"  {directory}: {len(same)} of {len(expected)} outputs the same, {len(lines)} of {len(expected_lines)} "
        f"lines: {verdict}"
    )
    return 1 if differences else 0


sys.exit(main(*sys.argv[1:]))
