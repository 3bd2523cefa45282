"""Compares the measurements with their required bounds."""

import dataclasses

import images
from contestants import CORES


@dataclasses.dataclass
class Requirement:
    """A row of the report: a bound, the measured value, and a note."""

    name: str
    bound: float
    measured: float | None
    note: str = ""
    is_minimum: bool = False
    form: str = ".2f"
    # Nothing for a ratio; only ratios are plotted.
    unit: str = ""

    @property
    def is_met(self):
        if self.measured is None:
            return False
        return self.measured >= self.bound if self.is_minimum else self.measured <= self.bound

    @property
    def verdict(self):
        return "not measured" if self.measured is None else "met" if self.is_met else "**not met**"


# What users of pyvips call, and what decodes all pixels.
VIPS_DEFAULTS = "libvips, thumbnail", "libvips, full size"


def named(task, name):
    return next(row for row in task["rows"] if row["name"] == name)


def ratio(row, key="cpu_ratio"):
    return row[key]["median"]


def fastest(task, family, key="cpu_ratio"):
    """Returns the row of a peer's fastest variant that decodes all pixels."""
    rows = [row for row in task["rows"] if row["family"] == family and not row["is_reduced"]]
    return max(rows, key=lambda row: ratio(row, key))


def compare_with_peer(tasks, key, family, peer, bound):
    task = tasks[key]
    row = fastest(task, family)
    reduced = [row for row in task["rows"] if row["family"] == family and row["is_reduced"]]
    notes = [row["name"].split(", ")[1]]
    our_psnr = named(task, images.WITH_LIBJPEG)["gamma"]["psnr_y"]
    for other in reduced:
        difference = other["gamma"]["psnr_y"] - our_psnr
        form = other["name"].split(", ")[1]
        notes.append(f"{ratio(other):.2f} against {form}, which decodes fewer pixels ({difference:+.2f} dB)")
    notes += [f"{ratio(row):.2f} against {row['name']}" for row in task["rows"] if row["family"] == "sharp"]
    return Requirement(f"{task['title']}, CPU time, against {peer}", bound, ratio(row), "; ".join(notes))


def compare_with_floor(tasks, key, bound):
    row = next(row for row in tasks[key]["rows"] if row["kind"] == "floor")
    return Requirement(f"{tasks[key]['title']}, CPU time, against {row['name']}", bound, ratio(row))


def compare_with_reducing(tasks, commands, key, bound):
    """Compares ours with the faster of pyvips, in warm processes, and vipsthumbnail, as commands. Both reduce."""
    task = tasks[key]
    found = [("pyvips", max(ratio(row) for row in task["rows"] if row["name"] in VIPS_DEFAULTS))]
    if key in commands:
        rows = [row for row in commands[key]["rows"] if row["family"] == "vipsthumbnail"]
        found.append(("vipsthumbnail", max(map(ratio, rows))))
    peer, value = max(found, key=lambda one: one[1])
    notes = [peer, *(f"{other:.2f} against {name}" for name, other in found if name != peer)]
    sharps = named(task, "libvips, as sharp calls it")
    notes.append(f"{ratio(sharps):.2f} against libvips as sharp calls it")
    name = f"{task['title']}, CPU time, against the faster of vipsthumbnail and pyvips, which reduce"
    return Requirement(name, bound, value, "; ".join(notes))


def single_images(tasks, commands):
    """Returns the requirements of the tasks that were measured."""
    peers = [
        ("sharp-jpeg", "vips", "libvips", 0.31), ("phone-1024", "vips", "libvips", 0.38),
        ("phone-1600", "vips", "libvips", 0.37), ("pillow-perf", "vips", "libvips", 0.35),
        ("pillow-perf", "pillow", "Pillow", 0.35), ("sharp-png", "vips", "libvips", 0.17),
        ("large-png", "vips", "libvips", 0.48),
    ]  # fmt: skip
    floors = [("phone-1024", 1.45), ("phone-1600", 1.55)]
    reducing = [("48mp-1600", 0.65), ("48mp-1024", 0.50)]
    return [
        *(compare_with_peer(tasks, *one) for one in peers if one[0] in tasks),
        *(compare_with_floor(tasks, *one) for one in floors if one[0] in tasks),
        *(compare_with_reducing(tasks, commands, *one) for one in reducing if one[0] in tasks),
    ]


def phone_formats(tasks, commands):
    """Returns the requirements of WebP and HEIC."""
    found = []
    if "webp-1600" in tasks:
        found.append(("webp-1600", tasks, "libvips, thumbnail", "pyvips, which scales while it decodes", 0.65))
        found.append(("webp-1600", tasks, "libvips, full size", "pyvips, which decodes all pixels", 0.47))
    if "heic-1600" in tasks:
        found.append(("heic-1600", tasks, "Pillow, full size", "pillow-heif", 0.70))
    if "heic-1600" in commands:
        found.append(("heic-1600", commands, "vipsthumbnail, one thread", "the system's vipsthumbnail", 0.50))
    return [
        Requirement(f"{measured[key]['title']}, CPU time, against {peer}", bound, ratio(named(measured[key], name)))
        for key, measured, name, peer, bound in found
    ]


def command_memory(commands):
    task = commands["24mp-1600"]
    peak = named(task, "prep")["peak_bytes"]
    name = f"{task['title']}, peak memory of the command above the size of the file, MiB"
    note = f"{peak / 2**20:.1f} MiB in all"
    return [Requirement(name, 24, (peak - task["input_bytes"]) / 2**20, note, form=".1f", unit="MiB")]


def smallest(task):
    rows = [row for row in task["rows"] if row["kind"] == "peer"]
    return min(rows, key=lambda row: row["peak_bytes"])


def batches(sets):
    # There are no bounds for another number of cores.
    if CORES != 2:
        return []
    requirements = []
    for family, peer, bound in (("pyvips", f"a {CORES}-thread pyvips loop", 0.42), ("vipsthumbnail",
        "the system's vipsthumbnail", 0.38),
                                ("pillow", f"a {CORES}-process Pillow", 0.30)):  # fmt: skip
        rows = {key: fastest(task, family, "wall_ratio") for key, task in sets.items()}
        note = f"{ratio(rows['plain'], 'wall_ratio'):.2f} without progressive files"
        if family == "vipsthumbnail":
            note = f"{rows['mixed']['name']}; {note}"
        name = f"batch of {sets['mixed']['files']} photos, wall time, against {peer}"
        requirements.append(Requirement(name, bound, ratio(rows["mixed"], "wall_ratio"), note))
    two_processes = named(sets["plain"], f"vipsthumbnail, {CORES} processes")
    for key, words, bound, least, against in (
        ("plain", "without progressive files", 0.50, two_processes, f"{CORES} vipsthumbnail processes"),
        ("mixed", "with progressive files", 0.75, smallest(sets["mixed"]), "the smallest peer's"),
    ):
        ours = named(sets[key], "prep")
        others = ", ".join(
            f"{ours['peak_bytes'] / row['peak_bytes']:.2f} {row['name']}" for row in sets[key]["rows"]
            if row["kind"] == "peer" and row is not least)  # fmt: skip
        name = f"peak memory of the batch {words}, against {against}"
        value = ours["peak_bytes"] / least["peak_bytes"]
        requirements.append(Requirement(name, bound, value, f"{least['name']}; {others}"))
    return requirements


def heavy_batch(sets):
    if CORES != 2:
        return []
    task = sets["heavy"]
    loop, thumbnail = (fastest(task, family, "wall_ratio") for family in ("pyvips", "vipsthumbnail"))
    name = f"batch of {task['files']} heavy photos, wall time, against a {CORES}-thread pyvips loop"
    note = f"{ratio(loop):.2f} in CPU time; {ratio(thumbnail, 'wall_ratio'):.2f} against {thumbnail['name']}"
    return [Requirement(name, 0.40, ratio(loop, "wall_ratio"), note)]


def kernels(task):
    # If AVX2 kernels were measured separately, the best kernels are those for AVX-512.
    ratios = {row["name"]: ratio(row) for row in task["rows"]}
    best, avx2 = ratios["best kernels"], ratios.get("AVX2 kernels")
    name, plain = ("AVX2", avx2) if avx2 else ("the best", best)
    what = "resampling alone, times as fast"
    return [
        Requirement(f"{name} kernels against portable, {what}", 3.0, plain / ratios["portable kernels"],
                    is_minimum=True),
        Requirement(f"AVX-512 kernels against AVX2, {what}", 1.15, best / avx2 if avx2 else None,
             "" if avx2 else "this processor has no AVX-512", is_minimum=True),
    ]  # fmt: skip


def audio(sets):
    short, long = sets["notes"], sets["varied"]
    peers = (("ffprobe, a process each", 0.01), ("mutagen", 0.10), ("tinytag", 0.50))
    return [
        Requirement(f"{short['title']}, CPU time, against {name}", bound, ratio(named(short, name)),
             f"{ratio(named(long, name)):.2g} for {long['title']}", form=".2g")
        for name, bound in peers
    ]  # fmt: skip


def equal_quality(task):
    """Compares ours with the better of the encoders that are made for small files."""
    requirements = []
    for side, found in task["sides"].items():
        for level, bound in ((60, 1.0), (80, 0.95), (90, 1.0)):
            rates = found["levels"][str(level)]["ssimulacra2"]
            peers = {name: rate["mean"] for name, rate in rates.items() if name not in ("MediaPrep", task["baseline"])}
            name = f"bytes at the SSIMULACRA2 of libjpeg-turbo's quality {level}, {side} pixels, against the better"
            if not peers or "MediaPrep" not in rates:
                requirements.append(Requirement(name, bound, None, "no such peer is installed"))
                continue
            best = min(peers, key=peers.get)
            note = f"{best}; {rates['MediaPrep']['mean']:.3f} of libjpeg-turbo's"
            requirements.append(
                Requirement(name, bound, rates["MediaPrep"]["mean"] / peers[best], note, form=".3f"))
    return requirements


def fidelity(tasks):
    """Compares ours, in libjpeg's tables, with the best peer that decodes all pixels, where ours is worst."""
    def least(light, measure):
        leads = []
        for task in tasks.values():
            rows = [row for row in task["rows"] if row["kind"] == "peer" and not row["is_reduced"]]
            best = max(rows, key=lambda row: row[light][measure])
            lead = named(task, images.WITH_LIBJPEG)[light][measure] - best[light][measure]
            leads.append((lead, f"{task['title']}, {best['name']}"))
        return min(leads)

    requirements = []
    for what, measure, bound, form in (
        ("PSNR-Y in dB", "psnr_y", -0.05, "+.3f"),
        ("SSIM-Y", "ssim_y", -0.0005, "+.5f"),
    ):
        lead, where = least("gamma", measure)
        linear, linear_where = least("linear", measure)
        name = f"fidelity in gamma light against the best full-size peer, {what}"
        note = f"{where}; in linear light {linear:{form}} ({linear_where})"
        requirements.append(Requirement(name, bound, lead, note, is_minimum=True, form=form))
    return requirements


def all_requirements(results):
    """Returns the requirements whose tasks were measured."""
    requirements = []
    tasks = results.get("images", {})
    commands = results.get("commands", {})
    requirements += single_images(tasks, commands)
    requirements += phone_formats(tasks, commands)
    if commands:
        requirements += command_memory(commands)
    if "batch" in results:
        requirements += batches(results["batch"])
    if "batch-heavy" in results:
        requirements += heavy_batch(results["batch-heavy"])
    if "kernels" in results:
        requirements += kernels(results["kernels"])
    if "recordings" in results:
        requirements += audio(results["recordings"])
    if "bytes" in results:
        requirements += equal_quality(results["bytes"])
    if len(tasks) == len(images.TASKS):
        requirements += fidelity(tasks)
    return requirements
