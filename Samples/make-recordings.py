"""Makes MediaPrep's sample audio files: a short spoken note in the usual formats.

    python Samples/make-recordings.py     (needs espeak-ng, sox, ffmpeg, lame, flac and opusenc)

The voice is synthesized by espeak-ng. The sentence, the name and the position (0.5 S, 25.25 W, open ocean)
are invented. Dates, serial numbers and, if possible, names of tools are omitted or fixed, so a second run with
the same tools writes the same bytes. The committed files were made with espeak-ng 1.51,
sox 14.4.2, ffmpeg 5.1.9, lame 3.100, flac 1.4.2 and opus-tools 0.2 (libopus 1.3.1).
"""
import struct
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TITLE, POSITION = "Invented Person, visit on a Friday", "-00.5000-025.2500/"
WORDS = "Sore throat since Monday, no fever."
FF = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
EXACT = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-metadata", "title=" + TITLE]

def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options).stdout

def speech(tmp):
    """28,800 frames (1.8 s) at 16 kHz, mono, 16 bits."""
    run("espeak-ng", "-v", "en", "-s", "215", "-w", tmp / "raw.wav", WORDS)
    run("sox", "-V1", "-D", "-R", tmp / "raw.wav", "-b", "16", "-c", "1", tmp / "note.wav", "gain", "-3",
        "rate", "16000", "silence", "1", "0.01", "0.2%", "pad", "0.05", "3", "trim", "0", "28800s",
        "fade", "0", "28800s", "0.03")
    return tmp / "note.wav"

# ---------------------------------------------------------------- a position, three times

def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, kind) + body

def udta_position():
    """Returns the boxes that phones write: `©xyz` text, and 3GPP's `loci` with the position in 16.16 fixed point."""
    text = POSITION.encode()
    place = struct.pack(">3i", round(-25.25 * 65536), round(-0.5 * 65536), 0)
    return (box(b"\xa9xyz", struct.pack(">HH", len(text), 0x15C7), text)
            + box(b"loci", bytes(4), struct.pack(">H", 0x15C7), b"Invented place\0", b"\0", place, b"earth\0", b"\0"))

def quicktime_position():
    """Returns the `meta` box of Apple's recorders, which has a list of keys and a list of values."""
    keys = [(b"com.apple.quicktime.location.ISO6709", POSITION.encode()),
            (b"com.apple.quicktime.make", b"Invented"), (b"com.apple.quicktime.model", b"Recorder 1")]
    names = b"".join(box(b"mdta", name) for name, _ in keys)
    values = b"".join(box(struct.pack(">I", number), box(b"data", struct.pack(">II", 1, 0), value))
                      for number, (_, value) in enumerate(keys, 1))
    return box(b"meta", box(b"hdlr", bytes(8), b"mdta", bytes(13)),
               box(b"keys", struct.pack(">II", 0, len(keys)), names), box(b"ilst", values))

def with_position(data):
    """Adds both to a file whose moov is its last box and whose udta is moov's last box, so that no offset moves."""
    moov = data.index(b"moov") - 4
    udta = data.rindex(b"udta", moov) - 4
    assert moov + struct.unpack_from(">I", data, moov)[0] == len(data), "moov ends the file"
    assert udta + struct.unpack_from(">I", data, udta)[0] == len(data), "udta ends moov"
    user = box(b"udta", data[udta + 8:], udta_position())
    return data[:moov] + box(b"moov", data[moov + 8:udta], user, quicktime_position())

# ---------------------------------------------------------------- the files

def without_xing(data):
    """Removes the first MPEG frame, which only has the Xing header. The next one starts with the same two bytes."""
    start = data.index(b"\xff\xf3") if data[:3] == b"ID3" else 0
    return data[:start] + data[data.index(data[start:start + 2], start + 4):]

def samples(tmp):
    """Yields all files as (name, bytes)."""
    note = speech(tmp)

    def ffmpeg(name, *arguments):
        run(*FF, "-i", note, "-map_metadata", "-1", *arguments, *EXACT, tmp / name)
        return (tmp / name).read_bytes()

    def encoder(name, *command):
        run(*command)
        return (tmp / name).read_bytes()

    yield "recordings/visit-note.wav", ffmpeg("a.wav", "-c:a", "pcm_s16le")
    yield "recordings/visit-note.flac", encoder(
        "a.flac", "flac", "-s", "-8", "--no-padding", f"--tag=TITLE={TITLE}", "-o", tmp / "a.flac", note)
    yield "recordings/visit-note.opus", encoder(
        "a.opus", "opusenc", "--quiet", "--serial", "1", "--bitrate", "40", "--title", TITLE, note, tmp / "a.opus")
    vbr = encoder("a.mp3", "lame", "--quiet", "-V", "4", "--resample", "16", "--id3v2-only", "--tt", TITLE,
                  note, tmp / "a.mp3")
    yield "recordings/visit-note-vbr.mp3", vbr
    yield "recordings/visit-note-vbr-no-xing.mp3", without_xing(vbr)
    aac = ["-c:a", "aac", "-b:a", "40k", "-metadata", "creation_time=2024-05-17T10:00:00Z"]
    yield "recordings/visit-note-position.m4a", with_position(ffmpeg("a.m4a", *aac))
    yield "recordings/visit-note-live.webm", ffmpeg("a.webm", "-c:a", "libopus", "-b:a", "40k", "-live", "1")
    yield "recordings/visit-note.caf", ffmpeg("a.caf", "-c:a", "pcm_s16le")

    whole = ffmpeg("b.m4a", *aac, "-movflags", "+faststart")
    yield "damaged/truncated.m4a", whole[:len(whole) * 60 // 100]
    run("sox", "-D", "-n", "-r", "8000", "-c", "1", "-b", "16", tmp / "silent.wav", "trim", "0", "1")
    yield "damaged/silent.wav", (tmp / "silent.wav").read_bytes()
    yield "damaged/voice.wav", vbr

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, data in samples(Path(folder)):
            (HERE / name).parent.mkdir(parents=True, exist_ok=True)
            (HERE / name).write_bytes(data)
            print(f"{len(data):>9}  {name}")
