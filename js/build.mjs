// Bundles src/ into the Python package:  node build.mjs [--watch]
//
// generator, calculator and planner are the widgets; editor, panels, vault and curves are parts that a page fetches only
// when it needs them. The widgets carry the hashes of these parts, so the parts are built first.
import { createHash } from "node:crypto";
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
  "generator.js": 72,
  "calculator.js": 54,
  "planner.js": 50,
  "panels.js": 87,
  "vault.js": 64,
  "curves.js": 80,
  "editor.js": 380,
};
const watch = process.argv.includes("--watch");

/** @type {esbuild.BuildOptions} */
const options = {
  absWorkingDir: here,
  outdir: out,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "transform",
  jsxFactory: "h",
  jsxFragment: "Fragment",
  charset: "utf8",
  legalComments: "none", // the licences go into a file of their own
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  metafile: true,
  logLevel: "info",
};

/** A style sheet that a module imports is the text of it. */
const styleAsText = {
  name: "style",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const style = { ...options, entryPoints: [path], logLevel: "warning", write: false };
      const { outputFiles, metafile } = await esbuild.build(style);
      const watchFiles = Object.keys(metafile.inputs).map((name) => join(here, name));
      return { contents: outputFiles[0].text.trimEnd(), loader: "text", watchFiles };
    }),
};

/** @type {esbuild.BuildOptions} */
const editor = { ...options, entryPoints: ["src/entries/editor.ts"] };

/** Turns imports of the shared modules and of Preact into local variables; an import of each name would be a property access. */
const sharedExports = {
  name: "shared",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^shared$/ }, () => ({ path: "shared", external: true }));
    onResolve({ filter: /\/lazy-exports\.js$|^preact$/ }, () => ({
      path: "lazy-exports",
      namespace: "shared",
    }));
    onLoad({ filter: /./, namespace: "shared" }, async () => {
      const entryPoints = ["src/generator/lazy-exports.ts"];
      const { metafile } = await esbuild.build({
        absWorkingDir: here,
        outdir: out,
        entryPoints,
        format: "esm",
        write: false,
        metafile: true,
      });
      const [{ exports: names }] = Object.values(metafile.outputs);
      return { contents: `export const { ${names.join(", ")} } = require("shared");` };
    });
  },
};

/**
 * The panels draw with the signals and the Preact of the widget that shows them, so this chunk is a function that is
 * given them: `src/generator/lazy-exports.ts`.
 *
 * @type {esbuild.BuildOptions}
 */
const panels = {
  ...options,
  entryPoints: ["src/entries/panels.ts"],
  format: "cjs",
  banner: { js: "export default (require) => { const module = { exports: {} };" },
  footer: { js: "return module.exports; };" },
  plugins: [sharedExports, styleAsText],
};

/**
 * Classic scripts that leave one global behind: what a sandboxed frame runs inline, by the hash in its policy.
 *
 * @returns {esbuild.BuildOptions}
 */
const script = (globalName, entry) => ({
  ...options,
  entryPoints: { [globalName]: entry },
  format: "iife",
  globalName,
  plugins: [styleAsText],
});
const parts = [
  editor,
  panels,
  script("vault", "src/vault/frame.ts"),
  script("curves", "src/crypto/key-pairs.ts"),
];

/** @type {esbuild.BuildOptions} */
const widgets = {
  ...options,
  entryPoints: [
    "generator.tsx",
    "calculator.tsx",
    "planner.tsx",
    "generator.css",
    "calculator.css",
    "planner.css",
  ].map((name) => `src/entries/${name}`),
};

const text = (name) => readFileSync(join(out, name), "utf8");
const sha256 = (content, encoding) => createHash("sha256").update(content).digest(encoding);

/**
 * The document of the vault's frames up to its program: it may run its own script and the part for key pairs, and load
 * nothing. The whole document is written for `hook_widgets.doctor()` and the tests.
 */
function writeFrame() {
  const program = `${text("vault.js")}vault.boot();`;
  if (/<\/|<!-/.test(program)) throw new Error("vault.js would end the script element of its document");
  const scripts = [program, text("curves.js")].map((code) => `'sha256-${sha256(code, "base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    "<title>Secret</title>",
  ].join("");
  const start = `<!doctype html><html lang="en"><head>${head}</head><body><script>`;
  writeFileSync(join(out, "vault.html"), `${start}${program}</script></body></html>`);
  return start;
}

/** The hashes of the parts as they are written now. */
const hashes = () => {
  const names = ["editor.js", "panels.js", "vault.js", "curves.js"];
  const known = names.map((name) => [name, sha256(text(name), "hex")]);
  return { CHUNK_SHA256: JSON.stringify(Object.fromEntries(known)) };
};

/**
 * Once more by another minifier: some bytes less, and with single quotes. A notebook writes a bundle as JSON, where each
 * double quote takes two bytes.
 */
async function minifyAgain(path) {
  const classic = /^(vault|curves)\.js$/.test(basename(path));
  const { code } = await minify(readFileSync(path, "utf8"), {
    module: !classic,
    // No property of ours is read for its effect, and no function by its number of parameters.
    compress: { passes: 3, pure_getters: true, unsafe_arrows: true, keep_fargs: false, hoist_funs: true },
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
  // Without the hashes of the parts: each is built when its own sources change.
  await Promise.all([widgets, ...parts].map(async (each) => (await esbuild.context(each)).watch()));
} else {
  const failed = () => process.exit(1); // esbuild has said why
  const inputs = [];
  const build = async (each) => {
    const { metafile } = await esbuild.build({ ...each, logLevel: "warning" }).catch(failed);
    inputs.push(...Object.keys(metafile.inputs));
    for (const path of Object.keys(metafile.outputs)) {
      if (path.endsWith(".js")) await minifyAgain(join(here, path));
      report(join(here, path));
    }
  };
  await Promise.all(parts.map(build));
  const vaultHead = JSON.stringify(writeFrame());
  await build({ ...widgets, define: { ...hashes(), VAULT_HEAD: vaultHead } });
  writeFileSync(join(out, "THIRD_PARTY_LICENSES.txt"), licences(inputs).join(`\n${"-".repeat(80)}\n\n`));
}

function report(path) {
  const bytes = readFileSync(path);
  const [kb, zipped] = [bytes.length, gzipSync(bytes).length].map((n) => (n / 1000).toFixed(1).padStart(7));
  console.log(`${basename(path).padEnd(16)}${kb} KB  ${zipped} KB gzip`);
  if (bytes.length > 1000 * BUDGET_KB[basename(path)]) {
    console.error(`${basename(path)} is larger than its budget of ${BUDGET_KB[basename(path)]} KB`);
    process.exitCode = 1;
  }
}
