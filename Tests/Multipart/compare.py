"""Parses bodies with werkzeug and python-multipart, and compares the result with the parts of the bodies.

A parser reports a name as it was sent. Names are therefore compared in the encoded form of the HTML standard's
"multipart/form-data encoding algorithm", which is implemented here a second time. Each parser also decodes escapes of
quoted strings, and the expected names are decoded in the same way: python-multipart replaces two backslashes by one;
werkzeug removes one before any character and replaces %22 by a quote. The bodies contain no names that the standard
sends unchanged and that these parsers cannot parse: names that end in a backslash, and filenames that begin like a
Windows path, of which python-multipart only keeps the end.
"""

import base64
import json
import pathlib
import re
import sys

from python_multipart.multipart import FormParser, parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData


def line_ends(text):
    return re.sub("\r\n|\r|\n", "\r\n", text)


def escaped(text):
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def expected(parts):
    """Returns tuples of name, filename, type and content; fields come first."""
    def sent(part):
        content = base64.b64decode(part["content"])
        filename = part.get("filename")
        if filename is None:
            content = line_ends(content.decode()).encode()
        else:
            filename = escaped(filename)
        return escaped(line_ends(part["name"])), filename, part.get("type"), content
    return [sent(p) for p in parts if "filename" not in p] + [sent(p) for p in parts if "filename" in p]


def unquoted(parts, unquote):
    return [(unquote(name), filename and unquote(filename), *rest) for name, filename, *rest in parts]


def pieces(body, size):
    """Cuts the body into pieces of `size` bytes. The last piece is never three bytes long: werkzeug 3.1.9 would take
    the CR before the closing boundary for content (its issue 3285).
    """
    cuts = [cut for cut in range(size, len(body), size) if cut != len(body) - 3]
    return [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)])]


def by_werkzeug(boundary, chunks):
    decoder = MultipartDecoder(boundary)
    found = []
    for chunk in [*chunks, None]:
        decoder.receive_data(chunk)
        while not isinstance(event := decoder.next_event(), (NeedData, Epilogue)):
            if isinstance(event, (Field, File)):
                found.append([event.name, getattr(event, "filename", None), event.headers.get("content-type"), []])
            elif isinstance(event, Data):
                found[-1][3].append(event.data)
    assert isinstance(event, Epilogue) and not event.data.strip(b"\r\n"), event
    return [(name, filename, type, b"".join(data)) for name, filename, type, data in found]


def by_python_multipart(boundary, chunks):
    found = []
    ended = []

    def on_field(field):
        found.append((field.field_name.decode(), None, field.content_type, field.value or b""))

    def on_file(file):
        file.file_object.seek(0)
        found.append((file.field_name.decode(), file.file_name.decode(), file.content_type, file.file_object.read()))
        file.close()

    parser = FormParser("multipart/form-data", on_field, on_file, lambda: ended.append(True), boundary)
    for chunk in chunks:
        parser.write(chunk)
    parser.finalize()
    assert ended, "no end"
    return found


PARSERS = {
    "werkzeug": (by_werkzeug, lambda name: re.sub(r"\\(.)", r"\1", name, flags=re.DOTALL).replace("%22", '"')),
    "python-multipart": (by_python_multipart, lambda name: name.replace("\\\\", "\\")),
}


def main(directory):
    bodies = parts = 0
    failures = []
    for file in sorted(directory.glob("*.json"), key=lambda file: int(file.stem)):
        description = json.loads(file.read_text())
        body = file.with_suffix(".body").read_bytes()
        type, options = parse_options_header(description["contentType"])
        boundary = options[b"boundary"]
        wanted = expected(description["parts"])
        problems = []
        if type != b"multipart/form-data":
            problems.append(f"the type is {type}")
        if len(body) != description["length"]:
            problems.append(f"{len(body)} bytes, not {description['length']}")
        # A boundary that is cut anywhere must not matter: in pieces of a prime size, and whole.
        for size in 4093, len(body):
            chunks = pieces(body, size)
            for name, (parse, unquote) in PARSERS.items():
                try:
                    found = parse(boundary, chunks)
                except Exception as error:
                    problems.append(f"{name}: {error!r}")
                    continue
                for place, (one, other) in enumerate(zip(found, unquoted(wanted, unquote))):
                    if one != other:
                        problems.append(f"{name}, part {place}: {str(one)[:200]} is not {str(other)[:200]}")
                if len(found) != len(wanted):
                    problems.append(f"{name}: {len(found)} parts, not {len(wanted)}")
        failures += [f"body {file.stem}: {problem}" for problem in problems]
        bodies += 1
        parts += len(wanted)
    for failure in failures[:20]:
        print(failure)
    if failures or not bodies:
        sys.exit(f"{len(failures)} differences in {bodies} bodies")
    print(f"{bodies} bodies, {parts} parts: equal")


main(pathlib.Path(sys.argv[1]))
