"""Metadata files and cards on disk: read whole, replaced whole, never left half-written.

An error means that the old content is still there. Contract: concepts.md, On disk; quality.md, Reliability.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from orbit.errors import DamagedError, OrbitError
from orbit.places import is_file, is_there


def reason_of(error: OSError) -> str:
    """The system's words for what went wrong, without number and path."""
    return error.strerror or str(error)


DRAFT = ".new"
"""What the name of a file's temporary file adds to its own."""
_GUEST_DRAFT = ".orbit-new"
"""The same in directories that are not orbit's, where `settings.json.new` may be somebody's."""
_CHUNK = 64 * 1024
_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def real_path(path: str) -> str:
    """The file behind a symbolic link, where its lock and its temporary file belong.

    Raises OrbitError when the system does not tell: a link taken for a file would be replaced by one.
    """
    try:
        os.readlink(path)
    except OSError as error:
        if error.errno in (errno.EINVAL, *_NOWHERE):
            return path
        raise OrbitError(path, f"cannot be looked at: {reason_of(error)}") from None
    try:
        return os.path.realpath(path, strict=True)
    except OSError as error:
        if error.errno in _NOWHERE:
            return os.path.realpath(path)
        raise OrbitError(path, f"cannot be looked at: {reason_of(error)}") from None


def try_read(path: str) -> tuple[bytes | None, str]:
    """The whole file; None for one that is missing, None with the reason for one that cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a named pipe must not hold us up
    except OSError as error:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
        return None, "" if missing else reason_of(error)
    try:
        data = os.read(fd, _CHUNK)
        if 0 < len(data) < _CHUNK:  # a short file is whole: a thousand cards are read for one roster
            return data, ""
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None, "is not a regular file"
        parts = [data]
        while part := os.read(fd, status.st_size + 1):
            parts.append(part)
        return b"".join(parts), ""
    except IsADirectoryError:
        return None, "is a directory"
    except OSError as error:
        return None, reason_of(error)
    finally:
        os.close(fd)


def is_no_file(path: str) -> bool:
    """Whether something stands at `path` that is no file and leads to none: a directory, a pipe, a link in a ring.

    Raises OrbitError when the system does not tell.
    """
    return is_there(path) and not is_file(path)


def read_bytes(path: str) -> bytes | None:
    """The whole file, None when there is none; DamagedError when it is there and cannot be read."""
    data, reason = try_read(path)
    if reason:
        raise DamagedError(path, f"cannot be read: {reason}")
    return data


def replace_users_file(path: str, data: bytes) -> None:
    """The same as `replace_file`, for a file among the user's own: no other file beside it is touched."""
    replace_file(path, data, _GUEST_DRAFT)


def remove_users_draft(path: str) -> None:
    """Take away what a killed `replace_users_file` left beside the file. Raises OrbitError."""
    remove_file(f"{real_path(path)}{_GUEST_DRAFT}")


def replace_file(path: str, data: bytes, draft: str = DRAFT) -> None:
    """Put `data` in place of the whole file, or raise OrbitError and leave it as it was.

    The caller holds the file's lock: the temporary file has one fixed name, so that what a killed process left is
    used up by the next write. The mode is kept, a symbolic link is followed, but not to a device or a pipe: for who may
    write into its directory, /dev/null would be a file from then on.
    """
    target = real_path(path)
    try:
        mode = _mode_of(target)
        if mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OrbitError(path, "cannot be written: is not a regular file")
        _replace(target, mode, data, draft)
    except OSError as error:
        raise OrbitError(path, f"cannot be written: {reason_of(error)}")


def _mode_of(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0


def _replace(path: str, mode: int, data: bytes, draft: str) -> None:
    new = f"{path}{draft}"
    fd = _create_anew(new)
    try:
        try:
            _keep_mode(mode, fd)
            write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(new, path)
    except BaseException:
        _unlink(new)
        raise
    _flush_directory(os.path.dirname(path))


def _create_anew(path: str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        return os.open(path, flags, 0o644)
    except FileExistsError:
        os.unlink(path)  # a leftover may be read-only or a link: never written through
        return os.open(path, flags, 0o644)


def _keep_mode(mode: int, fd: int) -> None:
    permissions = stat.S_IMODE(mode)
    # Some file systems have one mode for all and refuse the call.
    if mode and permissions != stat.S_IMODE(os.fstat(fd).st_mode):
        os.fchmod(fd, permissions)


def write_all(fd: int, data: bytes) -> None:
    """Write everything; the system may take less at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # gone, or the file system has failed already: the first error is the one to tell


def _flush_directory(path: str) -> None:
    """Make a rename last through a power failure, where the system can."""
    try:
        fd = os.open(path or ".", os.O_RDONLY)
    except OSError:
        return  # a directory may be writable and not readable
    try:
        os.fsync(fd)
    except OSError:
        pass  # the new content stands already: an error here would say that the old one does
    finally:
        os.close(fd)


def remove_file(path: str) -> None:
    """Remove a file that may be gone already; OrbitError when it cannot be."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise OrbitError(path, f"cannot be removed: {reason_of(error)}")


def set_aside(path: str) -> str:
    """Keep what is at `path` as `<path>.damaged-<epoch>`, never over an earlier copy; the copy's path.

    A file stays in place as well, to be replaced; anything else is moved away. OrbitError when a file cannot be read
    or looked at (it may be whole) or the copy cannot be made.
    """
    copy = first = f"{path}.damaged-{int(time.time())}"
    number = 1
    while is_there(copy):
        number += 1
        copy = f"{first}-{number}"
    try:
        if is_file(path):
            _copy(path, copy)
        else:
            os.rename(path, copy)
    except OSError as error:
        raise OrbitError(path, f"is damaged and cannot be kept as {copy}: {reason_of(error)}")
    return copy


def _copy(path: str, copy: str) -> None:
    data = read_bytes(path)
    try:
        os.link(real_path(path), copy)
        return
    except OSError:
        pass  # no hard links here
    fd = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        write_all(fd, data or b"")
        os.fsync(fd)
    except BaseException:
        _unlink(copy)
        raise
    finally:
        os.close(fd)


def put_back(path: str, copy: str) -> None:
    """Undo `set_aside` after the write that it was made for has failed."""
    try:
        if not os.path.lexists(path):
            os.rename(copy, path)
        elif os.path.samefile(path, copy):
            os.unlink(copy)
    except OSError:
        pass  # both are kept then, and the first error is the one to tell
