"""Writes HEIF files of coded pictures: boxes, items, properties and references."""

import struct
from dataclasses import dataclass, field


def box(kind, *content):
    content = b"".join(content)
    return struct.pack(">I4s", len(content) + 8, kind.encode()) + content


def full_box(kind, *content, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def size_property(width, height):
    return full_box("ispe", struct.pack(">II", width, height))


def color_property(primaries, matrix, is_full_range, transfer=13):
    return box("colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, 0x80 if is_full_range else 0))


def light_level_property(maximum, mean):
    """The luminance of the brightest pixel, and the highest mean of a picture, in cd/m2."""
    return box("clli", struct.pack(">HH", maximum, mean))


def rotation_property(quarter_turns):
    return box("irot", bytes([quarter_turns]))


def mirroring_property(axis):
    return box("imir", bytes([axis]))


def aperture_property(x, y, width, height, whole_width, whole_height):
    """The shown part. The offset is that of the centers, as a fraction over 2."""
    offsets = (2 * x + width - whole_width, 2 * y + height - whole_height)
    return box("clap", struct.pack(">IIIIiIiI", width, 1, height, 1, offsets[0], 2, offsets[1], 2))


def alpha_property():
    return full_box("auxC", b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")


def grid_description(columns, rows, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


@dataclass
class Item:
    kind: str
    data: bytes
    properties: list = field(default_factory=list)


def heif_file(items, references=(), brand="mif1"):
    """A file whose first item, number 1, is the primary one. References are (kind, from, [to])."""
    unique = list(dict.fromkeys(p for item in items for p in item.properties))
    associations = b"".join(
        struct.pack(">HB", number, len(item.properties))
        + bytes(0x80 | unique.index(p) + 1 for p in item.properties)
        for number, item in enumerate(items, 1)
    )
    entries = b"".join(
        full_box("infe", struct.pack(">HH4sB", number, 0, item.kind.encode(), 0), version=2)
        for number, item in enumerate(items, 1)
    )
    links = b"".join(
        box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to)) for kind, source, to in references
    )

    def meta(data_offset):
        locations = b""
        for number, item in enumerate(items, 1):
            locations += struct.pack(">HHHII", number, 0, 1, data_offset, len(item.data))
            data_offset += len(item.data)
        return full_box(
            "meta",
            full_box("hdlr", struct.pack(">I4s12xB", 0, b"pict", 0)),
            full_box("pitm", struct.pack(">H", 1)),
            full_box("iinf", struct.pack(">H", len(items)), entries),
            full_box("iloc", struct.pack(">BBH", 0x44, 0, len(items)), locations),
            full_box("iref", links) if links else b"",
            box("iprp", box("ipco", *unique), full_box("ipma", struct.pack(">I", len(items)), associations)),
        )

    head = box("ftyp", brand.encode(), b"\0\0\0\0", b"mif1", brand.encode())
    offset = len(head) + len(meta(0)) + 8
    return head + meta(offset) + box("mdat", *(item.data for item in items))
