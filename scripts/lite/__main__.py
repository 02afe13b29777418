"""Build the site on which the whole tool, kernel included, runs in a browser tab: build/lite.

    python -m scripts.lite [--pyodide-url https://…/full/]

Runs in the environment of requirements/lite-build.txt. Everything on the site comes from this working copy
and from the packages that this lock, requirements/lite.txt and pure.txt, and js/package-lock.json pin;
nothing of it asks another server. With --pyodide-url the site may in addition load packages of Pyodide's
whole distribution from that address, matplotlib among them, and shows full pictures.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from packaging.utils import canonicalize_name

from scripts.lite import notebooks
from scripts.lite.lock import LockFault, lock, needed
from scripts.lite.pure import without_compiled_part

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "docs/lite"
SITE = ROOT / "build/lite"
WHEELS = ROOT / "build/lite-wheels"
PYODIDE = ROOT / "js/node_modules/pyodide"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = (
    Path(sysconfig.get_path("data"))
    / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
)
LINUX = "manylinux2014_x86_64"
NOT_FETCHED = (
    "pip could not fetch the wheels that the site serves (requirements/lite.txt and requirements/pure.txt);"
    " its message is above."
    " They need a package index once, and are then kept in build/lite-wheels."
)
SETTINGS = "@jupyterlite/pyodide-kernel-extension:kernel"


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(prog="python -m scripts.lite", description=__doc__)
    parser.add_argument("--pyodide-url", type=_address, help="where Pyodide's whole distribution lies")
    options = parser.parse_args()
    if not PYODIDE.is_dir():
        sys.exit("There is no Pyodide in js/node_modules yet: run `make lite`, which fetches it first.")
    if not KERNEL.is_dir():
        sys.exit("This Python has no jupyterlite-pyodide-kernel: run `make lite`, which has one for it.")
    try:
        size_mb = build(SITE, pyodide_url=options.pyodide_url)
    except LockFault as fault:
        sys.exit(str(fault))
    print(f"{SITE.relative_to(ROOT)}/index.html: {size_mb:.0f} MB of static files, for any web server")


def build(site: Path, *, pyodide_url: str | None = None) -> float:
    """Build the site; returns its size in MB.

    Args:
        site: the folder it goes to; what is there now is replaced.
        pyodide_url: where Pyodide's whole distribution lies; without it, the site needs no other server.

    Raises:
        LockFault: the wheels do not belong together.
    """
    with TemporaryDirectory(prefix="lite-") as folder:
        stage = Path(folder, "site")
        shutil.copytree(SOURCES, stage, ignore=shutil.ignore_patterns("*.ipynb", "*.html"))
        (stage / "files").mkdir()
        notebooks.put(stage / "files", matplotlib=pyodide_url is not None)
        _put_pyodide(stage / "static/pyodide", pyodide_url)
        shutil.rmtree(site, ignore_errors=True)
        _run("-m", "jupyter", "lite", "build", "--lite-dir", ".", "--output-dir", str(site), cwd=stage)
    shutil.copy(SOURCES / "index.html", site)
    head = (SOURCES / "head.html").read_text(encoding="utf-8")
    for page in site.rglob("index.html"):
        page.write_text(
            page.read_text(encoding="utf-8").replace("<head>", f"<head>\n{head}", 1), encoding="utf-8"
        )
    return sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6


def _put_pyodide(folder: Path, pyodide_url: str | None) -> None:
    """Pyodide, the wheels that the kernel loads into it, and the lock that names them."""
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, folder)
    pyodide = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    with TemporaryDirectory(prefix="wheels-") as own:
        _run("-m", "build", "--wheel", "--no-isolation", "--outdir", own)
        wheels = [*_locked(pyodide["info"]), *_of_the_kernel(), *Path(own).glob("*.whl")]
        entries = lock(wheels, pyodide, distribution=pyodide_url)
        required = needed(entries["packages"], _loaded_at_once())
        for wheel in wheels:
            name = canonicalize_name(wheel.name.split("-")[0])
            if name in required:
                shutil.copy(wheel, folder)
            else:
                del entries["packages"][name]
    (folder / "pyodide-lock.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def _locked(inside: Mapping[str, str]) -> list[Path]:
    """Return the wheels of two locks for Pyodide's Python; fetch them when something changed.

    Those of requirements/pure.txt are fetched for another platform, and their compiled part is left out.
    """
    major, minor, _ = inside["python"].split(".")
    pip = ("-m", "pip", "download", "--quiet", "--disable-pip-version-check")
    options = [
        *("--require-hashes", "--no-deps", "--only-binary=:all:", "--implementation", "cp"),
        *("--python-version", f"{major}.{minor}", "--abi", f"cp{major}{minor}"),
    ]
    platforms = {"pure": LINUX, "lite": f"pyemscripten_{inside['abi_version']}_{inside['arch']}"}
    locks = {name: ROOT / f"requirements/{name}.txt" for name in platforms}
    content = b"".join(lock_file.read_bytes() for lock_file in locks.values())
    digest, mark = sha256(content + repr((options, platforms)).encode()).hexdigest(), WHEELS / "made-from"
    if not mark.is_file() or mark.read_text(encoding="utf-8") != digest:
        shutil.rmtree(WHEELS, ignore_errors=True)
        for name, platform in platforms.items():
            target = ("--platform", platform, "--dest", str(WHEELS), "--requirement", str(locks[name]))
            _run(*pip, *options, *target, failed=NOT_FETCHED)
            if platform == LINUX:
                for wheel in list(WHEELS.glob("*.whl")):
                    without_compiled_part(wheel)
        mark.write_text(digest, encoding="utf-8")
    return sorted(WHEELS.glob("*.whl"))


def _of_the_kernel() -> list[Path]:
    """Return the kernel's own wheels: the bridge between Jupyter's messages and Pyodide."""
    return [
        wheel for name in ("ipykernel", "piplite", "pyodide_kernel") for wheel in KERNEL.glob(f"{name}-*.whl")
    ]


def _loaded_at_once() -> list[str]:
    """Return the packages that the kernel loads when it starts."""
    config = json.loads((SOURCES / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    packages: list[str] = config["litePluginSettings"][SETTINGS]["loadPyodideOptions"]["packages"]
    return packages


def _address(text: str) -> str:
    """Return an address unchanged, if it is one."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address; it begins with https:// and ends with a folder"
        )
    return text


def _run(*arguments: str, cwd: Path = ROOT, failed: str = "") -> None:
    """Run Python with these arguments; when it fails, leave with what it said and a plain message."""
    command = [sys.executable, *arguments]
    run = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)
    if run.returncode:
        failed = failed or f"`{' '.join(arguments)}` failed; its message is above."
        sys.exit(f"{run.stdout}{run.stderr}\n{failed}")


if __name__ == "__main__":
    main()
