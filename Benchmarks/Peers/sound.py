"""Recordings by the thousand: CPU time to say how long each lasts, and how many of the answers are right."""

import pathlib
import tempfile

import recordings
from contestants import ours, peaks, peer, summary, take_turns


def measure(directory, truth, title, text, rounds, command_rounds):
    """In process against in process, in turns; then ours against programs, in fewer turns: a thousand processes take
    their time."""
    mine = ours("probe", directory)
    libraries = [peer("mutagen", "mutagen", directory), peer("tinytag", "tinytag", directory)]
    programs = [
        peer("ffprobe, a process each", "ffprobe", directory), peer("mediainfo, one process", "mediainfo", directory),
    ]  # fmt: skip
    rows = compare([mine, *libraries], truth, rounds) + compare([mine, *programs], truth, command_rounds, 0)[1:]
    for row, entry in zip(rows, [mine, *libraries]):
        row["peak_bytes"], row["idle_bytes"] = peaks(entry)
    return {"title": title, "text": text, "files": len(truth), "rows": rows}


def compare(entries, truth, rounds, milliseconds=150):
    with tempfile.TemporaryDirectory() as saved:
        rows = summary(entries, take_turns(entries, rounds, milliseconds, pathlib.Path(saved)))
        for number, row in enumerate(rows):
            row["right"] = recordings.right(pathlib.Path(saved) / str(number), truth)
    return rows


def measure_all(work, count, rounds, command_rounds):
    notes, varied = work / "notes", work / "varied"
    return {
        "notes": measure(
            notes, recordings.notes(notes, count), f"{count} short recordings",
            "Copies of the eight in Samples/recordings, of some two seconds each: WAV, FLAC, Opus, MP3 with and "
            "without a Xing header, M4A, WebM, CAF. Ours is the exact duration, by a scan where a header could lie.",
            rounds, command_rounds),
        "varied": measure(
            varied, recordings.varied(varied, count // 5), f"{count // 5} recordings of 7, 45 and 180 seconds",
            "WAV, FLAC, M4A, MP3, Ogg Vorbis, Opus and WebM by ffmpeg, each of the three lengths many times. Ours "
            "reads "
            "every frame's head of MP3, Ogg and WebM to be exact; the others believe a header, or Ogg's last page.",
            rounds, 1),
    }  # fmt: skip
