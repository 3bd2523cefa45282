"""Draws bar charts as SVG, in the reader's light or dark color scheme."""

import dataclasses
import html

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
  .bold { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9198a1 } .axis { stroke: #656c76 }
    .ours { fill: #4493f8 } .variant { fill: #1f6feb } .peer { fill: #7d8590 } .floor { fill: #3fb950 }
    .reduced { stroke: #7d8590 } .mark { stroke: #ff7b72 }
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


def bars(path, title, subtitle, rows):
    """Writes a plot. The longest bar or bound fills the width."""
    longest = max(max(bar.value, bar.mark or 0) for bar in rows)
    left = round(26 + LETTER * max(len(bar.label) for bar in rows))
    width, height = left + BARS + RIGHT, TOP + STEP * len(rows) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{html.escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" class="ground"/>',
        text(16, 26, title, "ink title"), text(16, 46, subtitle, "faint"),
        f'<line x1="{left}" x2="{left}" y1="{TOP - 6}" y2="{height - 8}" class="axis"/>',
    ]  # fmt: skip
    for number, bar in enumerate(rows):
        lines += row(bar, left, TOP + STEP * number, BARS / longest)
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")
