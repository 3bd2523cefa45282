"""Measures preparing directories of 60 photos on all cores: wall time, CPU time, and memory of all processes."""

import os
import shutil
import struct
import sys

from contestants import CORES, PREP, Contestant, Worker, order, peer, summary
from memory import MemoryWatch
from programs import timed, watched

SIDE, QUALITY = 1600, 80


def entries(photos, output):
    """Returns the contestants. Ours is the command with its defaults: it keeps a ledger, calls fsync, and writes a
    manifest with digests."""
    files = sorted(map(str, photos.iterdir()))
    listed = output.with_suffix(".list")
    listed.write_text("\n".join(files) + "\n")
    prep = [PREP, photos, "--output", output, "--max-dimension", SIDE, "--quality", QUALITY, "--quiet"]
    vips = ["vipsthumbnail", "--size", f"{SIDE}x{SIDE}>", "-o", f"{output}/%s.jpg[Q={QUALITY},strip,background=255]"]
    # GraphicsMagick appends each input path to the output directory, so it starts in the inputs' directory.
    magick = ["sh", "-c", 'cd "$0" && exec gm mogrify "$@"', photos, "-output-directory", output, "-format", "jpg",
              "-auto-orient", "-filter", "Lanczos", "-resize", f"{SIDE}x{SIDE}>", "-quality", QUALITY,
              "-sampling-factor", "2x2", "+profile", "!icm,*",
              *sorted(path.name for path in photos.iterdir())]  # fmt: skip
    loop = photos, f"output={output}", f"jobs={CORES}"
    one_thread = {"VIPS_CONCURRENCY": "1"}
    return [
        Contestant("prep", prep, kind="ours"),
        Contestant("prep, without its ledger", [*prep, "--no-state"], kind="variant"),
        peer(f"pyvips, {CORES} threads", "loop-vips", *loop, environment=one_thread, family="pyvips"),
        Contestant("vipsthumbnail", [*vips, *files], family="vipsthumbnail"),
        Contestant(f"vipsthumbnail, {CORES} processes", ["xargs", "-a", listed, "-P", CORES, "-n", "1", *vips],
            one_thread,
                   family="vipsthumbnail"),
        peer(f"Pillow, {CORES} processes", "loop-pillow", *loop, family="pillow"),
        Contestant("GraphicsMagick", magick, family="graphicsmagick", is_slow=True),
    ]  # fmt: skip


def empty(output):
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    # Otherwise the outputs of the last run would be written to disk during this one.
    os.sync()


def is_loop(contestant):
    return "peers.py" in str(contestant.command[1])


def run(contestant, output):
    """Runs once into an empty directory. The start of a Python loop's interpreter is not measured."""
    empty(output)
    if not is_loop(contestant):
        return timed(contestant)
    with Worker(contestant) as worker:
        return worker.run()


def peak(contestant, output):
    empty(output)
    if is_loop(contestant):
        with Worker(contestant) as worker, MemoryWatch(worker.process.pid) as watch:
            worker.run()
    else:
        watch = watched(contestant)
    return {"peak_bytes": watch.peak, "processes": watch.processes}


def size(path):
    """Returns width and height from the frame header of a JPEG."""
    data, at = path.read_bytes(), 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return struct.unpack(">HH", data[at + 5 : at + 9])[::-1]


def measure_outputs(output):
    """Returns the sizes of the outputs by the number at the start of the input's name, and the total bytes."""
    paths = [path for path in output.iterdir() if path.suffix in (".jpg", ".jpeg")]
    return {path.name[:2]: size(path) for path in paths}, sum(path.stat().st_size for path in paths)


def first_files(directory, work, count):
    """Links the first `count` files of a directory into a new one."""
    part = work / directory.name
    part.mkdir()
    for path in sorted(directory.iterdir())[:count]:
        os.link(path, part / path.name)
    return part


def measure(photos, work, what, rounds, families=None):
    """Measures ours and the peers of `families`, or all peers."""
    output = work / "outputs"
    contestants = [one for one in entries(photos, output) if one.kind != "peer" or not families
                   or one.family in families]  # fmt: skip
    samples, memory, sizes = [[] for _ in contestants], [], []
    # The first runs are not timed: they fill the page cache and measure outputs and memory.
    for contestant in contestants:
        memory.append(peak(contestant, output))
        sizes.append(measure_outputs(output))
    for turn in range(rounds):
        for number in order(len(contestants), turn):
            if turn == 0 or not contestants[number].is_slow:
                samples[number].append(run(contestants[number], output))
    rows = summary(contestants, samples)
    for number, (row, contestant) in enumerate(zip(rows, contestants)):
        row.update(memory[number])
        row["bytes"] = sizes[number][1]
        row["as_ours"] = sum(sizes[number][0].get(key) == value for key, value in sizes[0][0].items())
        if not row["as_ours"]:
            sys.exit(f"{contestant.name} wrote no output of the same size as ours")
    shutil.rmtree(output)
    count = len(list(photos.iterdir()))
    text = f"Fitted into {SIDE} pixels, quality {QUALITY}."
    return {"title": f"A batch of {count}, {what}", "text": text, "files": count, "rows": rows}


def measure_all(inputs, work, count, rounds):
    return {
        "plain": measure(first_files(inputs / "batch-plain", work, count), work, "single-scan files", rounds),
        "mixed": measure(first_files(inputs / "batch-mixed", work, count), work, "some progressive", rounds),
    }


def measure_heavy(inputs, work, count, rounds):
    photos = first_files(inputs / "batch-heavy", work, count)
    what = "heavy photos of 12 megapixels"
    return {"heavy": measure(photos, work, what, rounds, families=("pyvips", "vipsthumbnail"))}
