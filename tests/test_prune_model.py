"""Random lives of workspaces, user and orbit taking turns: prune takes what it may, keeps what it must, and says so.

After every step plain git and file reads look whether a commit or an uncommitted file is gone that nobody gave up.
ORBIT_SOAK=1 runs the long form; ORBIT_SEED repeats one.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, note, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from prune_oracle import (
    State,
    commits,
    files_of,
    is_done,
    is_moved,
    is_upstream,
    queued,
    read_state,
    reasons,
    registrations,
    reported,
)
from world import Outcome, Template, World

SOAK = os.environ.get("ORBIT_SOAK") == "1"
EXAMPLES, STEPS = (250, 40) if SOAK else (4, 16)
# Read before the tests are sealed off from the machine's own variables.
SEED = int(os.environ.get("ORBIT_SEED") or (random.SystemRandom().randrange(1 << 32) if SOAK else 20_261))
REPOS = ("backend", "web")
WORKSPACES = ("w1", "w2")
PLACES = (*WORKSPACES, "w1-moved", "w2-moved")

which = st.integers(0, 7)
workspace_names = st.sampled_from(WORKSPACES)
place_names = st.sampled_from(PLACES)
repo_names = st.sampled_from(REPOS)


class Lives(RuleBasedStateMachine):
    """`files`: uncommitted ones by path; `jots` by directory; `commits` ever seen, by repo. Only --force and the user's
    own hands may make any of them fewer.
    """

    numbers = itertools.count()

    def __init__(self, directory: Path, template: Template) -> None:
        super().__init__()
        self.world = World(directory, template)
        self.root = self.world.root
        self.files: dict[Path, str] = {}
        self.jots: dict[str, list[str]] = {}
        self.commits: dict[str, set[str]] = {repo: set() for repo in REPOS}

    @initialize()
    def begin(self) -> None:
        for repo in REPOS:
            self.world.clone(repo)
        self.foreign = [self.root / "notes", self.root / "theirs", self.root / ".prune-trash" / "not orbit's"]
        for place in self.foreign:
            place.mkdir(parents=True)
            (place / "kept.txt").write_text("by hand\n")
        self.world.git(self.root / "theirs", "init", "-q")
        self.new("w1")
        self.orbit("add", *REPOS, cwd=self.root / "w1")

    # What the user does.

    @rule(name=workspace_names)
    def new(self, name: str) -> None:
        if not (self.root / name).exists():
            assert self.orbit("new", f"goal {next(self.numbers)}", "--name", name).code == 0

    @rule(name=workspace_names, repo=repo_names, reuse=st.booleans())
    def add(self, name: str, repo: str, reuse: bool) -> None:
        if (self.root / name).is_dir():
            self.orbit("add", repo, *(["--reuse"] if reuse else []), cwd=self.root / name)

    @rule(number=which, pushed=st.booleans())
    def commit(self, number: int, pushed: bool) -> None:
        if tree := self.tree(number):
            name = f"file-{next(self.numbers)}"
            (tree / name).write_text("committed\n")
            self.world.git(tree, "add", name)
            self.world.git(tree, "commit", "-q", "-m", name)
            if pushed:
                self.world.git(tree, "push", "-q", "origin", f"HEAD:refs/heads/pushed-{name}")

    @rule(number=which, squash=st.booleans())
    def merge_upstream(self, number: int, squash: bool) -> None:
        if not (tree := self.tree(number)):
            return
        repo = next(r for r in REPOS if any(one.path == tree for one in registrations(self.world.pool / r)))
        origin = self.world.origins[repo].path
        self.world.git(origin, "fetch", "-q", str(self.world.pool / repo), self.world.git(tree, "rev-parse", "HEAD"))
        tree_sha = self.world.git(origin, "merge-tree", "--write-tree", "--no-messages", "main", "FETCH_HEAD")
        parents = ["-p", "main", *([] if squash else ["-p", "FETCH_HEAD"])]
        merged = self.world.git(origin, "commit-tree", "-m", "Merge", *parents, tree_sha.split("\n")[0])
        self.world.git(origin, "update-ref", "refs/heads/main", merged)

    @rule(number=which)
    def write(self, number: int) -> None:
        if tree := self.tree(number):
            path = tree / f"dirty-{next(self.numbers)}"
            path.write_text(path.name)
            self.files[path] = path.name

    @rule(number=which)
    def stash(self, number: int) -> None:
        tree = self.tree(number)
        mine = [path for path in self.files if tree and path.parent == tree]
        if tree and mine:
            self.world.git(tree, "stash", "-q", "-u")
            for path in mine:
                del self.files[path]

    @rule(number=which)
    def switch(self, number: int) -> None:
        tree = self.tree(number)
        if tree and tree.parent.name in PLACES:
            self.orbit("switch", "-c", f"topic-{next(self.numbers)}", cwd=tree)

    @rule(number=which)
    def detach(self, number: int) -> None:
        if tree := self.tree(number):
            self.world.git(tree, "switch", "-q", "--detach")

    @rule(number=which, inside=st.booleans())
    def nest(self, number: int, inside: bool) -> None:
        if tree := self.tree(number):
            name = f"nested-{next(self.numbers)}"
            place = tree / name if inside else self.root / tree.relative_to(self.root).parts[0] / name
            self.world.git(tree, "worktree", "add", "-q", "-b", f"raw-{name}", str(place))

    @rule(number=which, lock=st.booleans())
    def lock(self, number: int, lock: bool) -> None:
        tree = self.tree(number)
        locked = {o.path: o.locked for repo in REPOS for o in registrations(self.world.pool / repo)}
        if tree and locked[tree] != lock:
            self.world.git(tree, "worktree", "lock" if lock else "unlock", str(tree))

    @rule(name=place_names, repo=repo_names)
    def jot(self, name: str, repo: str) -> None:
        if (self.root / name).is_dir():
            text = f"jot {next(self.numbers)}"
            assert self.orbit("jot", repo, text, cwd=self.root / name, check=False).code == 0
            self.jots.setdefault(name, []).append(text)

    @rule(name=place_names)
    def goal(self, name: str) -> None:
        if (self.root / name).is_dir():
            assert self.orbit("goal", f"again {next(self.numbers)}", cwd=self.root / name).code == 0

    @rule(name=place_names)
    def done(self, name: str) -> None:
        if (self.root / name).is_dir():
            assert self.orbit("done", cwd=self.root / name).code == 0

    @rule(name=place_names)
    def remove_workspace(self, name: str) -> None:
        if (self.root / name).is_dir():
            shutil.rmtree(self.root / name)
            self.forget(self.root / name)

    @rule(number=which)
    def remove_tree(self, number: int) -> None:
        if tree := self.tree(number):
            shutil.rmtree(tree)
            self.forget(tree)

    @rule(name=workspace_names)
    def move(self, name: str) -> None:
        old, new = self.root / name, self.root / f"{name}-moved"
        if old.is_dir() and not new.exists():
            old.rename(new)
            self.files = {new / p.relative_to(old) if old in p.parents else p: text for p, text in self.files.items()}
            self.jots[new.name] = self.jots.pop(name, [])

    @rule()
    def sync(self) -> None:
        self.orbit("sync")

    @rule()
    def doctor(self) -> None:
        self.orbit("doctor", "--fix")

    # What it is all about.

    @rule()
    def prune_all(self) -> None:
        for name in PLACES:
            self.done(name)
        self.prune(force=False, name=None)

    @rule(force=st.booleans(), name=st.none() | place_names)
    def prune(self, force: bool, name: str | None) -> None:
        before = read_state(self.world)
        names = [name] if name else PLACES
        expected = {one: self.expected(before, one, force) for one in PLACES if one in names}
        alone = [self.root / one for one in PLACES if self.is_left_alone(before, one)]
        outcome = self.orbit("prune", *([name] if name else []), *(["--force"] if force else []), check=False)
        note(f"{before}\n{expected}\n{outcome}")
        after = read_state(self.world)
        if name and expected[name] is None:
            assert outcome.code == 1
            assert outcome.out == ""
            assert (before.refs, before.files) == (after.refs, after.files)
        else:
            assert outcome.code == 0, outcome
        for one, gone in expected.items():
            self.compare(before, after, one, gone)
        untouched = [one for one in before.files if one not in names]
        assert [before.files[one] for one in untouched] == [after.files.get(one) for one in untouched]
        self.told_the_truth(before, after, outcome)
        if not name:
            self.nothing_is_left(after, alone)
        if force:
            for one in before.files.keys() - after.files.keys():
                self.forget(self.root / one)
        self.check()

    @rule(name=place_names, force=st.booleans())
    def finish(self, name: str, force: bool) -> None:
        self.done(name)
        self.prune(force, name)

    @rule(name=workspace_names)
    def force_and_restore(self, name: str) -> None:
        home = self.root / name
        if not home.is_dir():
            return
        self.done(name)
        before, jots = read_state(self.world), queued(home)
        goal = self.world.git(home, "config", "--file", ".orbit", "--default", "", "--get", "workspace.goal")
        self.prune(force=True, name=name)
        if home.exists():
            return
        outcome = self.orbit("prune", "--restore", name)
        assert outcome.code == 0, outcome
        assert read_state(self.world).scoped(name) == before.scoped(name)
        assert queued(home) == jots
        assert self.world.git(home, "config", "--file", ".orbit", "--default", "", "--get", "workspace.goal") == goal
        assert not is_done(home)
        self.jots[name] = jots

    @rule(name=place_names)
    def restore(self, name: str) -> None:
        before = read_state(self.world)
        outcome = self.orbit("prune", "--restore", name)
        after = read_state(self.world)
        if outcome.code:
            assert (outcome.out, before) == ("", after)
            return
        # What a ghost has kept stands beside what comes back of it.
        assert before.scoped(name).items() <= after.scoped(name).items()
        assert name in after.files
        assert all(before.files[one] == after.files[one] for one in before.files)
        self.jots[name] = queued(self.root / name)

    # How it is judged.

    def expected(self, state: State, name: str, force: bool) -> set[tuple[str, str]] | None:
        """The branches that go; None for no candidate and for a workspace that must stay wholly as it is."""
        home = self.root / name
        scoped = state.scoped(name)
        free = {key: sha for key, sha in scoped.items() if key not in state.held(home)}
        if home.is_dir():
            if not is_done(home):
                return None
            soft, hard = reasons(self.world, state, name)
            return set() if hard or (soft and not force) else {("", name), *free}
        own = state.below(home)
        if not scoped and not own:
            return None
        if self.is_left_alone(state, name):
            return set()
        return {("", name), *(b for b, sha in free.items() if force or is_upstream(self.world, b[0], sha))}

    def compare(self, before: State, after: State, name: str, gone: set[tuple[str, str]] | None) -> None:
        if not gone:
            assert before.files.get(name) == after.files.get(name)
            assert before.scoped(name) == after.scoped(name)
            there = [one for one in before.below(self.root / name) if one.path.exists()]
            assert [one for one in there if one not in after.registrations] == []
            return
        assert name not in after.files
        assert after.below(self.root / name) == []
        assert set(after.scoped(name)) == set(before.scoped(name)) - gone

    def told_the_truth(self, before: State, after: State, outcome: Outcome) -> None:
        pruned, kept, deleted = reported(outcome.out)
        assert before.files.keys() - after.files.keys() <= pruned
        assert not pruned & after.files.keys()
        assert all((self.root / one).is_dir() or before.scoped(one) for one in kept)
        heads = {(repo, ref[11:]): sha for repo, refs in before.refs.items() for ref, sha in refs.items()}
        vanished = {
            (repo, ref[11:], sha[:10])
            for repo, refs in before.refs.items()
            for ref, sha in refs.items()
            if ref.startswith("refs/heads/") and ref not in after.refs[repo]
        }
        assert vanished == deleted, heads

    def is_left_alone(self, state: State, name: str) -> bool:
        """A ghost one of whose worktrees lies elsewhere or is locked: nothing of it is touched, not even of the others.

        The place where it lies may go in the same run; the next one sees to what is left then.
        """
        home = self.root / name
        return not home.is_dir() and any(is_moved(self.world, state, one) or one.locked for one in state.below(home))

    def nothing_is_left(self, after: State, alone: list[Path]) -> None:
        assert [one for one in (self.root / ".prune-trash").iterdir() if one.name != "not orbit's"] == []
        # Nothing at all is changed of a finished workspace that is kept.
        kept = [*alone, *(self.root / name for name in after.files if is_done(self.root / name))]
        for one in after.registrations:
            away = one.locked or is_moved(self.world, after, one) or set(kept) & set(one.path.parents)
            assert one.path.exists() or away, one
        for repo, refs in after.refs.items():
            keys = self.world.git(self.world.pool / repo, "config", "--local", "--list", "--name-only").split("\n")
            names = {key[7:].rpartition(".")[0] for key in keys if key.startswith("branch.")}
            assert {name for name in names if f"refs/heads/{name}" not in refs} == set()

    def check(self) -> None:
        """Nothing that anybody made is gone."""
        for repo in REPOS:
            now = commits(self.world.pool / repo)
            lost = self.commits[repo] - now
            if lost:
                lost -= set(self.world.git(self.world.origins[repo].path, "rev-list", "--all").split())
            assert not lost, repo
            self.commits[repo] |= now
        for path, text in self.files.items():
            assert path.read_text() == text
        for name, jots in self.jots.items():
            # They stand by repository, not in the order of the calls.
            assert not jots or sorted(queued(self.root / name)) == sorted(jots)
        for place in self.foreign:
            assert files_of(place) == {"kept.txt": b"by hand\n"}

    # Small words.

    def orbit(self, *words: str, cwd: Path | None = None, check: bool = True) -> Outcome:
        outcome = self.world.orbit(*words, cwd=cwd)
        assert "internal" not in outcome.err, outcome
        if check:
            self.check()
        return outcome

    def tree(self, number: int) -> Path | None:
        """One of the worktrees that git can use."""
        found = [o.path for repo in REPOS for o in registrations(self.world.pool / repo) if (o.path / ".git").exists()]
        return sorted(found)[number % len(found)] if found else None

    def forget(self, directory: Path) -> None:
        self.files = {path: text for path, text in self.files.items() if directory not in path.parents}
        if directory.parent == self.root:
            self.jots.pop(directory.name, None)


def test_random_lives(tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, os.environ[name])
    print(f"ORBIT_SEED={SEED}")
    numbers = itertools.count()

    def fresh() -> Lives:
        directory = tmp_path / str(next(numbers))
        directory.mkdir()
        return Lives(directory, template)

    chosen_settings = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(SEED)(fresh), settings=chosen_settings)
