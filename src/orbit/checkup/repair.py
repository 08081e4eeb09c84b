"""The harmless repairs of `doctor --fix`, each saying what it did. Contract: commands.md, doctor."""

from __future__ import annotations

import shutil

from orbit.checkup.adds import end_add
from orbit.checkup.drafts import remove_draft
from orbit.checkup.links import repair_links
from orbit.checkup.locks import remove_lock
from orbit.errors import OrbitError
from orbit.knowledge.memo import repair as repair_index
from orbit.knowledge.roster import read_roster
from orbit.pool.clone import sweep
from orbit.pool.index import read_index
from orbit.pool.maintain import put_back
from orbit.pool.project import clone_lock
from orbit.store.cache import Cache, is_sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.checkup.project import Checked
    from orbit.places import Project


def repair(project: Project, checked: Checked) -> list[str]:
    """What was done, one sentence each. Locks go first: they would stop the rest."""
    done = [f"removed the stale lock {lock.path}" for lock in checked.locks if remove_lock(lock)]
    done += [f"removed what a killed call left at {path}" for path in checked.drafts if remove_draft(path)]
    for repo in checked.adds:
        done += end_add(project, repo)
    done += [f"removed the unfinished clone {name}" for name in sweep(project.pool)]
    if not is_sound(project.cache):
        shutil.rmtree(project.cache, ignore_errors=True)
        done.append("removed the damaged cache")
    if checked.index_state != "ok":
        cache = Cache(project.cache)
        read_roster(project, cache, 1, distances=False)
        cache.close()
        done.append("rebuilt the index")
    rows, _ = repair_index(project)
    if rows:
        done.append(f"repaired {rows} index entries")
    done += [f"joined the worktree {path} to the pool again" for path in repair_links(project, checked.links)]
    return done + _restore_config(project, checked.drifted)


def _restore_config(project: Project, names: tuple[str, ...]) -> list[str]:
    settings = read_index(project).settings
    done = []
    for name in names:
        try:
            with clone_lock(project.clone(name)):
                notices = put_back(name, project.clone(name), settings)
        except OrbitError as problem:
            done.append(f"could not write the git config of {name}: {problem.message}")
            continue
        done += [f"{name}: {notice.fact}" for notice in notices]
    return done
