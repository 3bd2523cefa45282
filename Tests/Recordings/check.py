"""Compares the output of `prep inspect --json` with the known durations of the corpus. Started by `run`.

    check.py whole CORPUS PREP         every file's duration; PEERS=1 adds those of ffprobe and mutagen
    check.py truncate CORPUS PREP      every file cut at each 1% of its length; CUTS=10 of a file's 99 cuts are
                                       also decoded by ffmpeg and compared; ONLY=glob chooses files
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

BATCH, SECONDS = 300, 120                                 # files per process, and its time limit

def inspect(prep, paths):
    """Returns prep's JSON, or a description of the failure, for each file. Halves a batch that fails."""
    verdicts = {}
    for start in range(0, len(paths), BATCH):
        batch = [str(path) for path in paths[start:start + BATCH]]
        try:
            run = subprocess.run([prep, "inspect", "--json", *batch], capture_output=True, timeout=SECONDS)
            problem = f"signal {-run.returncode}" if run.returncode < 0 else ""
            lines = run.stdout.decode("utf-8", "replace").splitlines()
            problem = problem or ("lines missing" if len(lines) != len(batch) else "")
        except subprocess.TimeoutExpired:
            problem = "hang"
        if not problem:
            verdicts.update(zip(batch, map(read_line, batch, lines)))
        elif len(batch) == 1:
            verdicts[batch[0]] = problem
        else:
            half = len(batch) // 2
            verdicts |= inspect(prep, batch[:half]) | inspect(prep, batch[half:])
    return verdicts

def read_line(path, line):
    try:
        verdict = json.loads(line)
        return verdict if verdict["input"] == path or Path(verdict["input"]).name == Path(path).name else "wrong order"
    except (ValueError, KeyError, TypeError):
        return "not JSON"

def seconds_of(verdict):
    return (verdict.get("audio") or {}).get("duration_seconds") if isinstance(verdict, dict) else None

def code_of(verdict):
    """Returns the code of the first reason or warning."""
    if isinstance(verdict, str):
        return verdict
    diagnostics = (verdict.get("reasons") or []) + (verdict.get("warnings") or [])
    return diagnostics[0].get("code", "") if diagnostics else ""

def error_of(verdict, true, frame):
    """Returns why the verdict of a whole file is wrong, or an empty string."""
    if isinstance(verdict, str):
        return verdict
    ours, audio = seconds_of(verdict), verdict.get("audio") or {}
    if ours is None:
        return "no duration"
    off, exact = abs(ours - true), audio.get("duration_exact")
    ticks, scale = audio.get("duration_ticks"), audio.get("duration_timescale")
    if ticks is not None and scale and abs(ticks / scale - ours) > 1e-6:
        return "ticks and seconds differ"
    if exact and off > 1 / audio["sample_rate"] + 1e-6:
        return f"exact, but off by {off * 1000:.2f} ms"
    if not exact and off > (audio.get("duration_error_seconds") or 0) + frame + 1e-6:
        return f"off by more than the stated error: {off * 1000:.2f} ms"
    return f"off by {off / frame:.1f} frames" if off > frame + 1e-6 else ""

def ffprobe(path):
    run = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path],
                         capture_output=True, text=True)
    return run.stdout.strip()[:9] or "-"

def mutagen_duration(path):
    try:
        import mutagen
        found = mutagen.File(str(path))
        return "-" if found is None else f"{found.info.length:.5f}"[:9]
    except Exception as problem:                          # a peer may fail in any way; the table shows it
        return type(problem).__name__[:9]

def whole(corpus, prep, files):
    verdicts = inspect(prep, [corpus / name for name in files])
    peers = [("ffprobe", ffprobe), ("mutagen", mutagen_duration)] if os.environ.get("PEERS") == "1" else []
    print(f"{'file':44} {'truth':>9} {'ours':>9} {'off ms':>8} {'method':8} exact", *(f"{p:>9}" for p, _ in peers), "")
    failed = 0
    for name, (true, frame) in files.items():
        verdict = verdicts[str(corpus / name)]
        wrong, ours = error_of(verdict, true, frame), seconds_of(verdict)
        audio = (verdict.get("audio") or {}) if isinstance(verdict, dict) else {}
        failed += bool(wrong)
        off = "" if ours is None else f"{(ours - true) * 1000:.2f}"
        print(f"{name:44} {true:9.5f} {'-' if ours is None else f'{ours:.5f}':>9} {off:>8}",
              f"{audio.get('duration_method') or '-':8} {'yes' if audio.get('duration_exact') else 'no':5}",
              *(f"{ask(corpus / name):>9}" for _, ask in peers), f"FAIL {wrong} {code_of(verdict)}" if wrong else "")
    return len(files) - failed, failed

def decoded(path, rate):
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le",
                          "-"], capture_output=True)
    return len(run.stdout) / 2 / rate

def cut_file(corpus, prep, name, true, frame, whole_count, rate):
    """Checks all cuts of a file. Returns (durations, comparisons, (largest difference, percent), limit, errors)."""
    wrong, worst, answers = [], (0.0, 0), 0
    data = (corpus / name).read_bytes()
    with tempfile.TemporaryDirectory() as tmp:
        cuts = {}
        for percent in range(1, 100):
            path = Path(tmp) / f"{percent:02}{Path(name).suffix}"
            path.write_bytes(data[:len(data) * percent // 100])
            cuts[percent] = path
        verdicts = inspect(prep, list(cuts.values()))
        step = max(1, round(99 / int(os.environ.get("CUTS", "10"))))
        sample = [percent for percent in cuts if percent % step == step // 2]
        # If ffmpeg's count of the whole file is wrong, its counts of cut files may be as wrong. If it decodes nothing,
        # the sample table was at the end of the file, and no duration can be found.
        limit = frame + abs(whole_count - true)
        for percent, path in cuts.items():
            verdict = verdicts[str(path)]
            ours = seconds_of(verdict)
            answers += ours is not None
            if isinstance(verdict, str):
                wrong.append(f"{percent}%: {verdict}")
            elif ours is not None and ours > true + frame + 1e-6:
                wrong.append(f"{percent}%: {ours:.3f} s, longer than the whole")
            if percent in sample and not isinstance(verdict, str) and whole_count:
                count = decoded(path, rate)
                if ours is None:
                    if count > limit + 0.3:
                        wrong.append(f"{percent}%: no duration, ffmpeg decodes {count:.3f} s")
                elif count:
                    worst = max(worst, (abs(ours - count), percent))
                    if abs(ours - count) > limit + 1e-6:
                        wrong.append(f"{percent}%: {ours:.3f} s, ffmpeg decodes {count:.3f} s")
    return answers, len(sample), worst, limit, wrong

def truncate(corpus, prep, files):
    failed = 0
    print(f"{'file':44} {'answers':>7} {'compared':>8} {'worst ms':>9} {'at':>4} {'limit ms':>9}")
    with open(corpus / "decoded.tsv") as table:
        counts = {row[0]: (float(row[1]), int(row[3])) for row in csv.reader(table, delimiter="\t")}
    with ThreadPoolExecutor(2) as pool:
        jobs = {name: pool.submit(cut_file, corpus, prep, name, *files[name], *counts[name]) for name in files}
        for name, job in jobs.items():
            answers, compared, (worst, at), limit, wrong = job.result()
            failed += bool(wrong)
            print(f"{name:44} {answers:4}/99 {compared:8} {worst * 1000:9.2f} {at:3}% {limit * 1000:9.2f}",
                  f"FAIL {len(wrong)}: {'; '.join(wrong[:3])}" if wrong else "", flush=True)
    return len(files) - failed, failed

def main(mode, corpus, prep):
    corpus = Path(corpus).resolve()
    with open(corpus / "truth.tsv") as table:
        rows = csv.DictReader(table, delimiter="\t")
        files = {row["file"]: (float(row["true_seconds"]), float(row["frame_seconds"])) for row in rows
                 if fnmatch(row["file"], os.environ.get("ONLY", "*"))}
    passed, failed = {"whole": whole, "truncate": truncate}[mode](corpus, prep, files)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
