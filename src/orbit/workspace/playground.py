"""The project that `orbit try` makes: two small repositories that share a contract, and a task that needs both.

Contract: commands.md, try.
"""

from __future__ import annotations

import os
import shutil
import time

from orbit.errors import OrbitError
from orbit.git.run import change, checked, network
from orbit.places import Project, World, find_root
from orbit.pool.clone import CloneRequest, clone_one
from orbit.pool.project import create_project
from orbit.record import Record
from orbit.workspace.create import create_workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GOAL = "show in the storefront when an order will arrive; the orders service has to send the date"
WORKSPACE = "task-01"
_REMOTES = ".remotes"
_NOBODY = {
    "GIT_AUTHOR_NAME": "Orbit Try",
    "GIT_AUTHOR_EMAIL": "try@example.com",
    "GIT_COMMITTER_NAME": "Orbit Try",
    "GIT_COMMITTER_EMAIL": "try@example.com",
}
_PLAIN = ("-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "init.defaultBranch=main")

_REPOSITORIES: Mapping[str, Mapping[str, str]] = {
    "orders": {
        "README.md": "# orders\n\nThe service that knows every order and what state it is in.\n\n"
        "It answers with the shape written down in `contract/order.json`.\n",
        "contract/order.json": '{\n  "id": "text",\n  "state": "packed | shipped | delivered"\n}\n',
        "orders/service.py": 'def order(number):\n    return {"id": number, "state": "packed"}\n',
    },
    "storefront": {
        "README.md": "# storefront\n\nThe web page on which customers follow their orders.\n\n"
        "It reads what `orders` sends; the shape is that repository's `contract/order.json`.\n",
        "pages/order.html": "<h1>Your order</h1>\n<p>It is {{ state }}.</p>\n",
    },
}
ARRIVAL = {
    "contract/order.json": '{\n  "id": "text",\n  "state": "packed | shipped | delivered",\n  "arrives": "date"\n}\n',
}
LATER = {"contract/CHANGES.md": "# Changes\n\nEvery change of the contract is listed here.\n"}

ORDERS_CARD = """# orders

The service that knows every order and what state it is in.

## When to add (roles)

- The shape of an order changes, or a new fact about an order is needed anywhere

## How to use

- `contract/order.json`: the shape that storefront relies on; change it first
- `orders/service.py`: where the answer is built
"""


class Playground(Record):
    """Where it is: the project root, and the workspace in it."""

    root: str
    workspace: str


def build_playground(directory: str) -> Playground:
    """Make everything below `directory` (absolute). Raises OrbitError, leaving nothing, also when it is not empty."""
    existed = os.path.isdir(directory)
    try:
        os.makedirs(directory, exist_ok=True)
        if os.listdir(directory):
            raise OrbitError("try", f"{directory} is not empty")
    except OSError as error:
        raise OrbitError("try", f"cannot make {directory} ({error.strerror})") from None
    project = Project(os.path.realpath(directory))
    try:
        create_project(project)
        _require_own_root(project)
        for name, files in _REPOSITORIES.items():
            remote = make_remote(f"{project.root}/{_REMOTES}", name, files)
            clone_one(project, CloneRequest(url=remote, directory=project.root))
        workspace, _ = create_workspace(project, WORKSPACE, GOAL, int(time.time()))
    except BaseException:
        for name in os.listdir(directory):
            shutil.rmtree(f"{directory}/{name}", ignore_errors=True)
        if not existed:
            os.rmdir(directory)
        raise
    return Playground(project.root, project.workspace(workspace))


def _require_own_root(project: Project) -> None:
    """Raises OrbitError inside a checkout of another project: there orbit would act on that one."""
    root, ignored = find_root(World(cwd=project.root, env={}))
    if ignored:
        raise OrbitError("try", f"{project.root} lies in a repository of the project {root}, choose another place")


def make_remote(parent: str, name: str, files: Mapping[str, str]) -> str:
    """A bare repository `<parent>/<name>.git` with one commit; gives its path."""
    bare, draft = f"{parent}/{name}.git", f"{parent}/.draft-{name}"
    os.makedirs(parent, exist_ok=True)
    checked(change(parent, [*_PLAIN, "init", "--quiet", "--bare", bare]), "try", f"make {name}")
    checked(change(parent, [*_PLAIN, "init", "--quiet", draft]), "try", f"make {name}")
    _commit(draft, files, "First version")
    checked(network(draft, [*_PLAIN, "push", "--quiet", bare, "HEAD:refs/heads/main"]), "try", f"fill {name}")
    checked(change(bare, ["symbolic-ref", "HEAD", "refs/heads/main"]), "try", f"fill {name}")
    shutil.rmtree(draft)
    return bare


def commit_upstream(root: str, name: str, files: Mapping[str, str], message: str) -> None:
    """Somebody else's commit on the main branch of a playground remote."""
    bare, draft = f"{root}/{_REMOTES}/{name}.git", f"{root}/{_REMOTES}/.draft-{name}"
    checked(network(root, [*_PLAIN, "clone", "--quiet", bare, draft]), "try", f"change {name}")
    _commit(draft, files, message)
    checked(network(draft, [*_PLAIN, "push", "--quiet", "origin", "HEAD:refs/heads/main"]), "try", f"change {name}")
    shutil.rmtree(draft)


def commit_in_worktree(worktree: str, files: Mapping[str, str], message: str) -> str:
    """What a person or an agent does with plain git; gives what git says."""
    return _commit(worktree, files, message)


def _commit(directory: str, files: Mapping[str, str], message: str) -> str:
    for name, text in files.items():
        path = f"{directory}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    # The user may ignore such files everywhere.
    checked(change(directory, ["add", "--all", "--force"]), "try", "stage files")
    words = [*_PLAIN, "commit", "-m", message]
    return checked(change(directory, words, extra_env=_NOBODY), "try", "commit").text
