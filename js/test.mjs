// Bundles tests/**/*.test.ts(x) and runs them with Node's own test runner:  node test.mjs [part of a file name ...]
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, ".tests");
const parts = process.argv.slice(2);

const tests = readdirSync(join(here, "tests"), { recursive: true })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
  .map((path) => join("tests", path))
  .sort();
if (tests.length === 0) throw new Error("no js/tests/**/*.test.ts matches: nothing was tested");

rmSync(out, { recursive: true, force: true });
const { metafile } = await esbuild.build({
  absWorkingDir: here,
  entryPoints: tests,
  outbase: "tests",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  jsx: "transform",
  jsxFactory: "h",
  jsxFragment: "Fragment",
  sourcemap: "inline",
  metafile: true,
  logLevel: "warning",
});
const bundles = Object.keys(metafile.outputs).filter((path) => path.endsWith(".test.mjs"));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundles], {
  cwd: here,
  stdio: "inherit",
});
process.exit(run.status ?? 1);
