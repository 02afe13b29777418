"""A process for each language that holds every snippet and answers requests, one line each.

A question is ``<snippet> <argument> …``: an argument is a letter for its kind (``h`` headers, ``b`` bytes,
``t`` text) and its value in base64; headers are ``name`` and ``value`` lines by turns. The answer is
``true``, ``false``, or what went wrong.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from hook_widgets.webhooks.codegen import Language

DRIVERS = Path(__file__).parent / "drivers"

Argument = tuple[str, bytes]
"""Kind and value."""


class Runtime(ABC):
    """Prepares and runs the snippets of one language.

    Attributes:
        language: which one.
        programs: what the machine must have.
    """

    language: ClassVar[Language]
    programs: ClassVar[tuple[str, ...]]

    @classmethod
    def missing(cls) -> str:
        """Return the missing programs; "" if there are none."""
        return ", ".join(program for program in cls.programs if cls.find(program) is None)

    @classmethod
    def find(cls, program: str) -> str | None:
        """The path of a program; an environment variable of its name in capitals goes first."""
        return os.environ.get(program.upper()) or shutil.which(program)

    @classmethod
    def path(cls, program: str) -> str:
        program_path = cls.find(program)
        assert program_path is not None, f"{program} is not on this machine"
        return program_path

    @abstractmethod
    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        """Write the snippets below `folder`, build what has to be built, and say how to run it.

        Args:
            folder: an empty folder.
            snippets: text of each snippet by its name.
            kinds: the letters of its arguments by its name.
        """


class PythonRuntime(Runtime):
    language = Language.PYTHON
    programs = ()

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        _write(folder, snippets, "{}.py")
        return [sys.executable, "-W", "error", str(DRIVERS / "driver.py"), str(folder)]


class NodeRuntime(Runtime):
    language = Language.JAVASCRIPT
    programs = ("node",)

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        _write(folder, snippets, "{}.mjs")
        return [self.path("node"), str(DRIVERS / "driver.mjs"), str(folder)]


class RubyRuntime(Runtime):
    language = Language.RUBY
    programs = ("ruby",)

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        _write(folder, snippets, "{}.rb")
        return [self.path("ruby"), "-w", str(DRIVERS / "driver.rb"), str(folder)]


class PhpRuntime(Runtime):
    language = Language.PHP
    programs = ("php", "php-intl")

    @classmethod
    def find(cls, program: str) -> str | None:
        if program != "php-intl":
            return super().find(program)
        php = cls.find("php")
        loaded = ["-r", "exit(extension_loaded('intl') ? 0 : 1);"]
        return php if php and subprocess.run([php, *loaded], check=False).returncode == 0 else None

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        apart = {  # each file in a namespace of its own, as all define the same function
            name: text.replace("<?php\n", f"<?php\n\nnamespace receivers\\{name};\n", 1)
            for name, text in snippets.items()
        }
        _write(folder, apart, "{}.php")
        return [self.path("php"), str(DRIVERS / "driver.php"), str(folder)]


class GoRuntime(Runtime):
    language = Language.GO
    programs = ("go",)

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        _write(folder, snippets, "{}/receiver.go")
        takes = {"h": "headers", "b": "data", "t": "text"}
        table = "".join(
            f'\t"{name}": func(a arguments) bool {{ return {name}.Verify('
            + ", ".join(f"a.{takes[kind]}({n})" for n, kind in enumerate(kinds[name]))
            + ") },\n"
            for name in snippets
        )
        imports = "".join(f'\t{name} "receivers/{name}"\n' for name in snippets)
        driver = (DRIVERS / "driver.go").read_text()
        driver = driver.replace("\t// imports\n", imports).replace("\t// table\n", table)
        (folder / "main.go").write_text(driver)
        (folder / "go.mod").write_text("module receivers\n\ngo 1.18\n")
        gofmt = [str(Path(self.path("go")).with_name("gofmt")), "-l", *snippets]
        unformatted = subprocess.run(gofmt, cwd=folder, check=True, capture_output=True, text=True).stdout
        assert unformatted == "", f"gofmt would change {unformatted}"
        subprocess.run([self.path("go"), "build", "-o", "receivers", "."], cwd=folder, check=True)
        return [str(folder / "receivers")]


class JavaRuntime(Runtime):
    language = Language.JAVA
    programs = ("java", "javac", "jackson")
    jackson = Path(os.environ.get("JACKSON", "/usr/share/java"))  # where its three jars are

    @classmethod
    def find(cls, program: str) -> str | None:
        if program == "jackson":
            return ":".join(map(str, cls.jackson.glob("jackson-*.jar"))) or None
        return super().find(program)

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        packaged = {name: f"package {name};\n\n{text}" for name, text in snippets.items()}
        _write(folder, packaged, "{}/WebhookVerifier.java")
        takes = {"h": "headers", "b": "data", "t": "text"}
        row = 'RECEIVERS.put("{name}", a -> {name}.WebhookVerifier.verify({arguments}));'
        (folder / "Driver.java").write_text(_driver("Driver.java", row, takes, kinds))
        libraries = self.path("jackson")
        sources = ["Driver.java", *(f"{name}/WebhookVerifier.java" for name in snippets)]
        (folder / "sources").write_text("\n".join(sources))
        compile_all = [
            self.path("javac"),
            "-nowarn",
            "-proc:none",
            "-cp",
            libraries,
            "-d",
            "classes",
            "@sources",
        ]
        subprocess.run(compile_all, cwd=folder, check=True)
        classes = os.pathsep.join([str(folder / "classes"), libraries])
        return [self.path("java"), "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", classes, "Driver"]


class CSharpRuntime(Runtime):
    """C#, compiled by Mono's compiler against the libraries of .NET 8, and run by .NET 8.

    PyPI, npm and Debian have no compiler of .NET itself. Mono's knows C# up to version 7, and the
    receivers use no later one.
    """

    language = Language.CSHARP
    programs = ("mcs", "dotnet")
    folder = Path(os.environ.get("DOTNET", DRIVERS.parents[2] / ".venv-dotnet"))

    @classmethod
    def find(cls, program: str) -> str | None:
        if program != "dotnet":
            return super().find(program)
        frameworks = sorted(cls.folder.rglob("shared/Microsoft.NETCore.App/8.*"))
        return str(frameworks[-1]) if frameworks else None

    def command(self, folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]) -> Sequence[str]:
        framework = Path(self.path("dotnet"))
        apart = {name: f"namespace {name}\n{{\n{text}}}\n" for name, text in snippets.items()}
        _write(folder, apart, "{}.cs")
        takes = {"h": "Headers", "b": "Data", "t": "Text"}
        row = 'Receivers.Add("{name}", a => {name}.WebhookVerifier.Verify({arguments}));'
        (folder / "Driver.cs").write_text(_driver("Driver.cs", row, takes, kinds))
        core = "System.Private.CoreLib.dll"
        (folder / core).write_bytes(_without_ref_fields((framework / core).read_bytes()))
        libraries = [path for path in sorted(framework.glob("System*.dll")) if path.name != core]
        arguments = ["-nostdlib", "-noconfig", "-nowarn:1701", "-out:receivers.dll", f"-r:{folder / core}"]
        arguments += [f"-r:{path}" for path in libraries]
        arguments += ["Driver.cs", str(DRIVERS / "Ed25519.cs"), *(f"{name}.cs" for name in snippets)]
        subprocess.run([self.path("mcs"), *arguments], cwd=folder, check=True)
        version = {"name": framework.parent.name, "version": framework.name}
        settings = {"runtimeOptions": {"framework": version}}
        (folder / "receivers.runtimeconfig.json").write_text(json.dumps(settings))
        (library,) = self.folder.rglob("host/fxr/*/libhostfxr.so")
        return [sys.executable, str(DRIVERS / "dotnet.py"), str(library), str(folder / "receivers.dll")]


def _without_ref_fields(library: bytes) -> bytes:
    """Return .NET's core library for Mono's compiler to read, which does not know fields of C# 11.

    The type of the field of ``Span<T>``, ``ref T``, becomes ``T*`` in its signature (ECMA-335 II.23.2.4).
    """
    by_reference, pointer = b"\4\6\x10\x13\0", b"\4\6\x0f\x13\0"
    assert library.count(by_reference) == 1
    return library.replace(by_reference, pointer)


RUNTIMES: tuple[type[Runtime], ...] = (
    PythonRuntime,
    NodeRuntime,
    GoRuntime,
    RubyRuntime,
    PhpRuntime,
    JavaRuntime,
    CSharpRuntime,
)


class Receivers:
    """The running process of one language."""

    def __init__(
        self, runtime: type[Runtime], folder: Path, snippets: Mapping[str, str], kinds: Mapping[str, str]
    ) -> None:
        self.language = runtime.language
        self.asked = 0
        self._process = subprocess.Popen(
            runtime().command(folder, snippets, kinds),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, name: str, arguments: Sequence[Argument]) -> str:
        """Return the snippet's output for a request."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        words = [name, *(kind + base64.b64encode(value).decode() for kind, value in arguments)]
        stdin.write(" ".join(words) + "\n")
        stdin.flush()
        self.asked += 1
        return stdout.readline().strip() or f"the process ended with {self._process.wait()}"

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _driver(file: str, row: str, takes: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """Return a driver whose table calls each receiver, with the conversions of its arguments."""
    rows = []
    for name, letters in kinds.items():
        arguments = ", ".join(f"{takes[letter]}(a[{n}])" for n, letter in enumerate(letters))
        rows.append(f"        {row.format(name=name, arguments=arguments)}\n")
    return (DRIVERS / file).read_text().replace("        // table\n", "".join(rows))


def _write(folder: Path, snippets: Mapping[str, str], name: str) -> None:
    for snippet, text in snippets.items():
        path = folder / name.format(snippet)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def identifier(provider: str, scheme: str) -> str:
    """A name for a scheme that is a name in every language."""
    return re.sub(r"\W", "_", f"{provider}__{scheme}")
