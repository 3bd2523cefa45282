"""What the figures must show, held against what was measured."""

import dataclasses

from contestants import CORES


@dataclasses.dataclass
class Must:
    """A row: what is compared, the bound, what was found, and what should be known beside it."""

    what: str
    bound: float
    found: float | None
    note: str = ""
    is_least: bool = False
    form: str = ".2f"

    @property
    def is_met(self):
        return self.found is not None and (self.found >= self.bound if self.is_least else self.found <= self.bound)

    @property
    def verdict(self):
        return "not measured" if self.found is None else "met" if self.is_met else "**not met**"


def named(task, name):
    return next(row for row in task["rows"] if row["name"] == name)


def ratio(row, key="cpu_ratio"):
    return row[key]["median"]


def hardest(task, family, key="cpu_ratio"):
    """Ours beside the fastest form of a peer that decodes all pixels."""
    rows = [row for row in task["rows"] if row["family"] == family and not row["is_reduced"]]
    return max(rows, key=lambda row: ratio(row, key))


def against(tasks, key, family, peer, bound):
    task = tasks[key]
    row = hardest(task, family)
    reduced = [row for row in task["rows"] if row["family"] == family and row["is_reduced"]]
    notes = [row["name"].split(", ")[1]]
    mine = named(task, "MediaPrep")["gamma"]["psnr_y"]
    for other in reduced:
        off = other["gamma"]["psnr_y"] - mine
        form = other["name"].split(", ")[1]
        notes.append(f"{ratio(other):.2f} beside {form}, which decodes fewer pixels ({off:+.2f} dB)")
    return Must(f"{task['title']}, CPU time, against {peer}", bound, ratio(row), "; ".join(notes))


def against_floor(tasks, key, bound):
    row = next(row for row in tasks[key]["rows"] if row["kind"] == "floor")
    return Must(f"{tasks[key]['title']}, CPU time, against {row['name']}", bound, ratio(row))


def pictures(tasks):
    return [
        against(tasks, "sharp-jpeg", "vips", "libvips", 0.33),
        against(tasks, "phone-1024", "vips", "libvips", 0.48),
        against(tasks, "phone-1600", "vips", "libvips", 0.42),
        against_floor(tasks, "phone-1024", 1.45),
        against_floor(tasks, "phone-1600", 1.55),
        against(tasks, "pillow-perf", "vips", "libvips", 0.35),
        against(tasks, "pillow-perf", "pillow", "Pillow", 0.35),
        against(tasks, "sharp-png", "vips", "libvips", 0.15),
        against(tasks, "large-png", "vips", "libvips", 0.65),
    ]


def smallest(task):
    rows = [row for row in task["rows"] if row["kind"] == "peer"]
    return min(rows, key=lambda row: row["peak_bytes"])


def batches(sets):
    # For any other number of cores there are figures, but nothing that they must be.
    if CORES != 2:
        return []
    musts = []
    for family, peer, bound in (("pyvips", f"a {CORES}-thread pyvips loop", 0.42), ("vipsthumbnail",
        "the system's vipsthumbnail", 0.38),
                                ("pillow", f"a {CORES}-process Pillow", 0.30)):  # fmt: skip
        rows = {key: hardest(task, family, "wall_ratio") for key, task in sets.items()}
        beside = f"{ratio(rows['plain'], 'wall_ratio'):.2f} without progressive files"
        if family == "vipsthumbnail":
            beside = f"{rows['mixed']['name']}; {beside}"
        what = f"batch of {sets['mixed']['files']} photos, wall time, against {peer}"
        musts.append(Must(what, bound, ratio(rows["mixed"], "wall_ratio"), beside))
    for key, words, bound in (("plain", "without progressive files", 0.25), ("mixed", "with progressive files", 0.75)):
        mine, least = named(sets[key], "prep"), smallest(sets[key])
        others = ", ".join(
            f"{mine['peak_bytes'] / row['peak_bytes']:.2f} {row['name']}" for row in sets[key]["rows"]
            if row["kind"] == "peer" and row is not least)  # fmt: skip
        musts.append(Must(f"peak memory of the batch {words}, against the smallest peer's", bound,
                          mine["peak_bytes"] / least["peak_bytes"], f"{least['name']}; {others}"))  # fmt: skip
    return musts


def kernels(task):
    # Where there are AVX2 kernels beside the best, those are for AVX-512.
    ratios = {row["name"]: ratio(row) for row in task["rows"]}
    best, avx2 = ratios["best kernels"], ratios.get("AVX2 kernels")
    name, plain = ("AVX2", avx2) if avx2 else ("the best", best)
    what = "resampling alone, times as fast"
    return [
        Must(f"{name} kernels against portable, {what}", 3.0, plain / ratios["portable kernels"], is_least=True),
        Must(f"AVX-512 kernels against AVX2, {what}", 1.15, best / avx2 if avx2 else None,
             "" if avx2 else "this processor has no AVX-512", is_least=True),
    ]  # fmt: skip


def sounds(sets):
    short, long = sets["notes"], sets["varied"]
    peers = (("ffprobe, a process each", 0.01), ("mutagen", 0.10), ("tinytag", 0.50))
    return [
        Must(f"{short['title']}, CPU time, against {name}", bound, ratio(named(short, name)),
             f"{ratio(named(long, name)):.2g} for {long['title']}", form=".2g")
        for name, bound in peers
    ]  # fmt: skip


def fidelity(tasks):
    """Of all tasks the one in which ours is the least ahead of the best full-size peer, or the most behind."""
    def least(light, measure):
        leads = []
        for task in tasks.values():
            rows = [row for row in task["rows"] if row["kind"] == "peer" and not row["is_reduced"]]
            best = max(rows, key=lambda row: row[light][measure])
            lead = named(task, "MediaPrep")[light][measure] - best[light][measure]
            leads.append((lead, f"{task['title']}, {best['name']}"))
        return min(leads)

    musts = []
    for what, measure, bound, form in (
        ("PSNR-Y in dB", "psnr_y", -0.05, "+.3f"),
        ("SSIM-Y", "ssim_y", -0.0005, "+.5f"),
    ):
        lead, where = least("gamma", measure)
        linear, there = least("linear", measure)
        musts.append(Must(f"fidelity in gamma light against the best full-size peer, {what}", bound, lead,
                          f"{where}; in linear light {linear:{form}} ({there})", is_least=True, form=form))  # fmt: skip
    return musts


def all_musts(results):
    """The rows for which there are figures."""
    musts = []
    tasks = results.get("pictures", {})
    if len(tasks) == 6:
        musts += pictures(tasks)
    if "batch" in results:
        musts += batches(results["batch"])
    if "kernels" in results:
        musts += kernels(results["kernels"])
    if "recordings" in results:
        musts += sounds(results["recordings"])
    if len(tasks) == 6:
        musts += fidelity(tasks)
    return musts
