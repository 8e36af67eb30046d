"""The file of a ledger: one table of SQLite, one row for each entry, of which each is bound to all before it by a hash.

A row is a text of JSON and SHA-256 of the hash before it and this text. What is committed survives a killed process,
and of `durable` files a power cut; what is not committed has never been. Writers take turns.
"""
from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple, Union

from .._core import SpecError

#: Seconds until what another process holds is tried again.
_WAIT = 0.005
#: Before the first entry.
NO_HASH = "0" * 64

_TABLES = """
CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS no_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries stay'); END;
CREATE TRIGGER IF NOT EXISTS no_loss BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries stay'); END;
"""


class LedgerBroken(Exception):
    """The file of a ledger is not what was written: the words say at which entry, and what does not fit."""

    __module__ = "plaudit"


def hash_of(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()


def text_of_body(body: Dict[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


class Book:
    """The rows of a file, which this process or another one adds to."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], create: bool, durable: bool, timeout: float) -> None:
        self.path = Path(path)
        if not create and not self.path.exists():
            raise SpecError(f"ledger: there is no file {self.path}; a budget is needed to begin one")
        self._lock, self._process = threading.RLock(), os.getpid()
        try:
            self._file = sqlite3.connect(self.path, timeout=timeout, isolation_level=None, check_same_thread=False)
            known = self._file.execute("SELECT name FROM sqlite_master").fetchall()
            if ("entries",) not in known and (known or not create):
                raise SpecError(f"ledger: {self.path} is no ledger")
            self._in_turn("PRAGMA journal_mode = WAL", timeout)
            self._file.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            if not known and create:
                self._in_turn(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;", timeout)
        except sqlite3.DatabaseError as error:
            raise self._told(error) from error

    def _in_turn(self, script: str, timeout: float) -> None:
        """What begins a file: SQLite does not wait itself where another process is at it."""
        end = time.monotonic() + timeout
        while True:
            try:
                self._file.executescript(script)
                return
            except sqlite3.OperationalError as error:
                if not ("locked" in str(error) or "busy" in str(error)) or time.monotonic() > end:
                    raise
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                time.sleep(_WAIT)

    def _told(self, error: sqlite3.Error) -> Exception:
        if isinstance(error, sqlite3.ProgrammingError):
            return SpecError(f"ledger: {self.path} is closed")
        if "locked" in str(error) or "busy" in str(error):
            return TimeoutError(f"{self.path}: another process holds the ledger")
        if isinstance(error, sqlite3.OperationalError):
            return OSError(f"{self.path}: {error}")
        return LedgerBroken(f"{self.path}: {error}")

    @contextmanager
    def turn(self, writing: bool) -> Iterator[None]:
        """A transaction: nobody else writes in it, and it is committed whole or never was."""
        if os.getpid() != self._process:
            raise SpecError("ledger: opened by another process; each process opens it for itself")
        with self._lock:
            try:
                self._file.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
                try:
                    yield
                    self._file.execute("COMMIT")
                except BaseException:
                    if self._file.in_transaction:
                        self._file.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise self._told(error) from error

    def rows(self, first: int) -> Iterator[Tuple[int, str, str]]:
        """From this number on."""
        yield from self._file.execute("SELECT number, body, hash FROM entries WHERE number >= ? ORDER BY number", (first,))

    def append(self, rows: List[Tuple[int, str, str]]) -> None:
        self._file.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        with self._lock:
            self._file.close()
