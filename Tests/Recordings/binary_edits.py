"""Bytes that no encoder writes: tags, lying headers, joined and laced streams. Used by make-recordings.py.

Every function takes and gives whole files as `bytes`; the inputs are files that the tools have just
written, so nothing here is a general parser.
"""
import struct

# ---------------------------------------------------------------- MPEG audio

MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]      # kbit/s, layer 3
MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

def mp3_frames(data):
    """Splits untagged layer 3 audio into its frames."""
    frames, at = [], 0
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] >= 0xE0:
        version, kind = data[at + 1] >> 3 & 3, data[at + 2]
        rate = [44100, 48000, 32000][kind >> 2 & 3] >> {3: 0, 2: 1, 0: 2}[version]
        kbits = (MPEG1 if version == 3 else MPEG2)[kind >> 4]
        size = (144 if version == 3 else 72) * kbits * 1000 // rate + (kind >> 1 & 1)
        frames.append(data[at:at + size])
        at += size
    return frames

def without_xing(data):
    """Drops the frame that only holds a Xing or Info header."""
    first = mp3_frames(data)[0]
    return data[len(first):] if b"Xing" in first or b"Info" in first else data

def xing_claims(data, frames=None, scale=None, lame=True):
    """Rewrites a Xing header's number of frames; `lame=False` also wipes the encoder's part, delay included."""
    data = bytearray(data)
    at = max(data.find(b"Xing", 0, 200), data.find(b"Info", 0, 200))
    have = struct.unpack_from(">I", data, at + 8)[0]
    struct.pack_into(">I", data, at + 8, frames if frames is not None else have * (scale or 1))
    if not lame:
        data[at + 120:at + 156] = bytes(36)
    return bytes(data)

def with_vbri(data, scale=1):
    """Puts Fraunhofer's header frame in front of layer 3 audio at 44.1 kHz that has no header frame."""
    frames = mp3_frames(data)
    step = -(-len(frames) // 100)
    toc = [sum(map(len, frames[i:i + step])) for i in range(0, len(frames), step)]
    head = frames[0][:2] + bytes([0x90]) + frames[0][3:4]                     # 128 kbit/s, 44.1 kHz: 417 bytes
    vbri = struct.pack(">4s3H2I4H", b"VBRI", 1, 0, 75, len(data) + 417, len(frames) * scale, len(toc), 1, 2, step)
    return (head.ljust(36, b"\0") + vbri + struct.pack(f">{len(toc)}H", *toc)).ljust(417, b"\0") + data

def mp1(seconds):
    """Layer 1, 44.1 kHz mono, 64 kbit/s: frames of silence, which is every allocation zero."""
    out, debt = b"", 0
    for _ in range(-(-int(seconds * 44100) // 384)):
        debt += 12 * 64000 % 44100
        pad, debt = debt // 44100, debt % 44100
        out += bytes([0xFF, 0xFF, 0x20 | pad << 1, 0xC0]).ljust(4 * (12 * 64000 // 44100 + pad), b"\0")
    return out

def id3v2(size, version=4):
    """A tag with a picture frame full of what looks like the start of MPEG frames and ends of tags."""
    body = b"image/jpeg\0\3\0".rjust(14, b"\0") + (b"\xff\xfb\x90\x64" b"TAG" b"APETAGEX" * (size // 15 + 1))[:size]
    def synchsafe(n):
        return bytes(n >> shift & 127 for shift in (21, 14, 7, 0))
    length = synchsafe(len(body)) if version == 4 else struct.pack(">I", len(body))
    frame = b"APIC" + length + b"\0\0" + body
    return b"ID3" + bytes([version, 0, 0]) + synchsafe(len(frame) + 100) + frame + bytes(100)

def tail_tags(lyrics=True):
    """Returns APEv2 (header and footer), Lyrics3v2 and ID3v1 tags in the order in which they follow audio."""
    item = struct.pack("<II", 13, 0) + b"Comment\0Invented note"
    def ape(flags):
        return b"APETAGEX" + struct.pack("<4I8x", 2000, len(item) + 32, 1, flags)
    words = b"LYRICSBEGIN" + b"IND0000200LYR00020[00:01]\xff\xfb\x90\x64 invented"
    lyrics3 = words + b"%06dLYRICS200" % len(words)
    return ape(0xA0000000) + item + ape(0x80000000) + lyrics3 * lyrics + b"TAG".ljust(128, b" ")

# ---------------------------------------------------------------- ADTS, AMR

def adts_frames(data):
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at + 3:at + 6], "big") >> 5 & 0x1FFF
        yield data[at:at + size]
        at += size

def adts(header, payload, blocks=1, crc=b""):
    """One ADTS frame with another payload; with a CRC field where `crc` is given (its value is not checked)."""
    size = 7 + len(crc) + len(payload)
    head = bytearray(header[:7])
    head[1] = head[1] & 0xFE | (not crc)
    head[3:6] = ((int.from_bytes(head[3:6], "big") & ~(0x1FFF << 5)) | size << 5).to_bytes(3, "big")
    head[6] = head[6] & 0xFC | blocks - 1
    return bytes(head) + crc + payload

def adts_crc(data):
    return b"".join(adts(f, f[7:], crc=b"\0\0") for f in adts_frames(data))

def adts_pairs(data):
    """Joins two raw data blocks in each frame, which the format allows and few encoders do."""
    frames = list(adts_frames(data))
    return b"".join(adts(f[0], b"".join(x[7:] for x in f), len(f)) for f in zip(frames[::2], frames[1::2]))

def amr_wb(frames):
    """Makes speech frames of pseudo-random bits at 12.65 kbit/s; two of ten are comfort-noise or empty frames."""
    out, state = b"#!AMR-WB\n", 1
    for i in range(frames):
        kind, size = (9, 5) if i % 10 == 4 else (15, 0) if i % 10 == 5 else (2, 32)
        state = state * 6364136223846793005 + 1 & (1 << 256) - 1
        out += bytes([kind << 3 | 4]) + state.to_bytes(32, "little")[:size]
    return out

# ---------------------------------------------------------------- Ogg

def crc_table(poly, bits):
    def entry(value):
        for _ in range(8):
            value = value << 1 ^ (poly if value >> bits - 1 & 1 else 0)
        return value & (1 << bits) - 1
    return [entry(i << bits - 8) for i in range(256)]

def crc(data, table, bits):
    value = 0
    for byte in data:
        value = (value << 8 ^ table[value >> bits - 8 ^ byte]) & (1 << bits) - 1
    return value

OGG_CRC, CRC8, CRC16 = crc_table(0x04C11DB7, 32), crc_table(0x07, 8), crc_table(0x8005, 16)

def ogg_pages(data):
    at = 0
    while at < len(data):
        body = at + 27 + data[at + 26]
        end = body + sum(data[at + 27:body])
        yield bytearray(data[at:end])
        at = end

def ogg_edit(data, change):
    """Calls `change(page, number)` for each page and recomputes its CRC. Removes pages for which it returns False."""
    out = b""
    for number, page in enumerate(ogg_pages(data)):
        if change(page, number) is not False:
            page[22:26] = bytes(4)
            out += bytes(page[:22]) + struct.pack("<I", crc(page, OGG_CRC, 32)) + bytes(page[26:])
    return out

def ogg_shift(data, ticks):
    """Adds `ticks` to the position of each audio page, as in a recording cut from a longer one."""
    def change(page, _):
        granule = struct.unpack_from("<q", page, 6)[0]
        if granule > 0:
            struct.pack_into("<q", page, 6, granule + ticks)
    return ogg_edit(data, change)

def ogg_without_end(data):
    """Clears the end-of-stream flag of all pages."""
    def change(page, _):
        page[5] &= ~4
    return ogg_edit(data, change)

def ogg_serial(data, serial):
    def change(page, _):
        struct.pack_into("<I", page, 14, serial)
    return ogg_edit(data, change)

def ogg_packets(data):
    """Returns the packets of an Ogg file with one stream."""
    packet, out = b"", []
    for page in ogg_pages(data):
        at = 27 + page[26]
        for size in page[27:at]:
            packet += page[at:at + size]
            at += size
            if size < 255:
                out.append(bytes(packet))
                packet = b""
    return out

# ---------------------------------------------------------------- FLAC

def flac_total(data, total):
    """STREAMINFO with another number of samples (0: unknown)."""
    data = bytearray(data)
    data[21] = data[21] & 0xF0 | total >> 32
    struct.pack_into(">I", data, 22, total & 0xFFFFFFFF)
    return bytes(data)

def flac_split(data):
    """(everything before the first frame, the frames, each as (header without its number, number's size, rest))."""
    at = 4
    while not data[at] & 0x80:
        at += 4 + int.from_bytes(data[at + 1:at + 4], "big")
    at += 4 + int.from_bytes(data[at + 1:at + 4], "big")
    start, starts, number = at, [], 0
    while at < len(data):
        if data[at:at + 2] == b"\xff\xf8":
            coded = number_utf8(len(starts))
            extra = {6: 1, 7: 2}.get(data[at + 2] >> 4, 0) + {12: 1, 13: 2, 14: 2}.get(data[at + 2] & 15, 0)
            end = at + 4 + len(coded) + extra
            if data[at + 4:at + 4 + len(coded)] == coded and crc(data[at:end], CRC8, 8) == data[end]:
                starts.append((at, len(coded), end))
        at += 1
    ends = [s[0] for s in starts[1:]] + [len(data)]
    return data[:start], [(data[s:s + 4], data[s + 4 + n:e], data[e + 1:stop - 2])
                          for (s, n, e), stop in zip(starts, ends)]

def number_utf8(n):
    if n < 128:
        return bytes([n])
    size = next(s for s in range(2, 8) if n < 1 << 5 * s + 1)
    rest = bytes(0x80 | n >> 6 * i & 63 for i in reversed(range(size - 1)))
    return bytes([(0xFF << 8 - size & 0xFF) | n >> 6 * (size - 1)]) + rest

def flac_variable(first, first_block, second, second_block):
    """Joins the frames of two streams into one with variable block sizes, numbered by samples."""
    head, a = flac_split(first)
    _, b = flac_split(second)
    out, sample = head[:8] + struct.pack(">HH", *sorted((first_block, second_block))) + bytes(6) + head[18:], 0
    for frames, block in ((a, first_block), (b, second_block)):
        for start, extra, body in frames:
            header = b"\xff\xf9" + start[2:] + number_utf8(sample) + extra
            frame = header + bytes([crc(header, CRC8, 8)]) + body
            out += frame + struct.pack(">H", crc(frame, CRC16, 16))
            sample += block
    return out
