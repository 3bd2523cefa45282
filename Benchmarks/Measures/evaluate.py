"""Evaluates the measures of `prep` on images with faults.

`python evaluate.py PREP FRAMES PHOTOS [--peers]`: PREP is the command, FRAMES a folder with the frames of `labels.csv`,
and PHOTOS a folder of photos. Prints how well the measures tell images with a fault from those without, at all
strengths of `faults.py`, how the field of view overlaps with the outlines in `fields.json`, and what the profile `ear`
refuses of the frames, and `throat` of the photos. `--peers` evaluates other measures of sharpness and the prototypes
too; it needs scikit-image and brisque.
"""

import concurrent.futures
import csv
import json
import pathlib
import sys

import numpy as np

import faults
import measured
import planes

def named(prefix):
    """Returns the faults of all strengths whose names have a prefix."""
    return [name for name in faults.FAULTS if name.startswith(prefix)]


SAVED = " + noise 6 + quality 60"
BLURRED = named("defocus") + [name + SAVED for name in named("defocus")] + named("motion")
# The measure that shows a fault, and whether the fault raises it.
SHOWN_BY = {
    "exposure -": ("mean", False), "exposure +": ("mean", True), "noise": ("noise", True),
    "quality": ("blocking", True), "glare": ("glare", True), "enlarged": ("detail", False)}
# A surround is no fault.
FAULTY = [name for name in faults.FAULTS if name != "surrounded"]


def area(sharp, blurred):
    """Returns the area under the curve: how often a sharp image has the higher value."""
    sharp, blurred = np.array(sharp)[:, None], np.array(blurred)[None]
    return (sharp > blurred).mean() + 0.5 * (sharp == blurred).mean()


def blur_areas(found):
    """Returns the area of each blur. Saved images are compared with sharp ones that were saved, too."""
    return {name: area(found["quality 60" if "quality" in name else "none"], found[name]) for name in BLURRED}


def print_sharpness(prep, folder, with_peers):
    lines = measured.measure_all(prep, folder, ["none", "quality 60", *BLURRED])
    found = {name: measured.values(one, "sharpness") for name, one in lines.items()}
    print(f"{pathlib.Path(folder).name}: sharpness {np.percentile(found['none'], [0, 5, 50, 95]).round(3)}")
    others = peer_areas(folder) if with_peers else {}
    for name, ours in blur_areas(found).items():
        values = np.percentile(found[name], [5, 50, 95]).round(3)
        theirs = "".join(f", {peer} {areas[name]:.4f}{' (higher)' if areas[name] > ours else ''}"
                         for peer, areas in others.items())
        print(f"  {name:32} area {ours:.4f}  values {values}{theirs}")


def peer_values(path):
    """Returns the values of each peer for an image without and with each blur."""
    import peers

    image = planes.luma(planes.load(path))
    blurred = {name: faults.apply(name, image) for name in ["none", "quality 60", *BLURRED]}
    return {peer: {name: measure(one) for name, one in blurred.items()}
            for peer, measure in (peers.PEERS | peers.PROTOTYPES).items()}


def peer_areas(folder):
    with concurrent.futures.ProcessPoolExecutor() as pool:
        images = list(pool.map(peer_values, planes.paths(folder)))
    return {peer: blur_areas({name: [image[peer][name] for image in images] for name in images[0][peer]})
            for peer in images[0]}


def print_other_measures(prep, folder):
    names = [name for prefix in SHOWN_BY for name in named(prefix)]
    lines = measured.measure_all(prep, folder, ["none", *names])
    for prefix, (measure, is_raised) in SHOWN_BY.items():
        plain = measured.values(lines["none"], measure)
        print(f"  {measure} without a fault: {np.percentile(plain, [5, 50, 95]).round(3)}")
        for name in named(prefix):
            faulty = measured.values(lines[name], measure)
            found = area(faulty, plain) if is_raised else area(plain, faulty)
            print(f"  {name:32} area {found:.4f}  values {np.percentile(faulty, [5, 50, 95]).round(3)}")


def overlap(region, outline, width, height):
    """Returns the intersection by the union of an ellipse in `region` and one of center and radii, in pixels."""
    y, x = np.mgrid[:height, :width]
    ours = [(region["x"] + region["width"] / 2) * width, (region["y"] + region["height"] / 2) * height,
            region["width"] / 2 * width, region["height"] / 2 * height]
    inside = [((x - e[0]) / e[2]) ** 2 + ((y - e[1]) / e[3]) ** 2 <= 1 for e in (ours, outline)]
    return (inside[0] & inside[1]).sum() / (inside[0] | inside[1]).sum()


def print_fields(prep, folder):
    outlines = json.loads(pathlib.Path(__file__).with_name("fields.json").read_text())
    lines = measured.measure_all(prep, folder, ["none"])["none"]
    images = {name: line["image"] for name, line in lines.items()}
    regions = {name: images[name]["measures"]["field_of_view"] for name in outlines}
    # A field that was not found has no overlap.
    overlaps = [overlap(regions[name], outline, images[name]["width"], images[name]["height"])
                if regions[name] else 0 for name, outline in outlines.items()]
    print(f"field of view: found in {sum(map(bool, regions.values()))} of {len(outlines)}; overlap "
          f"{np.mean(overlaps):.3f}, at least {min(overlaps):.3f}")


def labels():
    """Returns the names of the good frames, and of those that are held back."""
    with open(pathlib.Path(__file__).with_name("labels.csv")) as file:
        rows = list(csv.DictReader(file))
    good = {row["frame"] for row in rows if row["is_good"] == "yes"}
    return good, {row["frame"] for row in rows if row["held_back"] == "yes"}


def print_profile(prep, folder, profile, good, held_back):
    lines = measured.measure_all(prep, folder, ["none", *FAULTY], ["--image-policy", profile, "--strict"])
    for name, frames in lines.items():
        refused = {frame: [reason["code"] for reason in line["reasons"]] for frame, line in frames.items()
                   if line["verdict"] == "rejected"}
        if name == "none":
            wrong = {frame: codes for frame, codes in refused.items() if frame in good}
            print(f"profile {profile}: good images refused: {wrong}")
            print(f"  of {len(frames) - len(good)} others refused: {len(refused) - len(wrong)}")
            continue
        passed = sorted(frame for frame in frames if frame not in refused)
        print(f"  {name:16} let through: {len(passed)} of {len(frames)}, held back "
              f"{len(held_back.intersection(passed))} of {len(held_back)}")


def main():
    prep, frames, photos, *options = sys.argv[1:]
    for folder in (frames, photos):
        print_sharpness(prep, folder, options == ["--peers"])
        print_other_measures(prep, folder)
    print_fields(prep, frames)
    print_profile(prep, frames, "ear", *labels())
    # The photos have no faults that were seen.
    print_profile(prep, photos, "throat", {path.stem for path in planes.paths(photos)}, set())


if __name__ == "__main__":
    main()
