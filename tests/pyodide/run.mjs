/**
 * Runs the tests of the core under Pyodide: CPython as WebAssembly, without threads, processes or arrays.
 *
 *     node tests/pyodide/run.mjs .venv-pyodide      (make test-pyodide)
 *
 * The folder holds what pip installed for Pyodide's platform. What is tested are this working copy's own files;
 * main.py says which.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadPyodide } from "../../js/node_modules/pyodide/pyodide.mjs";

const { CI = "", HOOK_WIDGETS_TESTS = "", PYTEST_FLAGS = "" } = process.env;
const python = await loadPyodide({ env: { CI, HOOK_WIDGETS_TESTS, PYTEST_FLAGS, HOME: "/tmp" } });
for (const [inside, folder] of [
  ["/project", resolve(import.meta.dirname, "../..")],
  ["/packages", resolve(process.argv[2])],
]) {
  python.FS.mkdirTree(inside);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, inside);
}
python.FS.chdir("/project");
try {
  const main = readFileSync(resolve(import.meta.dirname, "main.py"), "utf8");
  process.exitCode = python.runPython(main, { filename: "main.py" });
} catch (error) {
  console.error(error.message); // as a whole it would show a megabyte of Pyodide's own source
  process.exitCode = 1;
}
