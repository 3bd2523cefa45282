"""Edits and writes MP4 boxes and EBML elements for make-recordings.py."""
import struct

# ---------------------------------------------------------------- MP4

PARENTS = {b"moov", b"trak", b"edts", b"mdia", b"minf", b"stbl", b"mvex", b"moof", b"traf", b"udta"}

def parse(data):
    """Returns a list of [type, payload]. The payload of a box that only has boxes is such a list."""
    out, at = [], 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + size]
        out.append([kind, parse(body) if kind in PARENTS else body])
        at += size
    return out

def lay(boxes):
    out = b""
    for kind, body in boxes:
        body = lay(body) if isinstance(body, list) else body
        out += struct.pack(">I4s", len(body) + 8, kind) + body
    return out

def each(boxes, *kinds):
    """Yields all boxes of these types, at any depth."""
    for box in boxes:
        if box[0] in kinds:
            yield box
        if isinstance(box[1], list):
            yield from each(box[1], *kinds)

DURATION = {b"mvhd": 16, b"mdhd": 16, b"tkhd": 20}                     # where version 0 has its 32 bits

def durations(data, change, kinds=(b"mvhd", b"mdhd", b"tkhd")):
    """Rewrites header durations by `change(old)`."""
    boxes = parse(data)
    for box in each(boxes, *kinds):
        at = DURATION[box[0]]
        old = struct.unpack_from(">I", box[1], at)[0]
        box[1] = box[1][:at] + struct.pack(">I", change(old)) + box[1][at + 4:]
    return lay(boxes)

def version1(data):
    """mvhd, tkhd and mdhd with 64-bit times. The moov box must follow mdat."""
    boxes = parse(data)
    for box in each(boxes, *DURATION):
        b, gap = box[1], 4 if box[0] != b"tkhd" else 8
        times = struct.pack(">QQ", *struct.unpack_from(">II", b, 4)) + b[12:12 + gap]
        box[1] = b"\1" + b[1:4] + times + struct.pack(">Q", *struct.unpack_from(">I", b, 12 + gap)) + b[16 + gap:]
    return lay(boxes)

def edits(data, *entries):
    """Replaces the edit list by (duration in the movie's ticks, media time); none removes it. moov must follow mdat."""
    boxes = parse(data)
    body = struct.pack(">II", 0, len(entries)) + b"".join(struct.pack(">IiI", d, t, 0x10000) for d, t in entries)
    for trak in each(boxes, b"trak"):
        trak[1] = [box for box in trak[1] if box[0] != b"edts"]
        if entries:
            trak[1].insert(1, [b"edts", [[b"elst", body]]])
    return lay(boxes)

def smpb(data, priming, remainder, samples):
    """Writes delay and padding as iTunes does, instead of an edit list. moov must follow mdat."""
    boxes = parse(edits(data))
    text = f" 00000000 {priming:08X} {remainder:08X} {samples:016X}" + " 00000000" * 8
    def box(kind, body):
        return struct.pack(">I4s", len(body) + 8, kind) + body
    tag = box(b"----", box(b"mean", bytes(4) + b"com.apple.iTunes") + box(b"name", bytes(4) + b"iTunSMPB")
              + box(b"data", struct.pack(">II", 1, 0) + text.encode()))
    handler = box(b"hdlr", bytes(8) + b"mdirappl" + bytes(9))
    next(each(boxes, b"moov"))[1].append([b"udta", [[b"meta", bytes(4) + handler + box(b"ilst", tag)]]])
    return lay(boxes)

def ipcm(data):
    """Converts a QuickTime file with little-endian 16-bit PCM to ISO 23003-5. moov must follow mdat."""
    boxes = parse(data)
    boxes[0][1] = b"isom" + bytes(4) + b"isommp42"
    for box in each(boxes, b"stsd"):
        pcmc = struct.pack(">I4sIBB", 14, b"pcmC", 0, 1, 16)
        entry = bytes(6) + b"\0\1" + bytes(8) + box[1][32:36] + bytes(4) + box[1][40:44]
        box[1] = struct.pack(">II", 0, 1) + struct.pack(">I4s", 8 + len(entry) + len(pcmc), b"ipcm") + entry + pcmc
    return lay(boxes)

def without_fragments(data, first):
    """Returns the initialization and the fragments from number `first`, as in a stream joined late."""
    boxes, seen, out = parse(data), 0, []
    for box in boxes:
        seen += box[0] == b"moof"
        if box[0] in (b"ftyp", b"moov") or seen > first and box[0] in (b"moof", b"mdat"):
            out.append(box)
    return lay(out)

# ---------------------------------------------------------------- CAF

def caf_aac(packets, valid, priming):
    """Writes AAC in CAF as Apple's tools do: cookie, data, and the packet table with the valid frames."""
    def chunk(kind, body):
        return kind + struct.pack(">q", len(body)) + body
    def descriptor(tag, body):
        return bytes([tag, 0x80, 0x80, 0x80, len(body)]) + body
    config = descriptor(4, b"\x40\x15" + bytes(11) + descriptor(5, b"\x12\x10"))       # LC, 44.1 kHz, stereo
    cookie = descriptor(3, bytes(3) + config + descriptor(6, b"\2"))
    sizes = b"".join(bytes([0x80 | len(p) >> 7] if len(p) > 127 else []) + bytes([len(p) & 127]) for p in packets)
    table = struct.pack(">qqii", len(packets), valid, priming, len(packets) * 1024 - priming - valid) + sizes
    return (b"caff\0\1\0\0" + chunk(b"desc", struct.pack(">d4s5I", 44100, b"aac ", 0, 0, 1024, 2, 0))
            + chunk(b"kuki", cookie) + chunk(b"pakt", table) + chunk(b"data", bytes(4) + b"".join(packets)))

# ---------------------------------------------------------------- Matroska

def element(number, *parts):
    body = b"".join(parts)
    return bytes.fromhex(number) + (len(body) | 1 << 56).to_bytes(8, "big") + body

def uint(number, value):
    return element(number, value.to_bytes(8, "big"))

def info_duration(data, change):
    """Rewrites the Info element's Duration (8 bytes); it is voided if `change` returns None."""
    at = data.index(b"\x44\x89\x88")
    new = change(struct.unpack_from(">d", data, at + 3)[0])
    field = b"\xec\x89" + bytes(9) if new is None else data[at:at + 3] + struct.pack(">d", new)
    return data[:at] + field + data[at + 11:]

def without_clusters(data, first):
    """Returns the header and the clusters from number `first`, as in a live stream joined late."""
    cluster = bytes.fromhex("1f43b675")
    head, *rest = data.split(cluster)
    return cluster.join([head] + rest[first:])

def vint(value):
    """Encodes the shortest EBML number."""
    size = next(s for s in range(1, 9) if value < (1 << 7 * s) - 1)
    return (value | 1 << 7 * size).to_bytes(size, "big")

def lace(kind, packets):
    """Encodes the packet sizes of a laced block. 1: Xiph, 2: equal sizes, 3: EBML."""
    sizes, count = [len(p) for p in packets], bytes([len(packets) - 1])
    if kind == 1:
        return count + b"".join(b"\xff" * (s // 255) + bytes([s % 255]) for s in sizes[:-1])
    if kind == 2:
        return count
    steps = b""
    for before, now in zip(sizes, sizes[1:-1]):
        size = next(s for s in range(1, 9) if abs(now - before) < (1 << 7 * s - 1) - 1)
        steps += (now - before + (1 << 7 * size - 1) - 1 | 1 << 7 * size).to_bytes(size, "big")
    return count + vint(sizes[0]) + steps

def laced(opus, kind, scale=1_000_000, count=5, seconds=None):
    """Writes 20 ms Opus packets to Matroska without a Duration: laced blocks, one cluster per second."""
    head, _, *packets = opus
    skip = int.from_bytes(head[10:12], "little")
    padding = len(packets) * 20_000_000 - skip * 1_000_000_000 // 48000 - round(seconds * 1e9)
    clusters = []
    for second in range(0, len(packets), 50):
        blocks = []
        end = min(second + 50, len(packets))
        for i in range(second, end, count):
            group = packets[i:min(i + count, end)]
            time = (i - second) * 20_000_000 // scale
            flags, sizes = (0x80 | kind << 1, lace(kind, group)) if len(group) > 1 else (0x80, b"")
            block = b"\x81" + struct.pack(">hB", time, flags) + sizes + b"".join(group)
            last = i + count >= len(packets)
            blocks.append(element("a0", element("a1", block), uint("75a2", padding)) if last else element("a3", block))
        clusters.append(element("1f43b675", uint("e7", second * 20_000_000 // scale), *blocks))
    track = element("ae", uint("d7", 1), uint("73c5", 1), uint("83", 2), element("86", b"A_OPUS"), uint("9c", 1),
                    element("63a2", head), uint("56aa", skip * 1_000_000_000 // 48000), uint("56bb", 80_000_000),
                    element("e1", element("b5", struct.pack(">d", 48000)), uint("9f", head[9])))
    return (element("1a45dfa3", element("4282", b"matroska"), uint("4287", 4), uint("4285", 2))
            + element("18538067", element("1549a966", uint("2ad7b1", scale), element("4d80", b"hand"),
                                          element("5741", b"hand")), element("1654ae6b", track), *clusters))
