"""Projects are repositories, not paths: every spelling of one is one, and what differs stays apart."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.places import GitPlace, Remote, is_below, is_nowhere, local_path, normal_path, project_of, remote_of


def _id(cwd: str, hint: str | None = None) -> str | None:
    place = project_of(cwd, None, hint)
    return place.project if place else None


@pytest.mark.req("OV-23")
@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Acme/Shop.git",
        "github.com:acme/shop",
        "ssh://git@github.com/Acme/Shop.git",
        "ssh://git@ssh.github.com:443/acme/shop.git/",
        "https://github.com/acme/shop",
        "https://GitHub.com:443/acme/shop.git?ref=main#readme",
        "https://x-access-token:ghs_1234567890@github.com/acme/shop.git",
        "git://github.com//acme/./shop.git//",
        "git+ssh://git@github.com/acme/shop.git",
    ],
)
def test_every_spelling_of_a_remote_is_one_project(url: str) -> None:
    remote = remote_of(url)
    assert remote is not None
    assert remote.key == "git:github.com/acme/shop"


def test_the_name_that_is_shown_keeps_its_case() -> None:
    assert remote_of("git@github.com:Acme/Shop.git") == Remote("github.com", "Acme", "Shop")


def test_a_server_of_ones_own_tells_upper_from_lower_case() -> None:
    keys = {remote.key for url in ("git@host:a/B", "git@host:a/b") if (remote := remote_of(url))}
    assert keys == {"git:host/a/B", "git:host/a/b"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@gitlab.example.org:group/sub/tool.git", Remote("gitlab.example.org", "group/sub", "tool")),
        ("host:tool.git", Remote("host", "", "tool")),
        ("me@host:/srv/git/tool.git", Remote("host", "srv/git", "tool")),
        ("https://[2001:db8::1]:8443/acme/tool.git", Remote("2001:db8::1", "acme", "tool")),
        ("git@ssh.dev.azure.com:v3/org/plan/tool", Remote("dev.azure.com", "org/plan", "tool")),
        ("https://org@dev.azure.com/org/plan/_git/tool", Remote("dev.azure.com", "org/plan", "tool")),
        ("/srv/git/team/tool.git", Remote("file", "srv/git/team", "tool")),
        ("file:///srv/git/team/tool/.git", Remote("file", "srv/git/team", "tool")),
        ("C:\\git\\tool.git", Remote("file", "c:/git", "tool")),
        ("https://host/%D0%BA%D0%BE%D0%B4/tool", Remote("host", "код", "tool")),
    ],
)
def test_a_remote_is_read_in_every_form(url: str, expected: Remote) -> None:
    assert remote_of(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "tool",
        "../tool",
        "ext::sh -c true",
        "https://",
        "https://host",
        "https://host/.git",
        "https://[::1/a/b",
        "https://host/../b",
        "git@host:",
        "git@host:a\nb/c",
        "https://host/a/\x1b[31m",
        "x" * 3000 + ":a/b",
    ],
)
def test_what_names_no_repository_is_no_remote(url: str) -> None:
    assert remote_of(url) is None


_SECRET = st.text(string.ascii_letters + string.digits + "/@:#?%._-~\\", min_size=1, max_size=24).map(
    lambda text: f"S3cr3t{text}t3rc3S"
)


@pytest.mark.req("SEC-3")
@given(
    secret=_SECRET,
    form=st.sampled_from(["https://u:{}@host/o/n.git", "https://{}@host/o/n", "u:{}@host:o/n", "{}@host:o/n"]),
)
def test_no_credential_of_a_remote_gets_into_a_project(secret: str, form: str) -> None:
    place = project_of("/src/shop", None, form.format(secret))
    assert place is not None
    shown = f"{place.project} {place.name} {place.owner}".lower()
    assert "t3rc3s" not in shown
    assert "s3cr3t" not in shown


@pytest.mark.req("OV-23")
def test_folders_that_differ_in_other_scripts_or_punctuation_are_two_projects() -> None:
    pairs = [
        ("/src/项目甲", "/src/项目乙"),
        ("/src/my-app", "/src/my/app"),
        ("/src/a_b", "/src/a-b"),
        ("/src/App", "/src/app"),
    ]
    assert all(_id(one) != _id(other) for one, other in pairs)


@pytest.mark.parametrize(
    "path",
    [
        "C:\\Src\\Shop",
        "c:\\src\\shop\\",
        "C:/Src/Shop",
        "\\\\?\\C:\\Src\\Shop",
        "/mnt/c/Src/Shop",
        "/mnt/C/src/./shop",
        "/cygdrive/c/Src/x/../Shop",
    ],
)
def test_windows_and_wsl_spellings_of_a_folder_are_one(path: str) -> None:
    assert normal_path(path) == "c:/src/shop"
    assert _id(path) == _id("C:\\Src\\Shop")


def test_a_folder_seen_through_the_wsl_share_is_the_linux_folder() -> None:
    assert normal_path("\\\\wsl.localhost\\Ubuntu\\home\\ada\\shop") == "/home/ada/shop"
    assert normal_path("\\\\wsl$\\Debian") == "/"


def test_a_network_folder_and_a_linux_folder_of_that_name_are_two() -> None:
    assert normal_path("\\\\?\\UNC\\Server\\Share\\x") == "//server/share/x"
    assert _id("\\\\server\\share\\x") != _id("/server/share/x")


def test_both_unicode_spellings_of_a_folder_are_one() -> None:
    assert _id("/src/cafe\u0301") == _id("/src/caf\u00e9")


@given(st.text(max_size=40))
def test_normalising_a_path_twice_is_normalising_it_once(text: str) -> None:
    assert normal_path(normal_path(text)) == normal_path(text)


@pytest.mark.parametrize(
    "cwd",
    [
        "/",
        "/root",
        "/home/ada",
        "/home/ada/",
        "/Users/ada",
        "C:\\Users\\Ada",
        "C:\\",
        "/mnt/c",
        "/tmp",
        "/private/tmp",
        "/var/tmp",
        "/var/folders/x1/y2/T",
        "C:\\Windows\\Temp",
        "C:\\Users\\Ada\\AppData\\Local\\Temp",
        "/home",
        "",
        "relative/path",
    ],
)
def test_homes_roots_and_temporary_folders_are_nobodys_project(cwd: str) -> None:
    assert _id(cwd) is None
    assert _id(cwd, "git@github.com:acme/shop.git") is None


@pytest.mark.parametrize(
    "cwd", ["/home/ada/shop", "/tmp/shop", "/rooted", "/srv/home/x", "C:\\Users\\Ada\\shop", "/var/folders/x/y/T/z"]
)
def test_what_lies_below_them_is_a_project(cwd: str) -> None:
    assert not is_nowhere(cwd)
    assert _id(cwd) is not None


def test_the_persons_own_home_is_personal_wherever_it_is() -> None:
    git = GitPlace("/data/ada", "/data/ada", Remote("github.com", "ada", "dotfiles"))
    assert project_of("/data/ada", git, None, ["/data/ada"]) is None


def test_a_repository_over_the_whole_home_does_not_swallow_what_lies_below() -> None:
    git = GitPlace("/data/ada", "/data/ada", Remote("github.com", "ada", "dotfiles"))
    place = project_of("/data/ada/notes", git, None, ["/data/ada"])
    assert place is not None
    assert place.project == _id("/data/ada/notes")


def test_a_remote_counts_before_the_root_commit_and_that_before_the_path() -> None:
    remote, root = Remote("github.com", "acme", "shop"), "5" * 40
    published = GitPlace("/src/shop", "/src/shop", remote, None, "main")
    private = GitPlace("/src/shop-fix", "/src/shop", None, root, "fix")
    unborn = GitPlace("/src/new/sub", "/src/new")
    hint = "https://host/other/thing"
    places = [project_of(git.top, git, hint) for git in (published, private, unborn)]
    assert [p.project for p in places if p] == ["git:github.com/acme/shop", f"commit:{root}", _id("/src/new")]
    assert [(p.name, p.root, p.branch) for p in places if p] == [
        ("shop", "/src/shop", "main"),
        ("shop", "/src/shop-fix", "fix"),
        ("new", "/src/new/sub", None),
    ]


def test_a_clone_of_a_folder_is_known_by_its_root_commit() -> None:
    remote, root = Remote("file", "srv/git", "shop"), "5" * 40
    known = [project_of("/src/shop", GitPlace("/src/shop", "/src/shop", remote, commit)) for commit in (root, None)]
    assert [place.project for place in known if place] == [f"commit:{root}", "git:file/srv/git/shop"]


def test_without_git_the_remote_that_the_log_names_counts() -> None:
    assert _id("/gone/shop", "git@github.com:acme/shop.git") == "git:github.com/acme/shop"
    assert _id("/gone/shop", "nonsense") == _id("/gone/shop")


def test_being_below_a_folder_goes_by_parts() -> None:
    assert is_below("/src/app/sub", "/src/app")
    assert is_below("/src/app", "/src/app/")
    assert is_below("/src", "/")
    assert not is_below("/src/app-2", "/src/app")
    assert is_below("C:\\Src\\App\\x", "/mnt/c/src/app")


def test_only_a_path_of_this_machine_is_a_local_remote() -> None:
    here = {"/srv/x.git", "../x", "~/x", "C:\\x", "file:///srv/x"}
    there = {"git@h:x/y", "https://h/x/y", "//server/x", "\\\\server\\x", "file://server/share/x", "x"}
    assert all(local_path(url) for url in here)
    assert not any(local_path(url) for url in there)
