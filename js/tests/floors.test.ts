import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";

const SRC = resolve("src");
/** Folders of src from the top down; those of one floor do not know each other. */
const FLOORS = [
  ["entries"],
  ["calculator", "planner"],
  ["plot", "generator"],
  ["vault", "ui"],
  ["core"],
  ["crypto"],
];
/** Imports that run up, with the reason beside them in the file. */
const UP = ["generator/view/Lazy.tsx -> entries/panels.ts"];

const files = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
  .sort();
const floorOf = (path: string) => FLOORS.findIndex((floor) => floor.includes(path.split(sep)[0] ?? ""));

function importsOf(path: string): string[] {
  const text = readFileSync(join(SRC, path), "utf8");
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)].map(([, name]) => name);
  return specifiers.map((name) => {
    const target = resolve(SRC, dirname(path), name as string);
    const file = [`${target}.ts`, `${target}.tsx`].find(existsSync);
    assert.ok(file, `${path} imports ${name}`);
    return relative(SRC, file);
  });
}

test("each folder stands on a floor, and no import runs up or beside but the named ones", () => {
  assert.deepEqual(
    files.filter((path) => floorOf(path) < 0),
    [],
  );
  const up = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.split(sep)[0] !== path.split(sep)[0] && floorOf(target) <= floorOf(path))
      .map((target) => `${path} -> ${target}`),
  );
  assert.deepEqual(up, UP);
});

test("no file imports itself through others, not even a type", () => {
  const rest = new Map(files.map((path) => [path, importsOf(path)]));
  const isLeaf = (path: string) => !rest.get(path)?.some((target) => rest.has(target));
  for (let leaves = files.filter(isLeaf); leaves.length > 0; leaves = [...rest.keys()].filter(isLeaf))
    for (const path of leaves) rest.delete(path);
  assert.deepEqual([...rest.keys()], []);
});

test("each file that a comment names exists", () => {
  const missing = files.flatMap((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    const comments = text.match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
    const names = comments.flatMap(
      (comment) => comment.match(/`[\w./-]+\.(?:tsx?|py|html|js|mjs|css)`/g) ?? [],
    );
    const places = [dirname(join(SRC, path)), SRC, resolve("."), resolve("..")];
    const built = ["vault.js", "curves.js"];
    return names
      .map((name) => name.slice(1, -1))
      .filter((name) => !built.includes(name) && !places.some((place) => existsSync(join(place, name))))
      .map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(missing, []);
});
