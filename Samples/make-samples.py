"""Makes MediaPrep's sample images: painted throats and ear drums, plus a few damaged files, and the article's figures.

    python Samples/make-samples.py              (needs only numpy and Pillow)
    python Samples/make-samples.py figures      (only the figures)

Everything is computed here: no photograph and no third-party file goes in. All randomness comes
from seeded generators, so a second run writes the same bytes. The committed files were made with
numpy 2.4.6 and Pillow 13.0.0 (libjpeg-turbo 3.2.0, libwebp 1.6.0, zlib 1.2.13); other versions may give other bytes.
"""
import hashlib
import io
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
F = np.float32

# ---------------------------------------------------------------- painting tools

class Canvas:
    """Coordinates x (right) and y (down), scaled so that the shorter side spans -1 ... 1."""

    def __init__(self, width, height, seed):
        self.width, self.height, self.rng = width, height, np.random.default_rng(seed)
        self.half = min(width, height) / 2
        self.x = ((np.arange(width, dtype=F) + 0.5 - width / 2) / F(self.half))[None, :]
        self.y = ((np.arange(height, dtype=F) + 0.5 - height / 2) / F(self.half))[:, None]

    def noise(self, cells, octaves=1, gain=0.5):
        """Value noise around 0: random grids, `cells` across the shorter side, doubled per octave."""
        total, weight = np.zeros((self.height, self.width), F), 1.0
        for octave in range(octaves):
            step = 2 * self.half / (cells * 2 ** octave)
            if step < 1.5:
                break
            grid = (int(self.height / step) + 3, int(self.width / step) + 3)
            values = Image.fromarray(self.rng.uniform(-1, 1, grid).astype(F))
            box = (1, 1, 1 + self.width / step, 1 + self.height / step)
            total += F(weight) * np.asarray(values.resize((self.width, self.height), Image.BICUBIC, box))
            weight *= gain
        return total

    def vessels(self, cells, width, density=0.0):
        """Thin winding lines: where a smooth noise crosses zero, broken up by a second noise."""
        line = np.exp(-(self.noise(cells, 4, 0.45) / F(width)) ** 2)
        return line * smooth(-0.3 - density, 0.6 - density, self.noise(cells * 0.6, 2))

def smooth(low, high, value):
    t = np.clip((value - F(low)) / F(high - low), 0, 1)
    return t * t * (3 - 2 * t)

def color(red, green, blue):
    """A color named by its usual 0 ... 255 values, as linear light."""
    return ((np.array([red, green, blue], F) / 255) ** F(2.2)).astype(F)

def mix(picture, paint, mask):
    """Blends one color (or an image) over another with a mask of 0 ... 1."""
    return picture + (paint - picture) * mask[..., None]

def union(a, b, softness):
    """Joins two distance fields (positive = inside) with a rounded seam."""
    t = np.clip(0.5 + 0.5 * (a - b) / softness, 0, 1)
    return b + (a - b) * t + softness * t * (1 - t)

def oval(x, y, cx, cy, rx, ry, power=2.0):
    """About the distance to an oval's edge, positive inside."""
    r = (np.abs((x - cx) / rx) ** F(power) + np.abs((y - cy) / ry) ** F(power)) ** F(1 / power)
    return F(min(rx, ry)) * (1 - r)

def capsule(x, y, start, end, r0, r1):
    """About the distance to the edge of a rounded stick that is r0 thick at one end and r1 at the other."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    t = np.clip(((x - start[0]) * dx + (y - start[1]) * dy) / F(dx * dx + dy * dy), 0, 1)
    return r0 + (r1 - r0) * t - np.hypot(x - start[0] - t * dx, y - start[1] - t * dy)

def rounded(inside, radius):
    """Height of a cushion whose edge rises over `radius`."""
    t = 1 - np.clip(inside / F(radius), 0, 1)
    return (1 - t * t) * F(radius * 0.65)

def light(canvas, picture, height, wet, bumps):
    """Shades by the slope of `height` for a lamp near the lens; `wet` scales the mirror highlights."""
    def cosines(field, lx, ly):
        gy, gx = np.gradient(field, F(1 / canvas.half))
        return (1 - lx * gx - ly * gy) / np.sqrt((1 + gx * gx + gy * gy) * F(1 + lx * lx + ly * ly))

    diffuse = 0.30 + 0.70 * np.clip(cosines(height, -0.25, -0.45), 0, None)
    shine = np.clip(cosines(height + bumps, -0.13, -0.24), 0, 1)
    glint = 0.05 * shine ** 18 + 0.95 * smooth(0.990, 0.9995, shine)
    return picture * diffuse[..., None] + (glint * wet)[..., None] * np.array([1, 0.96, 0.92], F)

# ---------------------------------------------------------------- the two scenes

def throat(canvas):
    """Looking into a mouth: palate arch, uvula, tonsils, back wall, tongue. Returns linear RGB."""
    c = canvas
    x, y = c.x + 0.035 * c.noise(2.5, 3) + 0 * c.y, c.y + 0.035 * c.noise(2.5, 3)
    side, grain, fine = np.abs(x), c.noise(7, 5, 0.6), c.noise(60, 4, 0.75)
    picture = np.broadcast_to(color(150, 52, 46), (*x.shape, 3)).astype(F)
    height = 0.010 * c.noise(9, 3)
    picture *= (0.42 + 0.10 * grain - 0.30 * smooth(0.45, 0.0, np.hypot(x, (y - 0.35) * 0.8)))[..., None]
    wet = np.full(x.shape, F(0.15))

    def layer(inside, paint, radius, relief, wetness, shadow=0.16):
        nonlocal picture, height, wet
        mask = smooth(-0.006, 0.010, inside)
        picture = picture * (1 - 0.75 * smooth(-shadow, 0.01, inside))[..., None]
        picture = mix(picture, paint, mask)
        height = height + (rounded(inside, radius) + relief - height) * mask
        wet = wet + (wetness - wet) * mask

    def flesh(red, green, blue, light_level=1.0, mottle=0.22):
        return color(red, green, blue) * (light_level * (1 + mottle * grain + 0.07 * fine))[..., None]

    # The rear pair of arches, the tonsils between the arches, then the front arch with the uvula.
    layer(-oval(x, y, 0, 0.42, 0.40, 0.58, 2.3), flesh(176, 66, 58, 0.55), 0.16, 0.006 * grain, 0.2)
    tonsils = oval(side, y, 0.53, 0.27, 0.155, 0.27, 2.2) + 0.02 * c.noise(8, 2)
    pits = smooth(0.45, 0.9, c.noise(13, 2))
    layer(tonsils, mix(flesh(205, 96, 84, 0.85), color(120, 34, 30), 0.7 * pits), 0.14, -0.035 * pits, 0.6)
    arch = -oval(side, y, 0, 0.50, 0.62, 0.80, 2.5)
    uvula = capsule(x, y, (0.01, -0.42), (0.025, 0.10), 0.085, 0.070)
    palate = mix(flesh(216, 112, 98), flesh(232, 158, 138), smooth(-0.35, -1.1, y + 0.25 * side * side))
    palate = mix(palate, color(168, 36, 40), 0.50 * c.vessels(4, 0.035, 0.1) * smooth(0.6, -0.2, y))
    palate = mix(palate, color(190, 66, 60), 0.55 * smooth(0.16, 0.0, np.abs(union(arch, uvula, 0.16) - 0.02)))
    layer(union(arch, uvula, 0.16), palate, 0.066, 0.010 * grain, 1.0, 0.24)

    # The tongue: a broad dome with small bumps, a pale coat and a groove along the middle.
    tongue = (y - 0.50 - 0.34 * x * x - 0.035 * np.exp(-(x / 0.12) ** 2)) * F(0.85)
    papillae = smooth(0.15, 0.8, c.noise(52, 3, 0.6))
    coat = smooth(-0.2, 0.9, c.noise(5, 3) + 0.8 - 1.1 * side) * smooth(0.03, 0.3, tongue)
    top = mix(flesh(204, 92, 90), flesh(226, 166, 154), 0.65 * coat + 0.2 * papillae)
    groove = np.exp(-(x / 0.05) ** 2) * smooth(0.02, 0.25, tongue)
    top *= (1 - 0.38 * groove)[..., None]
    layer(tongue, top, 0.34, 0.006 * papillae - 0.05 * groove, 0.75, 0.22)
    picture = light(c, picture, height, wet * smooth(-0.45, 0.7, c.noise(4, 2)), 0.016 * c.noise(11, 4, 0.42))
    falloff = smooth(1.62, 0.35, np.hypot(c.x * 1.12, c.y * 0.92 + 0.05))
    return picture * (0.04 + 1.0 * falloff)[..., None]

def ear(canvas):
    """Looking down an ear canal at a grey, half-transparent drum. Returns linear RGB."""
    c = canvas
    x, y = c.x + 0.025 * c.noise(2, 3) + 0 * c.y, c.y + 0.025 * c.noise(2, 3)
    r, angle = np.hypot(x - 0.04, (y - 0.02) * 0.90), np.arctan2(y - 0.10, x - 0.06)
    grain, fine = c.noise(7, 5, 0.6), c.noise(60, 4, 0.75)
    rim = F(0.60) + 0.03 * np.cos(angle * 2 + 0.6)
    inside = rim - r                                             # positive on the drum

    # The canal: skin with folds that run round it, darker with depth.
    folds = c.noise(3, 2) * 0.9 + np.sin((r - rim) * 40 + 2.4 * c.noise(2.2, 3))
    canal = color(214, 160, 132) * (1 + 0.18 * grain + 0.09 * fine + 0.13 * folds)[..., None]
    canal = mix(canal, color(206, 122, 104), smooth(0.32, 0.0, -inside))
    canal = mix(canal, color(178, 70, 60), 0.45 * c.vessels(6, 0.05))
    canal *= (0.30 + 0.75 * smooth(0.0, 0.38, -inside))[..., None]
    height = 0.017 * folds + 0.006 * grain

    # The drum: a shallow cone with faint spokes, a pale ring, and the middle ear glowing through.
    spokes = np.sin(angle * 70 + 5 * c.noise(4, 3)) * smooth(0.05, 0.3, r)
    drum = color(196, 190, 184) * (0.86 + 0.10 * grain + 0.035 * fine + 0.022 * spokes)[..., None]
    drum = mix(drum, color(196, 166, 122), 0.55 * smooth(0.34, 0.0, np.hypot(x + 0.16, y - 0.22)))
    drum = mix(drum, color(118, 112, 116), 0.60 * smooth(0.34, 0.0, np.hypot(x + 0.26, y + 0.16)))
    drum = mix(drum, color(206, 128, 116), 0.60 * smooth(-0.30, -0.52, y))
    drum = mix(drum, color(186, 74, 68), 0.55 * c.vessels(5, 0.045, 0.2) * smooth(0.26, 0.0, inside))
    drum = mix(drum, color(232, 222, 206), 0.65 * np.exp(-((inside - 0.026) / 0.02) ** 2))

    # The hammer's handle lies in the drum and ends in its middle; the cone of light starts there.
    handle = capsule(x, y, (-0.08, -0.40), (0.06, 0.10), 0.046, 0.026)
    handle = union(handle, oval(x, y, -0.11, -0.40, 0.06, 0.05), 0.05) + 0.010 * c.noise(8, 2)
    drum *= (1 - 0.28 * smooth(-0.10, 0.0, handle))[..., None]
    drum = mix(drum, color(226, 208, 184), 0.75 * smooth(-0.020, 0.026, handle))
    blush = np.exp(-((handle + 0.02) / 0.022) ** 2) * smooth(0.3, -0.5, x + y) * smooth(-0.6, 0.5, c.noise(9, 2))
    drum = mix(drum, color(190, 84, 76), 0.55 * blush)
    reach = np.hypot(x - 0.06, y - 0.10)
    cone = smooth(0.21, 0.10, np.abs(angle - 0.98)) * smooth(0.0, 0.05, reach) * smooth(0.44, 0.30, reach)
    drum_height = 0.22 * (r - rim) + 0.5 * rounded(handle, 0.04) + 0.003 * grain
    mask = smooth(-0.016, 0.016, inside)
    picture = mix(canal, drum * (0.62 + 0.38 * smooth(-0.02, 0.12, inside))[..., None], mask)
    height = height + (drum_height - height) * mask
    wet = (0.45 - 0.35 * mask) * smooth(-0.2, 0.9, c.noise(4, 2))
    picture = light(c, picture, height, wet, 0.010 * c.noise(14, 4, 0.45))
    picture = mix(picture, np.array([0.95, 0.93, 0.88], F), 0.85 * cone * (0.85 + 0.12 * grain + 0.05 * spokes))
    return picture * (0.012 + smooth(1.20, 0.86, np.hypot(c.x - 0.02, c.y + 0.01)))[..., None]

def develop(canvas, picture, grain=0.025):
    """Linear light to 0 ... 1 code values, with a sensor's noise: brightness-dependent, some in color."""
    c, rng = canvas, canvas.rng
    linear = np.clip(picture, 0, None)
    linear = np.where(linear > 0.7, 0.7 + 0.3 * np.tanh((linear - 0.7) / 0.3), linear)   # soft shoulder
    code = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** F(1 / 2.4) - 0.055)
    luma = code @ np.array([0.30, 0.59, 0.11], F)
    sigma = F(grain) * (0.45 + np.sqrt(np.clip(luma, 0, 1)) * (1.25 - np.clip(luma, 0, 1)))
    code += (sigma * rng.standard_normal(luma.shape, F))[..., None]
    for channel, strength in ((0, 0.55), (1, 0.25), (2, 0.8)):
        blotch = Image.fromarray(rng.standard_normal((c.height // 3 + 1, c.width // 3 + 1), F))
        code[..., channel] += F(strength) * sigma * np.asarray(blotch.resize((c.width, c.height), Image.BICUBIC))
    return np.clip(code, 0, 1)

def paint(scene, width, height, seed, orientation=1, grain=0.025, change=lambda picture: picture):
    """Paints a scene so that, rotated by `orientation`, the width x height pixels are upright."""
    canvas = Canvas(*((height, width) if orientation >= 5 else (width, height)), seed)
    code = develop(canvas, change(scene(canvas)), grain)
    turn = {1: lambda p: p, 3: lambda p: p[::-1, ::-1], 5: lambda p: p.swapaxes(0, 1),
            6: lambda p: np.rot90(p, 1), 8: lambda p: np.rot90(p, -1)}[orientation]
    return np.ascontiguousarray(turn(code))

# ---------------------------------------------------------------- metadata

ASCII, SHORT, LONG, RATIONAL, BYTE, UNDEFINED = 2, 3, 4, 5, 1, 7

def pack_values(order, kind, value):
    """One TIFF value as (count, bytes)."""
    if kind == ASCII:
        value = value.encode() + b"\0"
    if kind in (ASCII, BYTE, UNDEFINED):
        return len(value), value
    if kind == RATIONAL:
        return len(value), b"".join(struct.pack(order + "II", *pair) for pair in value)
    return len(value), struct.pack(f"{order}{len(value)}{'H' if kind == SHORT else 'I'}", *value)

def pack_ifd(order, entries, offset, following=0):
    """Returns a TIFF directory that starts at `offset`, followed by its longer values."""
    table, extra = struct.pack(order + "H", len(entries)), b""
    extra_at = offset + 2 + 12 * len(entries) + 4
    for tag, kind, value in sorted(entries):
        count, data = pack_values(order, kind, value)
        if len(data) > 4:
            extra += b"\0" * (len(extra) % 2)
            field = struct.pack(order + "I", extra_at + len(extra))
            extra += data
        else:
            field = data.ljust(4, b"\0")
        table += struct.pack(order + "HHI", tag, kind, count) + field
    return table + struct.pack(order + "I", following) + extra + b"\0" * (len(extra) % 2)

def thumbnail(stored):
    """A 160 x 120 JPEG of the stored pixels, with black bars where the shape differs."""
    small = stored.convert("RGB")
    small.thumbnail((160, 120), Image.LANCZOS)
    frame = Image.new("RGB", (160, 120))
    frame.paste(small, ((160 - small.width) // 2, (120 - small.height) // 2))
    return jpeg(frame, 75, "4:2:0")

def exif(stored, orientation, order, seed):
    """An APP1 payload: camera, orientation, position in the open ocean, MakerNote, thumbnail."""
    note = b"FICTIVE\0" + np.random.default_rng(seed).bytes(3000 + 37 * seed)
    taken, small = "2024:05:17 09:41:23", thumbnail(stored)
    inches = [(0x011A, RATIONAL, [(72, 1)]), (0x011B, RATIONAL, [(72, 1)]), (0x0128, SHORT, [2])]
    camera = [(0x829A, RATIONAL, [(1, 60)]), (0x829D, RATIONAL, [(18, 10)]), (0x8827, SHORT, [160]),
              (0x9000, UNDEFINED, b"0232"), (0x9003, ASCII, taken), (0x927C, UNDEFINED, note), (0xA001, SHORT, [1]),
              (0xA002, LONG, [stored.width]), (0xA003, LONG, [stored.height]), (0xA431, ASCII, "SN-000-EXAMPLE"),
              (0x9101, UNDEFINED, b"\1\2\3\0"), (0xA000, UNDEFINED, b"0100")]
    place = [(0, BYTE, b"\2\3\0\0"), (1, ASCII, "S"), (2, RATIONAL, [(0, 1), (30, 1), (0, 1)]), (3, ASCII, "W"),
             (4, RATIONAL, [(25, 1), (15, 1), (0, 1)]), (5, BYTE, b"\0"), (6, RATIONAL, [(3, 1)])]

    def main(camera_at, place_at):
        return inches + [(0x010F, ASCII, "Nimbus Example Works"), (0x0110, ASCII, "Paperphone 3"),
                         (0x0112, SHORT, [orientation]), (0x0132, ASCII, taken), (0x0213, SHORT, [1]),
                         (0x8769, LONG, [camera_at]), (0x8825, LONG, [place_at])]

    def preview(small_at):
        return inches + [(0x0103, SHORT, [6]), (0x0201, LONG, [small_at]), (0x0202, LONG, [len(small)])]
    # A directory's length does not depend on the offsets in it, so measure with zeros first.
    camera_at = 8 + len(pack_ifd(order, main(0, 0), 8))
    place_at = camera_at + len(pack_ifd(order, camera, camera_at))
    preview_at = place_at + len(pack_ifd(order, place, place_at))
    small_at = preview_at + len(pack_ifd(order, preview(0), preview_at))
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    return (b"Exif\0\0" + head + pack_ifd(order, main(camera_at, place_at), 8, preview_at)
            + pack_ifd(order, camera, camera_at) + pack_ifd(order, place, place_at)
            + pack_ifd(order, preview(small_at), preview_at) + small)

XMP = b"http://ns.adobe.com/xap/1.0/\0" + """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 exif:GPSLatitude="0,30.0S" exif:GPSLongitude="25,15.0W"><dc:creator><rdf:Seq>
<rdf:li>Invented Person</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>""".encode()

def display_p3_profile():
    """A Display P3 profile after ICC.1 (version 4): P3 primaries, D65 white adapted to D50, sRGB curve."""
    def xyz(x, y):
        return np.array([x / y, 1, (1 - x - y) / y])

    def fixed(values):
        return b"".join(struct.pack(">i", round(float(v) * 65536)) for v in np.ravel(values))

    def text(string):
        data = string.encode("utf-16-be")
        return b"mluc\0\0\0\0" + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(data), 28) + data

    d65, d50 = xyz(0.3127, 0.3290), np.array([0.9642, 1.0, 0.8249])
    primaries = np.stack([xyz(0.680, 0.320), xyz(0.265, 0.690), xyz(0.150, 0.060)], axis=1)
    to_xyz = primaries * np.linalg.solve(primaries, d65)
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    adapt = np.linalg.inv(bradford) @ np.diag((bradford @ d50) / (bradford @ d65)) @ bradford
    red, green, blue = (b"XYZ \0\0\0\0" + fixed(column) for column in (adapt @ to_xyz).T)
    curve = b"para\0\0\0\0\0\3\0\0" + fixed([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    tags = [(b"desc", text("Display P3 (MediaPrep sample)")), (b"cprt", text("No copyright, use freely")),
            (b"wtpt", b"XYZ \0\0\0\0" + fixed(d50)), (b"chad", b"sf32\0\0\0\0" + fixed(adapt)),
            (b"rXYZ", red), (b"gXYZ", green), (b"bXYZ", blue), (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    table, body, places = struct.pack(">I", len(tags)), b"", {}
    for name, data in tags:
        if data not in places:                                   # equal tags share their bytes
            places[data] = 128 + 4 + 12 * len(tags) + len(body)
            body += data + b"\0" * (-len(data) % 4)
        table += name + struct.pack(">II", places[data], len(data))
    size = 128 + len(table) + len(body)

    def header(profile_id):
        return (struct.pack(">I4sI4s4s4s6H4s", size, b"", 0x04300000, b"mntr", b"RGB ", b"XYZ ",
                            2024, 5, 17, 0, 0, 0, b"acsp") + b"\0" * 28 + fixed(d50) + b"\0" * 4
                + profile_id + b"\0" * 28)
    return header(hashlib.md5(header(b"\0" * 16) + table + body).digest()) + table + body

# ---------------------------------------------------------------- containers

def jpeg(image, quality, sampling, progressive=False):
    out = io.BytesIO()
    sampling = -1 if image.mode == "L" else sampling
    image.save(out, "JPEG", quality=quality, progressive=progressive, subsampling=sampling)
    return out.getvalue()

def segment(marker, payload):
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload

def dress(data, segments, jfif):
    """Inserts segments right after SOI, as phones do, and keeps or removes the JFIF segment after them."""
    length = struct.unpack(">H", data[4:6])[0]
    assert data[2:4] == b"\xff\xe0", "Pillow starts its files with a JFIF segment"
    return data[:2] + b"".join(segments) + (data[2:] if jfif else data[4 + length:])

def photo(scene, width, height, seed, quality, sampling="4:2:0", orientation=1, order="<", jfif=False,
          progressive=False, gray=False, extra=(), with_exif=True, **painting):
    """Returns a complete JPEG file: painted, rotated, encoded, with metadata."""
    code = paint(scene, width, height, seed, orientation, **painting)
    stored = Image.fromarray((code * 255 + 0.5).astype(np.uint8)).convert("L" if gray else "RGB")
    segments = [segment(0xE1, exif(stored, orientation, order, seed))] if with_exif else []
    return dress(jpeg(stored, quality, sampling, progressive), segments + list(extra), jfif)

def webp(code, app1):
    """Returns a lossy WebP with the TIFF structure of an APP1 payload, and XMP."""
    out = io.BytesIO()
    Image.fromarray((code * 255 + 0.5).astype(np.uint8)).save(
        out, "WEBP", quality=75, method=4, exif=app1[6:], xmp=XMP.split(b"\0", 1)[1])
    return out.getvalue()

def saturate(picture):
    """Saturates colors, so that many of them are outside sRGB when read as Display P3."""
    luma = picture @ np.array([0.229, 0.692, 0.079], F)
    return np.clip(luma[..., None] + (picture - luma[..., None]) * F(1.5), 0, None)

def png_row(row, above):
    """Chooses PNG's Sub, Up or Paeth filter with the smallest sum for one row (8 bytes per pixel)."""
    gap = np.zeros(8, np.int16)
    a, b, c = np.concatenate([gap, row[:-8]]), above, np.concatenate([gap, above[:-8]])
    pa, pb, pc = np.abs(b - c), np.abs(a - c), np.abs(a + b - 2 * c)
    paeth = np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))
    tries = [(kind, (row - guess).astype(np.int8)) for kind, guess in ((1, a), (2, b), (4, paeth))]
    kind, best = min(tries, key=lambda t: int(np.abs(t[1].astype(int)).sum()))
    return bytes([kind]) + best.tobytes()

def png_16bit(width, height, seed):
    """A 16-bit RGBA PNG: a throat in a soft-edged round window; 12 significant bits, as from a sensor."""
    canvas = Canvas(width, height, seed)
    code = develop(canvas, throat(canvas), grain=0.006)
    alpha = smooth(0.98, 0.80, np.hypot(canvas.x, canvas.y))
    values = np.rint(np.dstack([code * (alpha > 0)[..., None], alpha]) * 4095).astype(np.uint16)
    rows = (values << 4 | values >> 8).astype(">u2").view(np.uint8).reshape(height, width * 8).astype(np.int16)
    above = np.vstack([np.zeros_like(rows[:1]), rows[:-1]])
    pixels = b"".join(png_row(row, up) for row, up in zip(rows, above))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    comment = b"Comment\0Invented private sentence: taken at home of Invented Person on a Friday."
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0))
            + chunk(b"tEXt", comment) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b""))

def samples():
    """Yields all files as (name, bytes)."""
    xmp, profile = segment(0xE1, XMP), segment(0xE2, b"ICC_PROFILE\0\1\1" + display_p3_profile())
    comment = segment(0xFE, b"Invented private comment: second visit, left ear")
    yield "photos/throat-12mp.jpg", photo(throat, 4032, 3024, 1, 88, orientation=6, extra=[xmp])
    yield "photos/ear-upright.jpg", photo(ear, 2400, 1800, 2, 85, order=">")
    yield "photos/throat-turned-180.jpg", photo(throat, 1803, 1201, 3, 85, orientation=3)
    yield "photos/ear-turned-left.jpg", photo(ear, 1800, 1200, 4, 85, "4:2:2", orientation=8, jfif=True)
    yield "photos/throat-display-p3.jpg", photo(throat, 1920, 1440, 5, 88, extra=[profile], change=saturate)
    yield "photos/ear-444.jpg", photo(ear, 1700, 1300, 6, 90, "4:4:4", jfif=True)
    yield "photos/throat-progressive.jpg", photo(throat, 2000, 1500, 7, 85, order=">", jfif=True, progressive=True)
    yield "photos/ear-gray.jpg", photo(ear, 1600, 1200, 8, 85, jfif=True, gray=True, with_exif=False)
    yield "photos/throat-16bit-alpha.png", png_16bit(800, 600, 9)
    small = photo(ear, 1200, 900, 10, 70, extra=[xmp, comment])
    yield "photos/ear-passthrough.jpg", small + b"TRAILING BYTES BEHIND THE END..."
    yield "photos/ear-mirrored.jpg", photo(ear, 901, 1203, 11, 88, orientation=5, order=">")
    code = paint(throat, 640, 480, 13, orientation=6)
    yield "photos/throat.webp", webp(code, exif(Image.fromarray((code * 255 + 0.5).astype(np.uint8)), 6, "<", 13))
    whole = photo(throat, 1600, 1200, 12, 85)
    yield "damaged/truncated.jpg", whole[:len(whole) * 55 // 100]
    yield "damaged/text.jpg", b"This is plain text. Only its name claims that it is a picture.\n"
    ftyp = struct.pack(">I4s4sI4s4s", 24, b"ftyp", b"heic", 0, b"mif1", b"heic")
    yield "damaged/header.heic", ftyp + struct.pack(">I4s12x", 20, b"meta")

# ---------------------------------------------------------------- figures of the article on measures

def mean_of_shifts(code, shifts):
    """The mean of the picture at each shift (x, y): what a moving camera or a lens out of focus sees."""
    reach = max(abs(value) for shift in shifts for value in shift)
    padded, (height, width) = np.pad(code, ((reach, reach), (reach, reach), (0, 0)), "edge"), code.shape[:2]
    return sum(padded[reach + y:reach + y + height, reach + x:reach + x + width] for x, y in shifts) / F(len(shifts))

def figures():
    """Yields an ear with each fault that the measures find, as (name, bytes)."""
    width, height, canvas = 240, 180, Canvas(240, 180, 5)

    def exposed(stops):
        return paint(ear, width, height, 21, grain=0.004, change=lambda picture: picture * F(2 ** stops))

    def resized(code, *sizes):
        image = Image.fromarray((code * 255 + 0.5).astype(np.uint8))
        for size in sizes:
            image = image.resize(size, Image.BICUBIC)
        return np.asarray(image, F) / 255

    sharp = exposed(0)
    disc = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if x * x + y * y <= 9]
    reflections = [(-0.30, -0.25, 0.44, 0.36), (0.35, 0.10, 0.42, 0.52), (-0.25, 0.50, 0.32, 0.18)]
    blobs = np.maximum.reduce([oval(canvas.x, canvas.y, *place) for place in reflections]) + 0.03 * canvas.noise(6, 3)
    field = smooth(1.2, 0.9, np.hypot(canvas.x - 0.02, canvas.y + 0.01))
    noise = np.random.default_rng(22).standard_normal(sharp.shape[:2], F)
    faults = {
        "sharp": sharp, "defocused": mean_of_shifts(sharp, disc),
        "moved": mean_of_shifts(sharp, [(x, 0) for x in range(-5, 6)]), "dark": exposed(-2), "bright": exposed(1.5),
        "glare": mix(sharp, np.ones(3, F), smooth(-0.01, 0.01, blobs)),
        "noisy": np.clip(sharp + (F(6 / 255) * noise)[..., None], 0, 1),
        "enlarged": resized(sharp, (width // 4, height // 4), (width, height)),
        "flat": mix(sharp, np.full(3, 0.5, F), F(0.75) * field), "compressed": sharp,
    }
    for name, code in faults.items():
        picture = Image.fromarray((code * 255 + 0.5).astype(np.uint8))
        yield f"../Sources/MediaPrep/MediaPrep.docc/Resources/ear-{name}.jpg", jpeg(
            picture, 10 if name == "compressed" else 90, "4:2:0")

if __name__ == "__main__":
    for name, data in [*(samples() if sys.argv[1:] != ["figures"] else []), *figures()]:
        (HERE / name).parent.mkdir(parents=True, exist_ok=True)
        (HERE / name).write_bytes(data)
        print(f"{len(data):>9}  {name}")
