// Bundles src/ into the Python package:  node build.mjs [--watch]
//
// generator, calculator and planner are the widgets; editor, curves and panels are chunks that a page fetches only when
// it needs them.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";
import { minify } from "terser";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, "../src/hook_widgets/widgets/static");
/** A notebook that saves its widgets' state carries a widget's bundle once for each of them. */
const BUDGET_KB = {
  "generator.js": 70,
  "calculator.js": 45,
  "planner.js": 42,
  "panels.js": 40,
  "curves.js": 80,
  "editor.js": 380,
};
const watch = process.argv.includes("--watch");

const entryPoints = ["generator", "calculator", "planner", "editor", "curves"].map((name) => {
  const found = [`src/${name}.tsx`, `src/${name}.ts`].find((path) => existsSync(join(here, path)));
  if (!found) throw new Error(`js/src/${name}.ts is missing: it is one of the bundles of the widget`);
  return found;
});

/** @type {esbuild.BuildOptions} */
const options = {
  absWorkingDir: here,
  entryPoints: [...entryPoints, "src/generator.css", "src/calculator.css", "src/planner.css"],
  outdir: out,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none", // the licences go into a file of their own
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  metafile: true,
  logLevel: "info",
};

/**
 * The panels draw with the signals and the Preact of the widget that shows them, so this chunk is a function that is
 * given them: `src/shared.ts`.
 *
 * @type {esbuild.BuildOptions}
 */
const panels = {
  ...options,
  entryPoints: ["src/panels.ts"],
  format: "cjs",
  banner: { js: "export default (require) => { const module = { exports: {} };" },
  footer: { js: "return module.exports; };" },
  plugins: [
    {
      name: "shared",
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/shared\.js$/ }, () => ({ path: "shared", external: true })),
    },
    {
      // A style sheet that a module imports is the text of it.
      name: "style",
      setup: ({ onLoad }) =>
        onLoad({ filter: /\.css$/ }, async ({ path }) => {
          const style = { ...options, entryPoints: [path], logLevel: "warning", write: false };
          const { outputFiles, metafile } = await esbuild.build(style);
          const watchFiles = Object.keys(metafile.inputs).map((name) => join(here, name));
          return { contents: outputFiles[0].text.trimEnd(), loader: "text", watchFiles };
        }),
    },
  ],
};

/**
 * Once more by another minifier: some bytes less, and with single quotes. A notebook writes a bundle as JSON, where each
 * double quote takes two bytes.
 */
async function minifyAgain(path) {
  const { code } = await minify(readFileSync(path, "utf8"), {
    module: true,
    compress: { passes: 2 },
    ecma: 2022,
    format: { quote_style: 1 },
  });
  writeFileSync(path, code);
}

/** The licences of every package that is inside the bundles, as their terms ask for. */
function licences(inputs) {
  const packages = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(packages.filter(Boolean))].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => join(folder, file)).find(existsSync);
    if (!text) throw new Error(`${name} ${version} (${license}) has no licence file to ship`);
    return `${name} ${version} (${license})\n\n${readFileSync(text, "utf8").trim()}\n`;
  });
}

// Whatever happens next, no bundle of an earlier source is left behind.
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

if (watch) {
  await Promise.all([options, panels].map(async (each) => (await esbuild.context(each)).watch()));
} else {
  const failed = () => process.exit(1); // esbuild has said why
  const build = (each) => esbuild.build({ ...each, logLevel: "warning" }).catch(failed);
  const made = (await Promise.all([options, panels].map(build))).map(({ metafile }) => metafile);
  const inputs = made.flatMap((metafile) => Object.keys(metafile.inputs));
  writeFileSync(join(out, "THIRD_PARTY_LICENSES.txt"), licences(inputs).join(`\n${"-".repeat(80)}\n\n`));
  for (const path of made.flatMap((metafile) => Object.keys(metafile.outputs))) {
    if (path.endsWith(".js")) await minifyAgain(join(here, path));
    const bytes = readFileSync(join(here, path));
    const [kb, zipped] = [bytes.length, gzipSync(bytes).length].map((n) => (n / 1000).toFixed(1).padStart(7));
    console.log(`${basename(path).padEnd(16)}${kb} KB  ${zipped} KB gzip`);
    if (bytes.length > 1000 * BUDGET_KB[basename(path)]) {
      console.error(`${basename(path)} is larger than its budget of ${BUDGET_KB[basename(path)]} KB`);
      process.exitCode = 1;
    }
  }
}
