"""Makes files of the corpus by editing bytes: yields (name, bytes, true seconds).

`read` returns the bytes of a file that the tools made. Without true seconds (None), ffmpeg's decoder counts them.
"""
import struct
import sys

import boxes
import binary_edits as hand
from encoder_recipes import T

def put(data, at, form, *values):
    out = bytearray(data)
    struct.pack_into(form, out, at, *values)
    return bytes(out)

def mpeg(read):
    vbr, cbr, bare = read("mp3/vbr-44khz.mp3"), read("mp3/cbr.mp3"), read("mp3/cbr-no-info.mp3")
    frames = hand.without_xing(vbr)
    count = len(hand.mp3_frames(frames))
    heard = count * 1152 / 44100
    yield "plain/mp3/id3v2-twice.mp3", hand.id3v2(40000) + hand.id3v2(3000, 3) + vbr, T
    yield "plain/mp3/tail-tags.mp3", vbr + hand.tail_tags(), T
    yield "plain/mp3/tail-tags-bare.mp3", hand.id3v2(500) + bare + hand.tail_tags(), None
    yield "plain/mp3/tail-ape-id3.mp3", bare + hand.tail_tags(lyrics=False), None
    yield "plain/mp3/vbri.mp3", hand.with_vbri(frames), heard
    yield "plain/mp3/xing-without-lame.mp3", hand.xing_claims(vbr, lame=False), heard
    yield "plain/mp1/mp1.mp1", hand.mp1(T), None
    yield "hard/mp3/vbr-no-xing.mp3", frames, heard
    yield "hard/mp3/xing-0-frames.mp3", hand.xing_claims(vbr, frames=0), T
    yield "hard/mp3/xing-lying.mp3", hand.xing_claims(vbr, scale=10), T
    yield "hard/mp3/xing-lying-short.mp3", hand.xing_claims(vbr, frames=100), T
    yield "hard/mp3/vbri-lying.mp3", hand.with_vbri(frames, 10), heard
    quiet = hand.mp3_frames(read("mp3/silence-32.mp3"))[0]
    loud = hand.mp3_frames(hand.without_xing(read("mp3/cbr-320.mp3")))
    yield "hard/mp3/quiet-first-frame.mp3", quiet + b"".join(loud), (1 + len(loud)) * 1152 / 44100
    yield "hard/mp3/joined.mp3", cbr + cbr, 2 * T
    yield "hard/mp3/joined-bare.mp3", bare + bare, None
    yield "hard/mp3/joined-vbr-tagged.mp3", vbr + hand.tail_tags() + hand.id3v2(900) + vbr + hand.tail_tags(), 2 * T
    yield "hard/mp3/cut-in-front.mp3", frames[700:], None
    yield "hard/mp3/zeros-behind.mp3", frames + bytes(60000), heard
    aac = read("aac/adts.aac")
    yield "hard/aac/joined.aac", aac + aac, None
    yield "hard/aac/tags.aac", hand.id3v2(2000) + aac + hand.tail_tags(lyrics=False), None
    yield "hard/aac/crc.aac", hand.adts_crc(aac), None
    blocks = len(list(hand.adts_frames(aac)))
    yield "hard/aac/two-blocks.aac", hand.adts_pairs(aac), blocks // 2 * 2048 / 44100
    yield "plain/amr/wb.amr", hand.amr_wb(366), 7.32

def pcm(read):
    s16, u8 = read("wav/s16.wav"), read("wav/u8.wav")
    at = s16.index(b"data") + 4
    for name, size in (("all-ones", 0xFFFFFFFF), ("zero", 0), ("7ffff000", 0x7FFFF000), ("too-large", len(s16))):
        yield f"hard/wav/size-{name}.wav", put(put(s16, at, "<I", size), 4, "<I", min(size + 36, 0xFFFFFFFF)), T
    note = b"LIST" + struct.pack("<I4s4sI", 26, b"INFO", b"ICMT", 14) + b"Invented note\0"
    yield "hard/wav/list-behind.wav", put(s16 + note, 4, "<I", len(s16) + len(note) - 8), T
    yield "hard/wav/list-in-front.wav", put(s16[:12] + note + s16[12:], 4, "<I", len(s16) + len(note) - 8), T
    odd = u8[:u8.index(b"data") + 8 + 322371]
    yield "hard/wav/odd-padded.wav", put(odd + b"\0" + note, 4, "<I", len(odd) + len(note) - 7), T
    yield "hard/wav/odd-not-padded.wav", odd, T
    yield "hard/wav/joined.wav", s16 + s16, T
    yield "hard/wav/bytes-behind.wav", s16 + b"not audio " * 5000, T
    yield "plain/wav/bw64.wav", read("wav/rf64.wav").replace(b"RF64", b"BW64", 1), T
    rf64 = read("wav/rf64.wav")
    yield "hard/wav/rf64-no-sizes.wav", put(rf64, 20, "<QQQ", 0, 0, 0), T
    au, caf = read("au/s16.au"), read("caf/s16le.caf")
    yield "hard/au/unknown-size.au", put(au, 8, ">I", 0xFFFFFFFF), T
    yield "hard/au/long-header.au", put(au[:24] + bytes(1000) + au[24:], 4, ">I", 1024 + au[7] - 24), T
    size, data = 322371 * 4, caf.index(b"data")
    yield "hard/caf/unknown-size.caf", put(caf[:data + 16 + size], data + 4, ">q", -1), T
    packets = [frame[7:] for frame in hand.adts_frames(read("aac/adts.aac"))]
    yield "plain/caf/aac.caf", boxes.caf_aac(packets, 322371, 1024), T
    yield "plain/caf/aac-all-valid.caf", boxes.caf_aac(packets, len(packets) * 1024, 0), None
    flac = read("flac/flac.flac")
    yield "hard/flac/unknown-total.flac", hand.flac_total(flac, 0), T
    yield "hard/flac/lying-total.flac", hand.flac_total(flac, 3223710), T
    yield "hard/flac/lying-total-short.flac", hand.flac_total(flac, 100000), T
    yield "plain/flac/id3v2.flac", hand.id3v2(2000) + flac, T
    yield "hard/flac/id3v1-unknown-total.flac", hand.flac_total(flac, 0) + b"TAG".ljust(128, b" "), T
    variable = hand.flac_variable(read("flac/first.flac"), 4608, read("flac/second.flac"), 1152)
    yield "plain/flac/variable.flac", variable, T
    yield "hard/flac/variable-unknown-total.flac", hand.flac_total(variable, 0), T

def ogg(read):
    for name, rate in (("vorbis.ogg", 44100), ("opus.opus", 48000), ("speex-wb.spx", 16000), ("flac.oga", 44100)):
        whole = read("ogg/" + name)
        yield f"hard/ogg/no-end-{name}", hand.ogg_without_end(whole), T
        if name != "flac.oga":
            yield f"hard/ogg/shifted-{name}", hand.ogg_shift(whole, 100 * rate), T
        yield f"hard/ogg/joined-{name}", whole + hand.ogg_serial(whole, 77), 2 * T
    yield "hard/ogg/joined-same-serial.opus", read("ogg/opus.opus") * 2, 2 * T
    yield "hard/ogg/joined-opus-vorbis.ogg", read("ogg/opus.opus") + read("ogg/vorbis.ogg"), 2 * T
    yield "hard/ogg/bytes-behind.ogg", read("ogg/vorbis.ogg") + b"OggS not a page " * 500, T

def mp4(read):
    aac, fragmented = read("mp4/aac.m4a"), read("mp4/fragmented-aac.mp4")
    yield "plain/mp4/64-bit-times.m4a", boxes.version1(aac), T
    # HE-AAC only by its configuration (no free encoder writes it): twice the sample rate, still 22050 ticks per second.
    he = read("mp4/aac-22khz.m4a").replace(b"\x13\x88\x56\xe5\0", b"\x2b\x8a\x10\0\0")
    yield "plain/mp4/he-aac.m4a", he, T
    yield "plain/mp4/ipcm.mp4", boxes.ipcm(read("mp4/sowt.mov")), T
    yield "plain/mp4/itunsmpb.m4a", boxes.smpb(aac, 1024, 316 * 1024 - 1024 - 322371, 322371), T
    for name, lie in (("lying", lambda old: old * 10), ("zero", lambda old: 0), ("ones", lambda old: 0xFFFFFFFF)):
        yield f"hard/mp4/durations-{name}.m4a", boxes.durations(aac, lie), T
        yield f"hard/mp4/fragmented-durations-{name}.mp4", boxes.durations(fragmented, lie), None
    yield "hard/mp4/mdhd-lying.m4a", boxes.durations(aac, lambda old: old // 3, [b"mdhd"]), T
    yield "hard/mp4/edit-lying.m4a", boxes.edits(aac, (73100, 1024)), T
    yield "hard/mp4/edit-zero.m4a", boxes.edits(aac, (0, 1024)), T
    yield "hard/mp4/edit-silence-first.m4a", boxes.edits(aac, (500, -1), (7310, 1024)), T
    yield "hard/mp4/edit-middle-cut.m4a", boxes.edits(aac, (2000, 1024), (3310, 1024 + 4 * 44100)), 5.31
    yield "hard/mp4/fragments-from-third.mp4", boxes.without_fragments(fragmented, 2), 233283 / 44100

def matroska(read):
    packets = hand.ogg_packets(read("ogg/opus.opus"))
    same = hand.ogg_packets(read("ogg/opus-cbr.opus"))
    yield "plain/mkv/laced-xiph.mka", boxes.laced(packets, 1, seconds=T), T
    yield "plain/mkv/laced-fixed.mka", boxes.laced(same, 2, seconds=T), T
    yield "plain/mkv/laced-ebml.mka", boxes.laced(packets, 3, scale=100_000, seconds=T), T
    yield "hard/mkv/laced-8-no-duration.mka", boxes.laced(packets, 3, count=8, seconds=T), T
    for kind in ("webm/opus.webm", "webm/vorbis.webm", "mkv/aac.mka"):
        stem, end = kind.split(".")
        yield f"hard/{stem}-lying.{end}", boxes.info_duration(read(kind), lambda old: old * 10), None
        yield f"hard/{stem}-no-duration.{end}", boxes.info_duration(read(kind), lambda old: None), None
    live = read("webm/live.webm", "hard")
    yield "hard/webm/live-joined-late.webm", boxes.without_clusters(live, 2), None

def files(read):
    for part in (mpeg, pcm, ogg, mp4, matroska):
        try:
            yield from part(read)
        except FileNotFoundError as missing:
            print(f"omitted: the edited files from the first that needs {missing.filename}", file=sys.stderr)
