"""Measures the CPU time of finding the durations of many audio files, and counts the correct ones."""

import pathlib
import tempfile

import recordings
from contestants import ours, peaks, peer, summary, take_turns


def measure(directory, truth, title, text, rounds, command_rounds):
    """Compares ours with libraries, then with programs in fewer rounds, because a thousand processes take long."""
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
            row["correct"] = recordings.count_correct(pathlib.Path(saved) / str(number), truth)
    return rows


def measure_all(work, count, rounds, command_rounds):
    notes, varied = work / "notes", work / "varied"
    return {
        "notes": measure(
            notes, recordings.make_short(notes, count), f"{count} short audio files",
            "Copies of the eight files of Samples/recordings, about two seconds each: WAV, FLAC, Opus, MP3 with and "
            "without a Xing header, M4A, WebM and CAF. Ours is the exact duration: it scans files whose header may be "
            "wrong.",
            rounds, command_rounds),
        "varied": measure(
            varied, recordings.make_varied(varied, count // 5), f"{count // 5} audio files of 7, 45 and 180 seconds",
            "WAV, FLAC, M4A, MP3, Ogg Vorbis, Opus and WebM by ffmpeg, each of the three lengths many times. Ours "
            "reads every frame header of MP3, Ogg and WebM to be exact. The others trust a header, or Ogg's last page.",
            rounds, 1),
    }  # fmt: skip
