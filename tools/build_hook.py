"""What building a package does besides copying files.

**One name.** A wheel holds all under one name: ``turkbench.harness``, ``turkbench.oracle``, ``turkbench.turkle_app``.
A checkout has these three at its top, and its modules import each other as ``harness.kit.text``. As packages of other
people's environments these names are too common. So while a wheel is built, ``turkbench.`` is put in front of each
name of a module of ours: in import statements, and in texts that are nothing but the name of a module that is there, or
of what it defines, such as a setting of Django or an entry of ``registered.toml``. Nothing else of a file changes, so
that ``harness.kit.files.installation.code_in`` can undo it; what cannot be told for sure stops the build.

**Links.** An index shows README.md without the files beside it. Its links and pictures get the address of the
repository, which ``pyproject.toml`` has in one place, and the revision of the version. As long as no address stands
there, only their words are left.
"""

from __future__ import annotations

import ast
import io
import re
import shutil
import tempfile
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

NAME = "turkbench"
OURS = ("harness", "oracle", "turkle_app")
FACE = "turkbench.py"
"""The module of a checkout that is the package itself in a wheel."""
_TABLE = "harness/registered.toml"
_KEPT = frozenset({"turkle_app.annotation.anonymous"})
"""Names of modules that mean something else: what a checkout signs with this one, an installed copy reads."""
_SPOKEN = re.compile(rf"(?P<path>(?:{'|'.join(OURS)})(?:\.\w+)+)(?::\w+)?")
_BARE = re.compile(rf"""(?:(?:files|find_spec|import_module|Words)\(|["']-m["'], )["'](?:{"|".join(OURS)})["']""")
_SKIPPED = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT})


_LINK = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")


class CannotRewrite(Exception):
    """A file names a module of ours in a way that cannot be told for sure; the message says where."""


class OnePackage(BuildHookInterface[Any]):
    """Writes the files that change to a folder of its own, from which the wheel takes them."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files that change to those of the wheel; an editable installation is the checkout as it is.

        Args:
            version: ``standard`` or ``editable``.
            build_data: What is given to the builder.
        """
        if version == "editable":
            return
        root = Path(self.root)
        self._folder = Path(tempfile.mkdtemp(prefix="turkbench-wheel-"))
        builder = self.build_config.builder
        targets = {
            Path(each.path).relative_to(root).as_posix(): each.distribution_path
            for each in builder.recurse_selected_project_files()
        }
        known = names_in(root, targets)
        targets |= {FACE: f"{NAME}/__init__.py"}
        changed = {target: rewritten(root / source, known) for source, target in targets.items()}
        build_data["force_include"][str(root / "harness" / "py.typed")] = f"{NAME}/py.typed"
        changed[f"{NAME}/__main__.py"] = rewritten(root / "harness" / "__main__.py", known)
        for target, text in changed.items():
            if text is not None:
                file = self._folder / target
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode())
                build_data["force_include"][str(file)] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - of hatchling
        """Remove the folder."""
        if self._folder:
            shutil.rmtree(self._folder)


class Links(MetadataHookInterface):
    """Gives the metadata what depends on the address of the repository: ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both.

        Args:
            metadata: The table ``project``.
        """
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        address = settings["tool"]["turkbench"]["address"].rstrip("/")
        readme = for_an_index((root / "README.md").read_text(encoding="utf-8"), address, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = urls(address)


def urls(address: str) -> dict[str, str]:
    """The links of the project.

    Args:
        address: Of its repository; empty if that is not known.
    """
    if not address:
        return {}
    inside = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
    pages = {name: f"{address}/blob/main/{path}" for name, path in inside.items()}
    return {"Source": address, "Issues": f"{address}/issues", **pages}


def for_an_index(text: str, address: str, version: str) -> str:
    """README.md as an index of packages shows it: no link leads to a file beside it.

    Args:
        text: README.md.
        address: As of ``urls``. Its files are at ``blob/REVISION/`` and ``raw/REVISION/``, as several hosts have it.
        version: Of the package; the revision is called ``v`` and this.
    """

    def changed(link: re.Match[str]) -> str:
        target = link["target"]
        if target.startswith(("#", "https://", "http://")):
            return link[0]
        if not address:
            return "" if link["picture"] else link["words"]
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['words']}]({address}/{kind}/v{version}/{target})"

    return _LINK.sub(changed, text)


def names_in(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """The dotted names of our modules and packages, and of what is defined at their top.

    Args:
        root: The checkout.
        paths: Of files, from there, with slashes.
    """
    found = set()
    for path in map(Path, paths):
        if path.suffix == ".py" and path.parts[0] in OURS:
            parts = path.with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.add(module)
            found |= {f"{module}.{name}" for name in _defined(ast.parse((root / path).read_bytes()))}
    return frozenset(found)


def _defined(module: ast.Module) -> Iterator[str]:
    for each in module.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield each.name
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def rewritten(file: Path, known: frozenset[str]) -> str | None:
    """The text of a file as the wheel has it; None if it has it as it is.

    Args:
        file: In a checkout.
        known: As of ``names_in``.

    Raises:
        CannotRewrite: it imports a module of ours in a form that has no twin under another name, or says the name that
            one has in a wheel.
    """
    if file.suffix != ".py" and not file.as_posix().endswith(_TABLE):
        return None
    text = file.read_bytes().decode()
    if not any(name in text for name in OURS):
        return None
    if file.name != FACE and (found := re.search(rf"\b{NAME}\.(?:{'|'.join(OURS)})\b", text)):
        raise CannotRewrite(f"{file}: it says {found[0]}, which cannot be told from what is rewritten")
    if found := _BARE.search(text):
        raise CannotRewrite(f"{file}: {found[0]!r} names a package that a wheel does not have: use __package__")
    lines = text.splitlines(keepends=True)
    places = _in_python(text, known, file) if file.suffix == ".py" else _in_table(lines, known)
    for line, column in sorted(set(places), reverse=True):
        whole = lines[line - 1]
        lines[line - 1] = f"{whole[:column]}{NAME}.{whole[column:]}"
    return "".join(lines)


def _in_table(lines: list[str], known: frozenset[str]) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(lines, 1):
        for found in re.finditer(rf'"{_SPOKEN.pattern}"', line):
            if found["path"] in known:
                yield number, found.start() + 1


def _in_python(text: str, known: frozenset[str], file: Path) -> Iterator[tuple[int, int]]:
    """Where names of modules begin: line, from 1, and column, from 0."""
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and (start := _spoken(token.string, known)) is not None:
            yield token.start[0], token.start[1] + start
        if token.type == tokenize.NEWLINE or (token.type == tokenize.OP and token.string == ";"):
            yield from _imported(statement, file)
            statement = []
        elif token.type not in _SKIPPED:
            statement.append(token)


def _spoken(literal: str, known: frozenset[str]) -> int | None:
    """Where in a literal text the name of a module begins, if it is nothing but that; None if it is not."""
    quote = re.match(r"[uUrR]?(\"\"\"|'''|\"|')", literal)  # bytes and texts with fields name no module
    found = _SPOKEN.fullmatch(ast.literal_eval(literal)) if quote else None
    if not quote or not found:
        return None
    return quote.end() if found["path"] in known - _KEPT else None


def _imported(statement: list[tokenize.TokenInfo], file: Path) -> Iterator[tuple[int, int]]:
    """Where a statement names a package of ours, if it is an import."""
    words = [token.string for token in statement]
    # It may stand behind a colon: `if TYPE_CHECKING: import harness`.
    starts = (0, words.index(":") + 1 if ":" in words else 0)
    start = next((at for at in starts if words[at : at + 1] in (["from"], ["import"])), None)
    if start is None:
        return
    # What is imported from a package of somebody else may have the name of one of ours.
    named = words[start + 1 : start + 2] if words[start] == "from" else words[start + 1 :]
    if not set(named) & set(OURS):
        return
    token = statement[start + 1]
    if words[start] == "import" and (token.string not in OURS or words[-2:-1] != ["as"] or "," in named):
        raise CannotRewrite(
            f"{file}:{token.start[0]}: `{' '.join(words[start:])}` binds a name that a wheel does not have: write "
            "`from PACKAGE import NAME`, or `import PACKAGE.MODULE as NAME`"
        )
    yield token.start
