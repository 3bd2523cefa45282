"""Finds durations with the libraries mutagen and tinytag and the programs ffprobe and mediainfo.

Each library is imported in its own function, so that a process only loads one. For programs, their own CPU time is
measured, without the cost of starting them from Python.
"""

import subprocess

import peers


def mutagen_seconds():
    import mutagen

    def seconds(path):
        try:
            file = mutagen.File(path)
        except mutagen.MutagenError:
            return None
        return None if file is None else file.info.length

    return seconds


def tinytag_seconds():
    import tinytag

    def seconds(path):
        try:
            return tinytag.TinyTag.get(path).duration
        except tinytag.TinyTagException:
            return None

    return seconds


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def ffprobe_seconds(path):
    """Starts a process for each file, because ffprobe takes one file."""
    command = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    return number(subprocess.run(command, capture_output=True, text=True).stdout)


class Programs(peers.AudioWorkload):
    works_in_children = True
    # A second run of a thousand new processes is not faster.
    warms_up = False


class MediaInfo(Programs):
    """Starts one process for all files. mediainfo omits files that it cannot open."""

    def run_once(self):
        command = ["mediainfo", "--Inform=General;%CompleteName%|%Duration%\\n", *self.paths]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        milliseconds = dict(line.rsplit("|", 1) for line in lines if "|" in line)
        found = [number(milliseconds.get(path, "")) for path in self.paths]
        self.seconds = [None if value is None else value / 1000 for value in found]
        return 0


def work(task, path, options):
    if task == "ffprobe":
        return Programs(ffprobe_seconds, path)
    if task == "mediainfo":
        return MediaInfo(None, path)
    return peers.AudioWorkload({"mutagen": mutagen_seconds, "tinytag": tinytag_seconds}[task](), path)
