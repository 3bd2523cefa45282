"""Makes a corpus of audio files with known durations: 7.31 s of speech in every container and codec that the
local tools write, and the same with missing or wrong headers.

    python Tests/Recordings/make-recordings.py OUTDIR

Writes OUTDIR/plain, OUTDIR/hard and OUTDIR/truth.tsv (file, true seconds, seconds of one codec frame, and
whether ffmpeg's decoder counted them or the construction determines them). Files that the tools cannot encode
are omitted with a message on stderr. Needs ffmpeg, sox and espeak-ng; uses lame, flac, opus-tools,
vorbis-tools, speex and mkvtoolnix if installed. OUTDIR/decoded.tsv has ffmpeg's counts, even wrong ones.
"""
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import adversarial_files
from encoder_recipes import FRAME, HARD, PARTS, PLAIN, SECONDS, T, TRUE

RATES = (48000, 44100, 32000, 24000, 22050, 16000, 11025, 8000)
FF = "ffmpeg -nostdin -y -v error "

def sources(tmp):
    """Makes the same speech, cut to exactly T seconds, at every sample rate."""
    words = ("The patient reports a mild sore throat since Monday morning, no fever, and some trouble swallowing. "
             "She took one tablet yesterday and slept well.")
    subprocess.run(["espeak-ng", "-v", "en", "-s", "150", "-w", tmp / "speech.wav", words], check=True)
    names = {}
    for tag, mix in (("m", ["1"]), ("s", ["1", "1v0.7"]), ("six", ["1", "1v0.7", "1v0.5", "0", "1v0.3", "1v0.2"])):
        for rate in RATES:
            names[f"{tag}{rate // 1000}"] = out = tmp / f"{tag}{rate}.wav"
            subprocess.run(["sox", "-V1", "-D", "-R", tmp / "speech.wav", "-b", "16", out, "gain", "-3",
                            "rate", str(rate), "remix", *mix, "pad", "0", "10",
                            "trim", "0", f"{int(T * rate + 0.5)}s"], check=True)
    return names

def make(root, folder, table, names):
    """Runs the commands of a table, and prints those that fail."""
    for line in table.strip().splitlines():
        name, how = line.split(None, 1)
        out = root / folder / name
        out.parent.mkdir(parents=True, exist_ok=True)
        first, rest = how.split(None, 1)
        command = rest if first == "$" else f"{FF} -i {{{first}}} {rest} {{out}}"
        run = subprocess.run(["bash", "-o", "pipefail", "-c", command.format(out=out, ff=FF, **names)],
                             cwd=root, capture_output=True, text=True)
        if run.returncode or not out.exists() or not out.stat().st_size:
            print(f"omitted: {folder}/{name}: {(run.stderr.strip() or 'nothing written').splitlines()[-1]}",
                  file=sys.stderr)
            out.unlink(missing_ok=True)

def probe(path):
    """Returns ffprobe's names of the codec and the sample rate."""
    run = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "a:0", "-of", "csv=p=0", "-show_entries",
                          "stream=codec_name,sample_rate", path], capture_output=True, text=True)
    codec, rate = (run.stdout.strip().splitlines() or ["unknown,44100"])[0].split(",")[:2]
    return codec, int(rate) or 44100                                  # free format, which ffprobe does not know

def decoded(path, rate):
    """Returns the seconds that ffmpeg decodes."""
    command = [*FF.split(), "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"]
    return len(subprocess.run(command, capture_output=True).stdout) / 2 / rate

def frame_seconds(name, codec, rate):
    for pattern, seconds in SECONDS.items():
        if fnmatch(name, pattern):
            return seconds
    if codec == "mp3" and rate < 32000:
        return 576 / rate
    if codec == "speex":
        return 0.02
    return FRAME.get(codec, 1) / rate

def main(root):
    tmp = root / "parts"
    tmp.mkdir(parents=True, exist_ok=True)
    names = sources(tmp)
    video = "-f lavfi -i testsrc=s=32x32:r=5:d="
    names |= {"tmp": tmp, "video9": video + "9", "video5": video + "5",
              "raw": "--force-raw-format --endian=little --sign=signed --channels=2 --bps=16 --sample-rate=44100 -c -",
              "soxraw": "-t raw -r 44100 -b 16 -e signed -c 2 -",
              "fragments": "-frag_duration 1000000 -movflags frag_keyframe+empty_moov+default_base_moof"}
    make(root, "parts", PARTS, names)
    make(root, "plain", PLAIN, names)
    make(root, "hard", HARD, names)

    def read(name, folder="plain"):
        path = root / folder / name
        return (path if path.exists() else tmp / name).read_bytes()

    known = {}
    for name, data, seconds in adversarial_files.files(read):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
        known[name] = seconds
    with open(root / "truth.tsv", "w") as truth, open(root / "decoded.tsv", "w") as counts:
        print("file", "true_seconds", "frame_seconds", "how", sep="\t", file=truth)
        for path in sorted([*root.glob("plain/*/*"), *root.glob("hard/*/*")]):
            name = str(path.relative_to(root))
            codec, rate = probe(path)
            count = decoded(path, rate)
            seconds = next((TRUE[pattern] for pattern in TRUE if fnmatch(name, pattern)), known.get(name))
            how = "decoded" if seconds is None else "constructed"
            print(name, f"{count if seconds is None else seconds:.9f}", f"{frame_seconds(name, codec, rate):.9f}", how,
                  sep="\t", file=truth)
            print(name, f"{count:.9f}", codec, rate, sep="\t", file=counts)

if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
