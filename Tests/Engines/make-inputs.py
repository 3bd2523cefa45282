"""Makes a batch: copies of intact and damaged samples in many directories, with names that engines may not handle.

usage: make-inputs.py SAMPLES DIR COPIES
"""

import os
import shutil
import sys

# Additional copies of the 12-megapixel photo in each directory, so that runs last long enough to be interrupted.
LARGE = 4

# Names that shells, line readers and text decoders may not handle. As bytes, because one is not UTF-8.
AWKWARD = [
    b"it's a \"quoted\" name.jpg",
    b"-leading dash.jpg",
    b"$HOME `and` {} %s.jpg",
    b"line\nbreak.jpg",
    "\u2028separator.jpg".encode(),
    b"caf\xe9.jpg",
    b"caf\xe9 dir/throat.jpg",
    "Überweisung/Öhr.jpg".encode(),
]


def copy(source, directory, name):
    target = os.path.join(directory, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)


def main(samples, directory, copies):
    samples, directory = os.fsencode(samples), os.fsencode(directory)
    photos = os.path.join(samples, b"photos")
    large, small = (os.path.join(photos, name) for name in (b"throat-12mp.jpg", b"ear-gray.jpg"))
    for number in range(copies):
        visit = os.path.join(directory, b"visit-%02d" % number)
        for kind in (b"photos", b"recordings", b"damaged"):
            shutil.copytree(os.path.join(samples, kind), os.path.join(visit, kind))
        for index in range(LARGE):
            copy(large, visit, b"large/%d.jpg" % index)
    for name in AWKWARD:
        copy(small, directory, b"awkward/" + name)
    # Two pairs of different files with the same output: a PNG's output ends in .png.jpg, and case is ignored.
    copy(os.path.join(photos, b"throat-16bit-alpha.png"), directory, b"collide/a.png")
    copy(small, directory, b"collide/a.png.jpg")
    copy(small, directory, b"collide/EAR.jpg")
    copy(large, directory, b"collide/ear.jpg")
    with open(os.path.join(directory, b"notes.txt"), "w") as notes:
        notes.write("neither media nor named like it\n")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
