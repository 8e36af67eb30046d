"""Where no thread could be started (`ulimit -u 3`) the program ended by std::terminate. Work that finds
no thread is done on the calling one, and work that finds no process in the calling one."""
import os
import resource
import subprocess
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import EXAMPLE, PROGRAM, expect, finish, json  # noqa: E402

CLAIMS = json.dumps([{"id": str(i), "spec": f"gaussian({i})", "kind": "upper", "delta": "1e-5", "epsilon": "5"}
                     for i in range(1, 5)])


def no_room_for_stacks():
    resource.setrlimit(resource.RLIMIT_STACK, (2**31, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def no_processes():
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if os.getuid() == 0:  # whom that limit does not bind
        os.setuid(65534)


for hinder in (no_room_for_stacks, no_processes):
    for arguments, text in ((["epsilon", EXAMPLE, "--delta", "1e-7", "--threads", "2"], ""),
                            (["audit", "-", "--threads", "4"], CLAIMS),
                            (["crosscheck", "--count", "3", "--threads", "3"], "")):
        try:
            done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True,
                                  preexec_fn=hinder, timeout=300, cwd="/tmp")
        except (PermissionError, subprocess.SubprocessError) as error:  # not ours to run so
            print(f"skipped: {hinder.__name__}: {error}")
            continue
        expect(done.returncode == 0,
               f"{hinder.__name__}: {arguments[0]}: {done.returncode} {done.stderr[-300:]}")
finish()
