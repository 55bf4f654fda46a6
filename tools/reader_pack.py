"""
Packs what reads files in the browser; run by ``tools/reader.mjs`` in CPython for WebAssembly, where it is to run.

The package is imported from ``/app``, with everything that its readers import anywhere. Then ``/stdlib.zip`` holds the
modules of the standard library that are loaded, and ``/app.zip`` those of the project, of msgspec, and the schemas that
are read. Modules are compiled, without docstrings: they are not in the files, and load without compiling.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import zipfile
from importlib import _bootstrap_external
from pathlib import Path

APP, LIBRARY = Path("/app"), "/lib/python314.zip"
ENTRY = "ioledger.loading.browser"
LEFT = frozenset({"ioledger", "ioledger.tables.arrow", "multiprocessing", "concurrent.futures"})
"""Modules for other processes and for Arrow, and the functions of the package, which nothing in the browser calls."""
NAMED = ("encodings.utf_16", "encodings.utf_16_le", "encodings.utf_16_be", "encodings.utf_8_sig", "encodings.latin_1",
         "encodings.cp1252", "encodings.cp437", "encodings.ascii", "encodings.idna", "_strptime")  # fmt: skip
"""Modules of the standard library that it looks up by name while it works."""
DATE = (1980, 1, 1, 0, 0, 0)


def load_all() -> None:
    """Import the entry and all that a module of the project below it imports anywhere, but for types."""
    readers = ("ioledger.readers." + ".".join(path.relative_to(APP / "ioledger" / "readers").with_suffix("").parts)
               for path in sorted((APP / "ioledger" / "readers").rglob("*.py")))  # fmt: skip
    waiting = [ENTRY, *(name.removesuffix(".__init__") for name in readers)]
    seen = set(LEFT)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        module = importlib.import_module(name)
        if not name.startswith("ioledger") or module.__file__ is None:
            continue
        names = list_imports(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        waiting += (found for found in names if found.partition(".")[0] in {"ioledger", *sys.stdlib_module_names})
    for name in NAMED:
        importlib.import_module(name)


def list_imports(node: ast.AST) -> list[str]:
    """Return the modules that are imported below a node, without those that only types need."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return []
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        return [node.module, *(name for name in inner if _is_module(name))]
    return [name for child in ast.iter_child_nodes(node) for name in list_imports(child)]


def _is_module(name: str) -> bool:
    return (APP / (name.replace(".", "/") + ".py")).exists() or (APP / name.replace(".", "/") / "__init__.py").exists()


def compile_source(source: bytes, name: str) -> bytes:
    """Return the bytes of a compiled module, which hold no date."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    made: bytes = _bootstrap_external._code_to_hash_pyc(  # type: ignore[attr-defined]  # noqa: SLF001  (py_compile writes files)
        code, importlib.util.source_hash(source), checked=False
    )
    return made


def write(target: str, files: dict[str, bytes]) -> None:
    """Write files into a zip, not packed: what serves it packs it whole, which makes it smaller."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in sorted(files.items()):
            is_module = name.endswith(".py")
            content = compile_source(data, name) if is_module else data
            archive.writestr(zipfile.ZipInfo(f"{name}c" if is_module else name, DATE), content)


def main() -> None:
    """Write both archives."""
    load_all()
    places = [place for module in list(sys.modules.values()) if (place := getattr(module, "__file__", None))]
    with zipfile.ZipFile(LIBRARY) as archive:
        inside = {place.removeprefix(f"{LIBRARY}/") for place in places if place.startswith(LIBRARY)}
        write("/stdlib.zip", {name: archive.read(name) for name in inside})
    own = {Path(place) for place in places if place.startswith(f"{APP}/")}
    own |= {path for path in APP.rglob("*") if path.suffix in {".json", ".so", ".csv"} and path.is_file()}
    write("/app.zip", {path.relative_to(APP).as_posix(): path.read_bytes() for path in own})


main()
