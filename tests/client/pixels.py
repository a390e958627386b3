"""Pictures as rows of (red, green, blue): PNG as the game writes it, and the frame buffer of Xvfb."""
import struct
import zlib
from pathlib import Path


class Picture:
    """Pixels of three bytes each, upper row first."""

    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, data

    def at(self, x, y):
        start = (y * self.width + x) * 3
        return tuple(self.data[start:start + 3])

    def part(self, x0, y0, x1, y1, step=1):
        return [self.at(x, y) for y in range(max(0, y0), min(self.height, y1), step)
                for x in range(max(0, x0), min(self.width, x1), step)]


def read_png(path):
    data = Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"{path} is no PNG")
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            if (depth, colour) != (8, 2):
                raise ValueError(f"{path}: only 8 bits of red, green, blue")
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    return Picture(width, height, bytes(unfiltered(zlib.decompress(packed), width * 3, height)))


def unfiltered(raw, stride, height):
    out, before = bytearray(), bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for i in range(3, stride):
                line[i] = (line[i] + line[i - 3]) & 255
        elif kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, before))
        elif kind == 3:
            for i in range(stride):
                line[i] = (line[i] + ((line[i - 3] if i >= 3 else 0) + before[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                a, b, c = (line[i - 3] if i >= 3 else 0), before[i], (before[i - 3] if i >= 3 else 0)
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        out += line
        before = line
    return out


def read_xwd(path):
    data = Path(path).read_bytes()
    head = struct.unpack(">25I", data[:100])
    width, height, stride, colours = head[4], head[5], head[12], head[19]
    start = head[0] + colours * 12
    out = bytearray(width * height * 3)
    for y in range(height):
        row = data[start + y * stride:start + y * stride + width * 4]
        line = bytearray(width * 3)
        line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
        out[y * width * 3:(y + 1) * width * 3] = line
    return Picture(width, height, bytes(out))


def write_png(path, picture):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    stride = picture.width * 3
    raw = b"".join(b"\0" + picture.data[y * stride:(y + 1) * stride] for y in range(picture.height))
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 1)) + chunk(b"IEND", b""))
