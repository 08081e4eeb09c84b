"""The door to git: what git sees of the environment, what it may reach, how its failures are told."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from orbit.errors import OrbitError
from orbit.git.run import (
    Finished,
    GitError,
    change,
    checked,
    git_version,
    network,
    observe,
    stall_seconds,
)
from world import SilentServer, World, environment, run_git

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def shell(command: str) -> list[str]:
    """Arguments with which git runs a command, in the environment that it got."""
    return ["-c", f"alias.run=!{command}", "run"]


def variables(finished: Finished) -> dict[str, str]:
    assert finished.code == 0, finished.err
    return dict(line.split("=", 1) for line in finished.text.split("\n") if "=" in line)


@pytest.fixture
def clone(world: World) -> str:
    return str(world.clone())


def test_result_and_input(world: World, clone: str) -> None:
    found = observe(clone, ["rev-parse", "HEAD"])
    assert found == Finished(0, world.git(clone, "rev-parse", "HEAD").encode() + b"\n", b"")
    assert found.text == world.origins["backend"].sha()
    assert observe(clone, ["hash-object", "--stdin"]).text == EMPTY_BLOB
    assert observe(clone, ["hash-object", "--stdin"], stdin=b"x\n").text == run_git(
        clone, "hash-object", "--stdin", stdin=b"x\n"
    )


def test_bytes_that_are_not_utf8_survive(world: World) -> None:
    world.origin("odd", {os.fsdecode(b"caf\xe9 \xff"): "x"})
    listed = observe(str(world.clone("odd")), ["ls-files", "-z"]).text.split("\0")
    assert os.fsdecode(b"caf\xe9 \xff") in listed


def test_much_input_and_much_output_at_once(clone: str) -> None:
    questions = EMPTY_BLOB.encode() + b"\n"
    change(clone, ["hash-object", "-w", "--stdin"])
    questions *= 40_000
    answered = observe(clone, ["cat-file", "--batch-check", "--buffer"], stdin=questions)
    assert answered.out.count(b" blob ") == 40_000


def test_input_that_git_does_not_read_is_dropped(clone: str) -> None:
    assert observe(clone, ["rev-parse", "--is-inside-work-tree"], stdin=b"x" * 1_000_000).text == "true"


@pytest.mark.parametrize(
    "name",
    [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_PREFIX",
        "GIT_NAMESPACE",
        "GIT_SHALLOW_FILE",
        "GIT_GRAFT_FILE",
    ],
)
def test_location_variables_of_a_hook_are_removed(clone: str, name: str) -> None:
    with environment({name: "/nowhere"}):
        # git itself sets GIT_PREFIX, empty, for what an alias runs.
        assert variables(observe(clone, shell("env"))).get(name, "") == ""
        assert observe(clone, ["status", "--porcelain"]).code == 0


def test_settings_from_the_environment_stay(clone: str) -> None:
    given = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "orbit.test", "GIT_CONFIG_VALUE_0": "seen"}
    with environment(given):
        assert observe(clone, ["config", "--get", "orbit.test"]).text == "seen"


def test_environment_of_each_kind_of_call(clone: str) -> None:
    everywhere = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never"}
    offline = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
    with environment({"LC_ALL": "C.UTF-8", "GIT_TERMINAL_PROMPT": "1"}):
        reading = variables(observe(clone, shell("env")))
        writing = variables(change(clone, shell("env"), extra_env={"GIT_AUTHOR_NAME": "Somebody"}))
        talking = variables(network(clone, shell("env")))
    assert reading.items() >= {**everywhere, **offline, "GIT_OPTIONAL_LOCKS": "0"}.items()
    assert writing.items() >= {**everywhere, **offline, "GIT_AUTHOR_NAME": "Somebody"}.items()
    assert talking.items() >= everywhere.items()
    assert "GIT_OPTIONAL_LOCKS" not in writing.keys() | talking.keys()
    assert not offline.keys() & talking.keys()


def test_colour_quoting_and_signatures_are_off(world: World, clone: str) -> None:
    for key, value in (("color.ui", "always"), ("core.quotePath", "true"), ("log.showSignature", "true")):
        world.git(clone, "config", key, value)
    (Path(clone) / "é").write_text("x")
    assert observe(clone, ["status", "--short"]).text == "?? é"
    assert observe(clone, ["log", "-1", "--format=%h"]).err == b""


def test_an_enclosing_repository_is_never_taken(world: World) -> None:
    world.git(world.base, "init", "-q", str(world.root))
    plain = world.root / "plain"
    plain.mkdir()
    with environment({"GIT_CEILING_DIRECTORIES": "/somewhere"}):
        assert observe(str(plain), ["rev-parse", "--git-dir"]).code == 128
        listed = variables(observe(str(plain), shell("env")))["GIT_CEILING_DIRECTORIES"].split(":")
    assert listed == ["/somewhere", os.path.realpath(world.root)]


def test_an_enclosing_repository_is_never_taken_through_a_symlink(world: World, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    (outer / "inner").mkdir(parents=True)
    world.git(tmp_path, "init", "-q", str(outer))
    (world.pool / "linked").symlink_to(outer / "inner")
    assert observe(str(world.pool / "linked"), ["rev-parse", "--git-dir"]).code == 128


def test_a_path_with_a_colon(world: World, tmp_path: Path) -> None:
    home = tmp_path / "with:colon" / "root"
    home.mkdir(parents=True)
    run_git(tmp_path, "init", "-q", str(home))
    clone, worktree, plain = home / "clone", home / "worktree", home / "plain"
    plain.mkdir()
    assert network(str(home), ["clone", "-q", "-o", "origin", "--", world.origin().url, str(clone)]).code == 0
    assert change(str(clone), ["worktree", "add", "-q", "-b", "topic", str(worktree)]).code == 0
    assert observe(str(worktree), ["rev-parse", "--show-toplevel", "--abbrev-ref", "HEAD"]).text.split() == [
        str(worktree),
        "topic",
    ]
    assert observe(str(worktree), ["status", "--porcelain"]).text == ""
    assert observe(str(clone / ".git"), ["rev-parse", "HEAD"]).code == 0
    assert observe(str(plain), ["rev-parse", "--git-dir"]).code == 128
    assert observe(str(plain), ["ls-remote", "--heads", world.origin("other").url]).code == 128
    assert network(str(plain), ["ls-remote", "--heads", world.origin("third").url]).code == 0
    assert change(str(home), ["init", "-q", "--bare", str(plain / "made.git")]).code == 0
    assert (plain / "made.git" / "HEAD").exists()
    assert observe(str(plain / "made.git"), ["rev-parse", "--is-bare-repository"]).text == "true"


def test_bare_repositories_and_git_directories(world: World, clone: str) -> None:
    worktree = world.worktree()
    registration = world.git(worktree, "rev-parse", "--absolute-git-dir")
    strict = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.bareRepository", "GIT_CONFIG_VALUE_0": "explicit"}
    with environment(strict):
        assert observe(str(world.origins["backend"].path), ["rev-parse", "main"]).code == 0
        assert observe(f"{clone}/.git", ["rev-parse", "HEAD"]).code == 0
        assert observe(registration, ["symbolic-ref", "HEAD"]).text == "refs/heads/ws/task-01/main"


def test_only_network_fetches_what_a_blobless_clone_lacks(world: World) -> None:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    lean = str(world.pool / "lean")
    world.git(world.pool, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin.path}", lean)
    for call in (observe, change):
        assert call(lean, ["cat-file", "-p", "HEAD:README.md"]).code != 0
    assert network(lean, ["cat-file", "-p", "HEAD:README.md"]).text.startswith("# Template")


def test_git_is_missing(clone: str) -> None:
    with environment({"PATH": "/nonexistent"}), pytest.raises(OrbitError, match=r"^git: git is not on PATH: "):
        observe(clone, ["rev-parse", "HEAD"])


def test_arguments_no_process_can_take(clone: str) -> None:
    for argument in ("a\0b", "\ud800"):
        with pytest.raises(OrbitError, match=r"^git: cannot start git: "):
            observe(clone, ["rev-parse", argument])
    with pytest.raises(OrbitError, match=r"^git: cannot start git: "):
        observe(clone, ["rev-parse", "x" * 10_000_000])


def test_nothing_stays_open_and_nobody_stays_unreaped(clone: str) -> None:
    before = sorted(os.listdir("/dev/fd"))
    observe(clone, ["rev-parse", "HEAD"])
    observe(clone, ["no-such-command"], stdin=b"x" * 1_000_000)
    change(clone, ["config", "a.b", "c"])
    network(clone, ["ls-remote", "/nowhere"])
    with environment({"PATH": "/nonexistent"}), pytest.raises(OrbitError):
        observe(clone, [], stdin=b"x")
    with environment({"ORBIT_STALL_SECONDS": "1"}), pytest.raises(GitError):
        network(clone, shell("exec sleep 1000"))
    assert sorted(os.listdir("/dev/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_git_inherits_no_file_but_its_streams(clone: str) -> None:
    secret = os.open(clone, os.O_RDONLY)
    try:
        listed = observe(clone, shell(f"test -e /dev/fd/{secret} && echo open || echo closed")).text
    finally:
        os.close(secret)
    assert listed == "closed"


def test_orbit_started_without_standard_streams(clone: str, tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "os.close(0); os.close(1); os.close(2)\n"
        "from orbit.git.run import observe\n"
        "answers = [observe(sys.argv[1], ['hash-object', '--stdin'], stdin=text).text for text in (b'', b'x\\n')]\n"
        "open(sys.argv[2], 'w').write(' '.join(answers))\n"
        "os._exit(0)\n"
    )
    written = tmp_path / "answers"
    subprocess.run([sys.executable, "-c", script, clone, str(written)], check=True)
    assert written.read_text() == f"{EMPTY_BLOB} 587be6b4c3f93f93c489c0111bba5596147a26cb"


def test_git_gets_the_signals_that_python_ignores(clone: str) -> None:
    assert "alive" not in observe(clone, shell("sh -c 'kill -PIPE $$; echo alive'")).text


def test_a_helper_left_behind_does_not_hold_up_the_answer(clone: str) -> None:
    left = observe(clone, shell("sh -c 'sleep 1000 & echo $!'"))
    os.kill(int(left.text), signal.SIGKILL)
    assert left.code == 0


def test_ended_by_a_signal(clone: str) -> None:
    ended = change(clone, shell("kill -9 $PPID"))
    assert ended.code == -9
    with pytest.raises(GitError, match=r"^backend: cannot look: git was ended by signal 9$"):
        checked(ended, "backend", "cannot look")
    with pytest.raises(OrbitError, match=r"^git: git run was ended by signal 9$"):
        observe(clone, shell("kill -9 $PPID"))


def test_network_has_its_own_process_group(clone: str) -> None:
    show = shell(f"{shlex.quote(sys.executable)} -Sc 'import os; print(os.getpgrp())'")
    assert observe(clone, show).text == str(os.getpgrp())
    assert network(clone, show).text != str(os.getpgrp())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15"),
        ({"GIT_SSH_COMMAND": "mine"}, "mine"),
        ({"GIT_SSH": "mine"}, None),
        ({"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.sshCommand", "GIT_CONFIG_VALUE_0": "mine"}, None),
    ],
)
def test_ssh_asks_nothing_unless_the_user_chose_a_command(
    clone: str, settings: dict[str, str], expected: str | None
) -> None:
    with environment(settings):
        assert variables(network(clone, shell("env"))).get("GIT_SSH_COMMAND") == expected


def test_low_speed_limits_unless_the_user_set_them(world: World, clone: str) -> None:
    with environment({"ORBIT_STALL_SECONDS": "7"}):
        assert network(clone, ["config", "--get", "http.lowSpeedTime"]).text == "7"
        with environment({"GIT_HTTP_LOW_SPEED_TIME": "3"}):
            assert network(clone, ["config", "--get", "http.lowSpeedTime"]).text == ""
        world.git(clone, "config", "http.https://example.com/.lowSpeedLimit", "100")
        assert network(clone, ["config", "--get", "http.lowSpeedTime"]).text == ""


def test_progress_is_shown_line_by_line_and_made_safe(clone: str) -> None:
    lines: list[str] = []
    says = r"printf 'Receiving: 1%%\rReceiving: 99%%\n\033[31mhttps://u:t@example.com\033[0m\nrest' >&2"
    finished = network(clone, shell(says), on_progress=lines.append)
    assert lines == ["Receiving: 1%", "Receiving: 99%", "https://example.com"]
    assert finished.err.endswith(b"rest")


def test_a_clone_and_its_progress(world: World) -> None:
    lines: list[str] = []
    arguments = ["clone", "--progress", "--no-local", "--", world.origin().url, "made"]
    assert network(str(world.pool), arguments, on_progress=lines.append).code == 0
    assert any("Receiving objects: 100%" in line for line in lines)


def test_a_remote_that_never_answers(clone: str, silent_server: SilentServer) -> None:
    with environment({"ORBIT_STALL_SECONDS": "1"}), pytest.raises(GitError) as caught:
        network(clone, ["fetch", "--progress", silent_server.url])
    assert caught.value.kind == "stalled"
    assert str(caught.value) == "git: fetch: no activity for 1 s"
    assert caught.value.code == 1


def living(group: int) -> list[str]:
    """Names of the processes of a group; one that ended and waits for its new parent does not count."""
    found = []
    for process in psutil.process_iter(["status", "name"]):
        try:
            if os.getpgid(process.pid) == group and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process.info["name"])
        except ProcessLookupError:
            continue
    return found


def interrupted(script: str, silent_server: SilentServer, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Ctrl-C for a Python that waits for a remote: only Python gets it, as git has a group of its own."""
    command = [sys.executable, "-c", script, *arguments, silent_server.url]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert silent_server.connected.wait(30)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    return subprocess.CompletedProcess(command, running.returncode, out, err)


def test_an_interrupt_ends_the_whole_group(clone: str, silent_server: SilentServer, tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from orbit.git.run import network\n"
        "try:\n"
        "    network(sys.argv[1], ['-c', 'alias.run=!' + sys.argv[2], 'run'])\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    group = tmp_path / "group"
    tell = f"{shlex.quote(sys.executable)} -Sc 'import os; print(os.getpgrp())' >{group}"
    done = interrupted(script, silent_server, clone, f"{tell}; git ls-remote {silent_server.url}; :")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"interrupted\n", b"")
    assert living(int(group.read_text())) == []


def test_an_interrupt_at_any_moment_leaves_no_git_behind(clone: str) -> None:
    script = (
        "import os, signal, sys\n"
        "from orbit.git.run import network, observe\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "network(sys.argv[1], ['version'])  # Python itself may lose an interrupt while it imports\n"
        "for step in range(1, 200):\n"
        "    try:\n"
        "        signal.setitimer(signal.ITIMER_REAL, step * 5e-5)\n"
        "        while True:\n"
        "            observe(sys.argv[1], ['hash-object', '--stdin'], stdin=b'x' * 200_000)\n"
        "            network(sys.argv[1], ['rev-parse', 'HEAD'])\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "try:\n"
        "    print('left', os.waitpid(-1, os.WNOHANG))\n"
        "except ChildProcessError:\n"
        "    print('none left')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, clone], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"none left\n", b"")


def test_git_version(tmp_path: Path) -> None:
    assert ".".join(map(str, git_version())) in run_git(tmp_path, "version")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("", 60), ("5", 5), ("007", 7), ("0", 60), ("-1", 60), ("1.5", 60), ("٣", 60), ("9" * 30, 60)],
)
def test_stall_seconds(value: str, seconds: int) -> None:
    assert stall_seconds(value) == seconds


def test_a_trace_to_stderr_is_not_what_git_says_and_one_to_a_file_is_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = str(world.clone())
    monkeypatch.setenv("GIT_TRACE", "1")
    monkeypatch.setenv("GIT_TRACE_PERFORMANCE", str(world.base / "trace"))
    done = observe(clone, ["rev-parse", "HEAD"])
    assert (done.code, done.err) == (0, b"")
    assert (world.base / "trace").stat().st_size > 0
