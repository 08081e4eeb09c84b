"""Whether merging a branch into upstream would change nothing, tried where no attribute can have a say.

A bare repository that borrows the clone's objects: no merge driver, no `merge=ours`, and what a merge writes is thrown
away with it. Contract: prune.md, Branch verdicts; refinements.md, 25.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from orbit.errors import OrbitError
from orbit.git.run import change, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.git.run import Finished

# Nothing of the user's that says how files are merged.
_PLAIN = (
    *("-c", "core.attributesFile=/dev/null", "-c", "merge.default=text"),
    *("-c", "merge.renames=true", "-c", "merge.directoryRenames=conflict", "-c", "gc.auto=0"),
)
_ENVIRONMENT = {"GIT_ATTR_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1"}


class Scratch:
    """For the length of a `with` block; the repository is made when it is first needed."""

    def __init__(self, directory: str, git_directory: str) -> None:
        self._directory = directory
        self._git_directory = git_directory
        self._made = ""
        self._trees: dict[str, str] = {}

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._made:
            shutil.rmtree(self._made, ignore_errors=True)

    def is_upstream(self, base: str, tip: str) -> bool:
        """Whether a merge of the two is clean and yields exactly the tree of `base`; False when git cannot tell."""
        try:
            repository = self._repository(base)
        except OrbitError:
            return False
        merged = _ask(repository, "merge-tree", "--write-tree", "--no-messages", base, tip)
        return merged.code == 0 and merged.text.split("\n")[0] == self._tree(repository, base)

    def _tree(self, repository: str, commit: str) -> str:
        if commit not in self._trees:
            words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{tree}}")
            self._trees[commit] = _ask(repository, *words).text
        return self._trees[commit]

    def _repository(self, like: str) -> str:
        if not self._made:
            try:
                os.makedirs(self._directory, exist_ok=True)
                self._made = tempfile.mkdtemp(prefix="prune-", dir=self._directory)
            except OSError as error:
                raise OrbitError("prune", f"cannot make a scratch repository ({error.strerror})") from None
            kind = "sha1" if len(like) == 40 else "sha256"
            words = ["init", "--quiet", "--bare", "--template=", f"--object-format={kind}", self._made]
            checked(change(self._directory, words), "prune", "making a scratch repository")
            _lend(self._git_directory, self._made)
        return self._made


def _lend(source: str, scratch: str) -> None:
    """Objects, and where a shallow history ends. Raises OrbitError for a path that cannot be written down."""
    objects = f"{os.path.realpath(source)}/objects"
    if "\n" in objects:
        raise OrbitError("prune", "the path of the clone holds a line break")
    os.makedirs(f"{scratch}/objects/info", exist_ok=True)
    with open(f"{scratch}/objects/info/alternates", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(f"{objects}\n")
    if os.path.isfile(f"{source}/shallow"):
        shutil.copyfile(f"{source}/shallow", f"{scratch}/shallow")


def _ask(repository: str, *words: str) -> Finished:
    return change(repository, [*_PLAIN, *words], extra_env=_ENVIRONMENT)


def sweep(directory: str) -> None:
    """Remove what a killed prune left."""
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:
        if name.startswith("prune-"):
            shutil.rmtree(f"{directory}/{name}", ignore_errors=True)
