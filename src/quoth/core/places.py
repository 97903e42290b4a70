"""Say which project a directory belongs to. A project is a repository, not a path (DESIGN §4).

Worktrees, clones and renamed folders of one repository are one project; folders whose names differ only in punctuation
or in letters of another script are two. Credentials of a remote never get past `remote_of`.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from quoth.core.ids import ProjectId
from quoth.core.model import Place

_LONGEST = 2_000  # characters of a remote; longer ones are no address
_SCP = re.compile(r"(?:[^/]*@)?(\[[^\]/]+\]|[^/:@\[\]]+):(?!:)(.*)", re.DOTALL)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"[A-Za-z]:(?=[\\/]|$)")
_MOUNTED = re.compile(r"/(?:mnt|cygdrive)/([A-Za-z])(?=/|$)")
_WSL_SHARE = re.compile(r"//(?:wsl\$|wsl\.localhost)/[^/]+(?=/|$)", re.IGNORECASE)

# One server under two names, and servers that do not tell upper from lower case.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
}
_CASELESS = {"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "codeberg.org"}

# Folders that are nobody's project: roots, homes and temporary folders as systems name them.
_NOWHERE = re.compile(
    r"""/ | /root | (/var|/usr|/export)?/home(/[^/]+)? | /Users(/[^/]+)?
      | (/private)?(/var)?/tmp | (/private)?/var/folders(/[^/]+){0,2}(/T)? | /dev/shm
      | [a-z]: | [a-z]:/users(/[^/]+)? | [a-z]:/(windows/)?te?mp | [a-z]:/users/[^/]+/appdata/local/temp""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a repository is published: `owner` may have several parts (`group/sub`) or none."""

    host: str
    owner: str
    name: str

    @property
    def key(self) -> ProjectId:
        path = "/".join(filter(None, (self.host, self.owner, self.name)))
        return ProjectId(f"git:{path.lower() if self.host in _CASELESS else path}")


@dataclass(frozen=True, slots=True)
class GitPlace:
    """What `.git` says of a directory: the folder of its working tree, the one that all worktrees share, where it is
    published, else its root commit, and the branch."""

    top: str
    main: str
    remote: Remote | None = None
    root: str | None = None
    branch: str | None = None


def remote_of(url: str) -> Remote | None:
    """Read a git remote in any spelling; None when it names no repository."""
    if len(url) > _LONGEST or not url.isprintable():
        return None
    if path := local_path(url):
        return _remote("file", normal_path(path)) if _is_absolute(path) else None
    if _URL.match(url):
        return _from_url(url)
    match = _SCP.fullmatch(url)
    return _remote(match[1].strip("[]"), match[2].partition("?")[0]) if match and "@" not in match[2] else None


def local_path(url: str) -> str | None:
    """Return the folder of this machine that a remote names; None when it names another machine."""
    if url.lower().startswith("file://"):
        rest = url[len("file://") :].removeprefix("localhost")
        path = unquote(rest)
        return path[1:] if _DRIVE.match(path[1:]) else path if path.startswith("/") else None
    if _URL.match(url) or url.startswith(("//", "\\\\")):
        return None
    is_path = _DRIVE.match(url) or url.startswith(("/", ".", "~"))
    return url if is_path else None


def _from_url(url: str) -> Remote | None:
    """Read a URL. An `@` behind the host may end a password with a slash in it, so such a URL names nothing."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    behind = unquote(f"{parts.path}?{parts.query}#{parts.fragment}")
    return None if "@" in behind else _remote(host, unquote(parts.path))


def _remote(host: str, path: str) -> Remote | None:
    host = _SAME_HOST.get(host.lower(), host.lower())
    parts = [part for part in unicodedata.normalize("NFC", path).replace("\\", "/").split("/") if part not in {"", "."}]
    if host == "dev.azure.com":  # v3/org/project/repo over ssh, org/project/_git/repo over https
        parts = [part for part in parts if part not in {"v3", "_git"}]
    if parts and parts[-1] == ".git":
        parts.pop()
    if not host or not parts or ".." in parts or not "".join(parts).isprintable():
        return None
    name = re.sub(r"(?i)\.git$", "", parts[-1])
    return Remote(host, "/".join(parts[:-1]), name) if name else None


def normal_path(path: str) -> str:
    """Return one spelling of a directory: Windows and WSL name the same folder in several ways."""
    tidy = _tidy(path)
    return tidy.lower() if _is_windows(tidy) else tidy


def is_nowhere(path: str) -> bool:
    """Tell whether a directory is a root, a home or a temporary folder by its name."""
    return bool(_NOWHERE.fullmatch(normal_path(path)))


def has_digest(directory: str, digest: str) -> bool:
    """Tell whether the SHA-256 of a directory begins like that, as agents name folders; on Windows in lower case."""
    spelled = {directory, directory.lower()}
    return any(hashlib.sha256(each.encode("utf-8", "replace")).hexdigest().startswith(digest) for each in spelled)


def is_below(path: str, folder: str) -> bool:
    """Tell whether a directory is a folder or lies in it, part by part: `/src/app` is not in `/src/ap`."""
    inner, outer = normal_path(path), normal_path(folder)
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")


def project_of(
    cwd: str, git: GitPlace | None = None, hint: str | None = None, personal: Collection[str] = ()
) -> Place | None:
    """Place a directory by what was seen there, else by the remote its log names, else by its path.

    `personal` are the person's own home and temporary folders. None is the personal scope: no project.
    """
    path = normal_path(cwd)
    mine = {normal_path(folder) for folder in personal}
    if path in mine or not _is_absolute(path):
        return None
    # A repository over a whole home (dotfiles) would swallow everything below it.
    git = None if git and normal_path(git.top) in mine else git
    if git:
        return _placed_by_git(cwd, git)
    if is_nowhere(cwd):
        return None
    if remote := remote_of(hint) if hint else None:
        return _placed(cwd, remote)
    return Place(cwd, _directory(cwd), _last(cwd))


def _placed_by_git(cwd: str, git: GitPlace) -> Place:
    if git.remote and (git.remote.host != "file" or not git.root):
        return _placed(cwd, git.remote, git)
    project = ProjectId(f"commit:{git.root}") if git.root else _directory(git.main)
    return Place(cwd, project, _last(git.main), None, git.top, git.branch)


def _placed(cwd: str, remote: Remote, git: GitPlace | None = None) -> Place:
    top, branch = (git.top, git.branch) if git else (None, None)
    return Place(cwd, remote.key, remote.name, remote.owner or None, top, branch)


def _directory(path: str) -> ProjectId:
    spelled = normal_path(path).encode("utf-8", "surrogatepass")
    return ProjectId(f"dir:{hashlib.sha256(spelled).hexdigest()}")


def _last(path: str) -> str:
    return _tidy(path).rpartition("/")[2] or path


def _is_windows(path: str) -> bool:
    return bool(_DRIVE.match(path)) or path.startswith("//")


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _is_windows(path)


def _tidy(path: str) -> str:
    text = unicodedata.normalize("NFC", path)
    text = re.sub(r"^\\\\[?.]\\(UNC(?=\\))?", lambda match: "\\" if match[1] else "", text)
    if _DRIVE.match(text) or text.startswith("\\\\"):
        text = text.replace("\\", "/")
    text = _WSL_SHARE.sub("", text) or "/" if text.startswith("//") else text
    text = _MOUNTED.sub(lambda match: f"{match[1]}:", text)
    return posixpath.normpath(text) if text else text
