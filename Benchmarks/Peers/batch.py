"""Sixty photographs of a directory, on all cores: wall and CPU time, and memory of however many processes."""

import os
import shutil
import struct
import sys

from contestants import CORES, PREP, Contestant, Worker, order, peer, summary
from memory import MemoryWatch
from programs import timed, watched

SIDE, QUALITY = 1600, 80


def entries(photos, output):
    """Whoever takes a directory, or a list of files, or is told to by a loop. Ours is the command with its defaults: it
    keeps a record, brings outputs to the disk, and writes a manifest with their digests."""
    files = sorted(map(str, photos.iterdir()))
    listed = output.with_suffix(".list")
    listed.write_text("\n".join(files) + "\n")
    prep = [PREP, photos, "--output", output, "--max-dimension", SIDE, "--quality", QUALITY, "--quiet"]
    vips = ["vipsthumbnail", "--size", f"{SIDE}x{SIDE}>", "-o", f"{output}/%s.jpg[Q={QUALITY},strip,background=255]"]
    # It puts the names that it is given behind the directory for its outputs, so it starts where they are.
    magick = ["sh", "-c", 'cd "$0" && exec gm mogrify "$@"', photos, "-output-directory", output, "-format", "jpg",
              "-auto-orient", "-filter", "Lanczos", "-resize", f"{SIDE}x{SIDE}>", "-quality", QUALITY,
              "-sampling-factor", "2x2", "+profile", "!icm,*",
              *sorted(path.name for path in photos.iterdir())]  # fmt: skip
    loop = photos, f"output={output}", f"jobs={CORES}"
    one_thread = {"VIPS_CONCURRENCY": "1"}
    return [
        Contestant("prep", prep, kind="ours"),
        Contestant("prep, without its record", [*prep, "--no-state"], kind="variant"),
        peer(f"pyvips, {CORES} threads", "loop-vips", *loop, environment=one_thread, family="pyvips"),
        Contestant("vipsthumbnail", [*vips, *files], family="vipsthumbnail"),
        Contestant(f"vipsthumbnail, {CORES} processes", ["xargs", "-a", listed, "-P", CORES, "-n", "1", *vips],
            one_thread,
                   family="vipsthumbnail"),
        peer(f"Pillow, {CORES} processes", "loop-pillow", *loop, family="pillow"),
        Contestant("GraphicsMagick", magick, family="graphicsmagick", is_slow=True),
    ]  # fmt: skip


def fresh(output):
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    # What the last run wrote is not to be brought to the disk during this one.
    os.sync()


def is_loop(contestant):
    return "peers.py" in str(contestant.command[1])


def run(contestant, output):
    """One run into an empty directory. Of a loop in Python the time to start the interpreter isn't counted."""
    fresh(output)
    if not is_loop(contestant):
        return timed(contestant)
    with Worker(contestant) as worker:
        return worker.run()


def peak(contestant, output):
    fresh(output)
    if is_loop(contestant):
        with Worker(contestant) as worker, MemoryWatch(worker.process.pid) as watch:
            worker.run()
    else:
        watch = watched(contestant)
    return {"peak_bytes": watch.peak, "processes": watch.processes}


def size(path):
    """Width and height by the frame header of a JPEG."""
    data, at = path.read_bytes(), 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return struct.unpack(">HH", data[at + 5 : at + 9])[::-1]


def made(output):
    """Sizes of the outputs by the number that the input's name begins with, and the bytes of all."""
    paths = [path for path in output.iterdir() if path.suffix in (".jpg", ".jpeg")]
    return {path.name[:2]: size(path) for path in paths}, sum(path.stat().st_size for path in paths)


def chosen(directory, work, count):
    """The first so many files of a directory, in one of their own."""
    part = work / directory.name
    part.mkdir()
    for path in sorted(directory.iterdir())[:count]:
        os.link(path, part / path.name)
    return part


def measure(photos, work, what, rounds):
    output = work / "outputs"
    everybody = entries(photos, output)
    samples, memory, sizes = [[] for _ in everybody], [], []
    # Before it counts: this fills the page cache, and shows what each makes, and in how much memory.
    for contestant in everybody:
        memory.append(peak(contestant, output))
        sizes.append(made(output))
    for turn in range(rounds):
        for number in order(len(everybody), turn):
            if turn == 0 or not everybody[number].is_slow:
                samples[number].append(run(everybody[number], output))
    rows = summary(everybody, samples)
    for number, (row, contestant) in enumerate(zip(rows, everybody)):
        row.update(memory[number])
        row["bytes"] = sizes[number][1]
        row["as_ours"] = sum(sizes[number][0].get(key) == value for key, value in sizes[0][0].items())
        if not row["as_ours"]:
            sys.exit(f"{contestant.name} made nothing that ours made")
    shutil.rmtree(output)
    count = len(list(photos.iterdir()))
    text = f"Fitted into {SIDE} pixels, quality {QUALITY}."
    return {"title": f"A batch of {count}, {what}", "text": text, "files": count, "rows": rows}


def measure_all(inputs, work, count, rounds):
    return {
        "plain": measure(chosen(inputs / "batch-plain", work, count), work, "single-scan files", rounds),
        "mixed": measure(chosen(inputs / "batch-mixed", work, count), work, "progressive ones among them", rounds),
    }
