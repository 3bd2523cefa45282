"""Evaluates the measures of `prep` on images with faults.

`python evaluate.py PREP FRAMES PHOTOS [--peers]`: PREP is the command, FRAMES a folder with the frames of `labels.csv`,
and PHOTOS a folder of photos. Prints how well sharpness tells blurred images from sharp ones, how the field of view
overlaps with the outlines in `fields.json`, and what the profile `ear` refuses. `--peers` evaluates other measures of
sharpness too; it needs scikit-image and brisque.
"""

import csv
import json
import pathlib
import sys

import numpy as np

import faults
import measured
import planes

SAVED = " + noise 6 + quality 60"
BLURRED = ["defocus 1.5", "defocus 2", "defocus 3", "defocus 4", f"defocus 2{SAVED}", f"defocus 4{SAVED}"] + [
    f"motion 9 at {angle}" for angle in (0, 45, 90, 135)]
FAULTY = ["defocus 3"] + [f"motion 11 at {angle}" for angle in (0, 45, 90, 135)] + [
    "exposure -2", "exposure +2", "noise 6", "quality 20", "half size", "enlarged 2", "enlarged 4"]


def area(sharp, blurred):
    """Returns the area under the curve: how often a sharp image has the higher value."""
    sharp, blurred = np.array(sharp)[:, None], np.array(blurred)[None]
    return (sharp > blurred).mean() + 0.5 * (sharp == blurred).mean()


def print_sharpness(prep, folder):
    lines = measured.measure_all(prep, folder, ["none", "quality 60", *BLURRED])
    found = {name: measured.values(one, "sharpness") for name, one in lines.items()}
    print(f"{pathlib.Path(folder).name}: sharpness {np.percentile(found['none'], [0, 5, 50, 95]).round(3)}")
    for name in BLURRED:
        sharp = found["quality 60" if "quality" in name else "none"]
        values = np.percentile(found[name], [5, 50, 95]).round(3)
        print(f"  {name:32} area {area(sharp, found[name]):.4f}  values {values}")


def print_peers(folder):
    import peers

    images = [planes.luma(planes.load(path)) for path in planes.paths(folder)]
    for peer, measure in peers.PEERS.items():
        found = {name: [measure(faults.apply(name, image)) for image in images]
                 for name in ["none", "quality 60", *BLURRED]}
        areas = [f"{area(found['quality 60' if 'quality' in name else 'none'], found[name]):.3f}" for name in BLURRED]
        print(f"{pathlib.Path(folder).name}, {peer}: {' '.join(areas)}")


def overlap(region, outline, width, height):
    """Returns the intersection by the union of an ellipse in `region` and one of center and radii, in pixels."""
    y, x = np.mgrid[:height, :width]
    ours = [(region["x"] + region["width"] / 2) * width, (region["y"] + region["height"] / 2) * height,
            region["width"] / 2 * width, region["height"] / 2 * height]
    inside = [((x - e[0]) / e[2]) ** 2 + ((y - e[1]) / e[3]) ** 2 <= 1 for e in (ours, outline)]
    return (inside[0] & inside[1]).sum() / (inside[0] | inside[1]).sum()


def print_fields(prep, folder):
    outlines = json.loads(pathlib.Path(__file__).with_name("fields.json").read_text())
    lines = measured.measure_all(prep, folder, ["none", "surrounded"])
    images = {name: line["image"] for name, line in lines["none"].items()}
    overlaps = [overlap(images[name]["measures"]["field_of_view"], outline, images[name]["width"],
                        images[name]["height"])
                for name, outline in outlines.items() if images[name]["measures"]["field_of_view"]]
    print(f"field of view: found in {len(overlaps)} of {len(outlines)}; overlap {np.mean(overlaps):.3f}, at least "
          f"{min(overlaps):.3f}")
    for key in ("mean", "p05", "p95", "contrast"):
        plain, surrounded = (np.array(measured.values(lines[name], key)) for name in ("none", "surrounded"))
        print(f"  {key} with a black surround: at most {np.abs(surrounded / plain - 1).max():.1%} different")


def labels():
    """Returns the names of the good frames, and of those that are held back."""
    with open(pathlib.Path(__file__).with_name("labels.csv")) as file:
        rows = list(csv.DictReader(file))
    good = {row["frame"] for row in rows if row["is_good"] == "yes"}
    return good, {row["frame"] for row in rows if row["held_back"] == "yes"}


def print_profile(prep, folder):
    good, held_back = labels()
    lines = measured.measure_all(prep, folder, ["none", *FAULTY], ["--image-policy", "ear", "--strict"])
    for name, frames in lines.items():
        refused = {frame: [reason["code"] for reason in line["reasons"]] for frame, line in frames.items()
                   if line["verdict"] == "rejected"}
        if name == "none":
            wrong = {frame: codes for frame, codes in refused.items() if frame in good}
            print(f"profile ear: good frames refused: {wrong}")
            print(f"  of {len(frames) - len(good)} others refused: {len(refused) - len(wrong)}")
            continue
        passed = sorted(frame for frame in frames if frame not in refused)
        print(f"  {name:16} let through: {len(passed)} of {len(frames)}, held back "
              f"{len(held_back.intersection(passed))} of {len(held_back)}")


def main():
    prep, frames, photos, *options = sys.argv[1:]
    for folder in (frames, photos):
        print_sharpness(prep, folder)
        if options == ["--peers"]:
            print_peers(folder)
    print_fields(prep, frames)
    print_profile(prep, frames)


if __name__ == "__main__":
    main()
