"""Bundles as a stranger may send them, from a seed: each is refused or named as changed, at once, in little memory.

Every one is a good bundle with one thing done to it, and its manifest made to agree with that wherever it can.
"""

import hashlib
import random
import stat
import struct
import time
import tracemalloc
import zipfile
from dataclasses import dataclass, field

from accelbench.archive import bundle
from accelbench.errors import InputError

LONGEST_S = 20.0
MOST_BYTES = 300e6  # of memory that verifying may take
NAMES = (
    "../outside", "results/../../outside", "/outside", "./inside", "results//twice", "..\\outside", "C:\\outside",
    "C:outside", "results\\local\\machine.json", "results/local/\u202efdp.exe", "results/local/\x1b[2J", "a\nb",
    "results/local/\u200bmachine.json", "results/local/machine.json\0.txt", "-rf", "results/local/nul|x", "\x7f", "..",
    "results/local/NUL", "aux/machine.json", "results/local/com1.json",
)  # fmt: skip
KINDS = {
    "a symbolic link": stat.S_IFLNK | 0o777,
    "a device": stat.S_IFBLK | 0o666,
    "a pipe": stat.S_IFIFO | 0o666,
    "a socket": stat.S_IFSOCK | 0o666,
    "a folder by its mode": stat.S_IFDIR | 0o755,
    "setuid": stat.S_IFREG | stat.S_ISUID | 0o755,
    "setgid": stat.S_IFREG | stat.S_ISGID | 0o644,
    "sticky": stat.S_IFREG | stat.S_ISVTX | 0o644,
    "a program": stat.S_IFREG | 0o755,
}


@dataclass
class Archive:
    """What a zip file is made of: {name: data}, the mode of some, what stands there a second time, and what is done to
    the file's bytes in the end."""

    members: dict
    modes: dict = field(default_factory=dict)
    again: list = field(default_factory=list)
    agree: bool = True  # whether the manifest is made anew
    method: int = zipfile.ZIP_DEFLATED
    edit: object = None

    def write(self, path):
        members = {name: data for name, data in self.members.items() if name != bundle.MANIFEST or not self.agree}
        if self.agree:
            sums = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in members.items())
            members[bundle.MANIFEST] = "".join(sums).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in (*members.items(), *self.again):
                info = zipfile.ZipInfo("x", bundle.EPOCH)
                info.filename, info.external_attr = name, self.modes.get(name, 0o644) << 16
                info.compress_type = self.method if name in self.modes or self.method == 8 else 8
                archive.writestr(info, data)
        if self.edit:
            path.write_bytes(self.edit(path.read_bytes()))


def name(archive, choice):
    """A file of a name that misleads, or leads out."""
    chosen = choice.choice(NAMES)
    archive.members[chosen] = b"here"
    return repr(chosen)


def kind(archive, choice):
    """A member that is something else than a file."""
    what, member = choice.choice(list(KINDS)), choice.choice(list(archive.members))
    archive.modes[member] = KINDS[what]
    return f"{what}, {member}"


def twice(archive, choice):
    """A second file of the same name, or of one that systems without capital letters take for the same."""
    member = choice.choice([each for each in archive.members if each != bundle.MANIFEST])
    second = choice.choice([member, member.upper()])
    if second == member:
        archive.again.append((member, b"other"))
    else:
        archive.members[second] = b"other"
    return second


def bomb(archive, choice):
    """Far more than it seems: in a member, in the manifest, or as the sizes that the index names."""
    place = choice.choice([bundle.MANIFEST, "results/local/timings/more.jsonl", "index"])
    if place == bundle.MANIFEST:
        archive.agree = False
        archive.members[place] += b"\n" * (bundle.MOST_OF_MANIFEST + choice.choice([1, 2**27]))
    elif place == "index":
        archive.edit = _sizes
    else:
        archive.members[place] = bytes(2**24)
        archive.agree, archive.members[bundle.MANIFEST] = False, archive.members[bundle.MANIFEST]
    return place


def _sizes(data):
    """The index of a zip file with 2 GB for the unpacked size of every member."""
    data, place = bytearray(data), data.find(b"PK\x01\x02")
    while place >= 0:
        data[place + 24 : place + 28] = struct.pack("<I", 2**31)
        place = data.find(b"PK\x01\x02", place + 4)
    return bytes(data)


def packed(archive, choice):
    """Packed in a way that may ask for any memory."""
    archive.method = choice.choice([zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
    archive.modes[choice.choice(list(archive.members))] = 0o644
    return str(archive.method)


def changed(archive, choice):
    """Other data, no data, or none at all, without a word of it in the manifest."""
    archive.agree = False
    member = choice.choice(list(archive.members))
    what = choice.choice(["gone", "empty", "longer"])
    if what == "gone":
        del archive.members[member]
    else:
        archive.members[member] = b"" if what == "empty" else archive.members[member] + b"x"
    return f"{what} {member}"


def manifest(archive, choice):
    """A manifest that is none."""
    archive.agree = False
    lines = archive.members[bundle.MANIFEST].splitlines(keepends=True)
    made = [b"", b"x", bytes(range(256)), b"\0" * 1000, lines[0] * 2, b"".join(lines[1:]), b"".join(lines) + b"  \n",
            b"".join(lines) + b"0" * 64 + b"  nowhere\n"]  # fmt: skip
    archive.members[bundle.MANIFEST] = choice.choice(made)
    return "a manifest"


def damage(archive, choice):
    """Bytes turned over, cut off or put in between."""
    place, how = choice.random(), choice.choice(["cut", "turned over", "put in", "index"])

    def edit(data):
        start = int(place * (len(data) - 16))
        if how == "index":
            start = data.find(b"PK\x01\x02") + 4 + int(place * 40)
        after = {"cut": b"", "put in": b"\xff" * 8 + data[start:]}
        return data[:start] + after.get(how, bytes(255 - byte for byte in data[start : start + 8]) + data[start + 8 :])

    archive.edit = edit
    return f"{how} at {place:.3f}"


HOSTILE = (name, kind, twice, bomb, packed, changed, manifest, damage)


def torture(tally, seed, count, good, folder):
    """Verify `count` bundles made of the bundle `good`, all kinds in turn; whatever is called clean, does not end or
    takes memory is counted."""
    with zipfile.ZipFile(good) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    path = folder / "hostile.zip"
    for number in range(count):
        choice = random.Random(f"{seed} {number}")
        made, how = Archive(dict(members)), HOSTILE[number % len(HOSTILE)]
        told = f"bundle {number} of seed {seed}: {how.__name__}, {how(made, choice)}"
        made.write(path)
        tally.tried["bundles"] += 1
        _verify(tally, told, path)
        if [*folder.iterdir()] != [path]:
            tally.add("files written outside", f"{told}: {[*folder.iterdir()]}")


def _verify(tally, told, path):
    tracemalloc.start()
    begin = time.monotonic()
    try:
        if not bundle.verify(path):
            tally.add("other than declared", f"{told}: as it was made")
    except InputError:
        pass
    except Exception as error:
        tally.add("tracebacks", f"{told}: {error!r}")
    if time.monotonic() - begin > LONGEST_S:
        tally.add("hangs", f"{told}: {time.monotonic() - begin:.0f} s")
    if tracemalloc.get_traced_memory()[1] > MOST_BYTES:
        tally.add("other than declared", f"{told}: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB of memory")
    tracemalloc.stop()
