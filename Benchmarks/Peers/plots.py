"""Draws bar charts and curves as SVG, in the reader's light or dark color scheme."""

import dataclasses
import html
import math

BARS, RIGHT = 300, 230
TOP, STEP, THICKNESS = 66, 26, 16
# The average width of a letter in the fonts that readers may have: labels end where bars begin.
LETTER = 7.1

# An embedded SVG does not know the page's background, so it draws its own.
STYLE = """
  .ground { fill: #ffffff } .ink { fill: #1f2328 } .faint { fill: #59636e } .axis { stroke: #8c959f }
  .ours { fill: #0969da } .variant { fill: #54aeff } .peer { fill: #818b98 } .floor { fill: #1a7f37 }
  .reduced { fill: none; stroke: #818b98; stroke-width: 1.5 } .mark { stroke: #cf222e; stroke-width: 2.5 }
  text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif } .title { font-size: 15px; font-weight: 600 }
  .bold { font-weight: 600 } polyline { fill: none; stroke-width: 2 }
  .line0 { stroke: #0969da } .line1 { stroke: #818b98 } .line2 { stroke: #bc4c00 } .line3 { stroke: #1a7f37 }
  .line4 { stroke: #8250df } .grid { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9198a1 } .axis { stroke: #656c76 }
    .ours { fill: #4493f8 } .variant { fill: #1f6feb } .peer { fill: #7d8590 } .floor { fill: #3fb950 }
    .reduced { stroke: #7d8590 } .mark { stroke: #ff7b72 }
    .line0 { stroke: #4493f8 } .line1 { stroke: #7d8590 } .line2 { stroke: #db6d28 } .line3 { stroke: #3fb950 }
    .line4 { stroke: #ab7df8 } .grid { stroke: #3d444d }
  }
"""


@dataclasses.dataclass
class Bar:
    """A bar: its value, the texts beside it, and its kind, which is a class of the style above."""

    label: str
    value: float
    text: str
    note: str = ""
    kind: str = "peer"
    # The bound, drawn as a line across the bar.
    mark: float | None = None


def text(x, y, words, classes="ink", anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" class="{classes}" text-anchor="{anchor}">{html.escape(words)}</text>'


def row(bar, left, y, scale):
    length = max(1.5, bar.value * scale)
    inset = 0.75 if bar.kind == "reduced" else 0
    weight = " bold" if bar.kind == "ours" else ""
    parts = [
        text(left - 10, y + 12.5, bar.label, "ink" + weight, "end"),
        f'<rect x="{left + inset:g}" y="{y + inset:g}" width="{length - 2 * inset:.1f}" '
        f'height="{THICKNESS - 2 * inset:g}" rx="2" class="{bar.kind}"/>',
    ]
    end = length
    if bar.mark is not None:
        x = left + bar.mark * scale
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 3}" y2="{y + THICKNESS + 3}" class="mark"/>')
        end = max(length, bar.mark * scale)
    note = f'<tspan class="faint" dx="8">{html.escape(bar.note)}</tspan>' if bar.note else ""
    label = text(left + end + 8, y + 12.5, bar.text, "ink" + weight)
    return [*parts, label.replace("</text>", note + "</text>")]


def opening(width, height, title, subtitle):
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{html.escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" class="ground"/>',
        text(16, 26, title, "ink title"), text(16, 46, subtitle, "faint"),
    ]  # fmt: skip


def bars(path, title, subtitle, rows):
    """Writes a plot. The longest bar or bound fills the width."""
    longest = max(max(bar.value, bar.mark or 0) for bar in rows)
    left = round(26 + LETTER * max(len(bar.label) for bar in rows))
    width, height = left + BARS + RIGHT, TOP + STEP * len(rows) + 10
    lines = [
        *opening(width, height, title, subtitle),
        f'<line x1="{left}" x2="{left}" y1="{TOP - 6}" y2="{height - 8}" class="axis"/>',
    ]  # fmt: skip
    for number, bar in enumerate(rows):
        lines += row(bar, left, TOP + STEP * number, BARS / longest)
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")


def curves(path, title, subtitle, lines, across, up):
    """Writes a plot of lines: for each name, pairs of numbers. `across` and `up` are pairs of a name and the values
    that are marked on the axis. The axis across is logarithmic."""
    left, plot_width, plot_height = 60, 520, 300
    width, height = left + plot_width + 160, TOP + plot_height + 50
    xs = [math.log(x) for pairs in lines.values() for x, _ in pairs]
    ys = [y for pairs in lines.values() for _, y in pairs]

    def place(x, y):
        return (left + plot_width * (math.log(x) - min(xs)) / (max(xs) - min(xs)),
                TOP + plot_height * (max(ys) - y) / (max(ys) - min(ys)))  # fmt: skip

    parts = opening(width, height, title, subtitle)
    bottom, right = TOP + plot_height, left + plot_width
    for value in across[1]:
        if min(xs) <= math.log(value) <= max(xs):
            x = place(value, ys[0])[0]
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" class="grid"/>')
            parts.append(text(x, bottom + 18, f"{value:g}", "faint", "middle"))
    for value in up[1]:
        if min(ys) <= value <= max(ys):
            y = place(lines[next(iter(lines))][0][0], value)[1]
            parts.append(f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
            parts.append(text(left - 8, y + 4, f"{value:g}", "faint", "end"))
    parts += [text(left, bottom + 38, across[0], "faint"), text(16, TOP - 6, up[0], "faint")]
    for number, (name, pairs) in enumerate(lines.items()):
        places = [place(x, y) for x, y in pairs]
        parts.append(
            f'<polyline class="line{number}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>')
        y = TOP + 20 + 22 * number
        parts.append(f'<line x1="{right + 14}" x2="{right + 34}" y1="{y}" y2="{y}" class="line{number}" '
                     'stroke-width="2"/>')  # fmt: skip
        parts.append(text(right + 40, y + 4, name, "ink" + (" bold" if number == 0 else "")))
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")
