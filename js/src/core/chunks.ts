/**
 * Loads the lazy parts of the front end over the widget's own messages: no CDN, no files beside the page.
 *
 * Each part is the one that was built with this bundle, by its hash: a part that something else in the kernel answers
 * with is rejected. One page asks for a part once, however many widgets it shows; each widget has its own copy of this
 * module, so the cache hangs on a symbol of the page.
 */

import { sha256Hex } from "../crypto/primitives.js";
import type { Rpc } from "./rpc.js";
import { nothing } from "./rpc.js";

type FileName = `${string}.js`;

/** SHA-256 of each part, put in by the build; not while `npm run watch` rebuilds them one by one. */
declare const CHUNK_SHA256: Readonly<Record<string, string>>;
const hashes = typeof CHUNK_SHA256 === "undefined" ? {} : CHUNK_SHA256;

/** `Modules` has the module of each part by its name. */
export interface Chunks<Modules> {
  /** @throws {Error} with the reason why the part cannot be used; the next call tries again. */
  load<N extends keyof Modules & string>(name: N): Promise<Modules[N]>;
  /** The text of a part. @throws {Error} as `load` does. */
  text(file: FileName): Promise<string>;
}

const CACHE = Symbol.for("hook_widgets.chunks");

function cache(): Map<string, Promise<unknown>> {
  const page = globalThis as { [CACHE]?: Map<string, Promise<unknown>> };
  page[CACHE] ??= new Map();
  return page[CACHE];
}

function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  const known = cache().get(key) as Promise<T> | undefined;
  if (known) return known;
  const loading = make();
  cache().set(key, loading);
  loading.catch(() => cache().delete(key));
  return loading;
}

/** Parts of the vault are classic scripts, whose one name a module exports. */
const asModule = (name: string, source: string) =>
  name === "vault" || name === "curves" ? `${source}\nexport{${name} as default}` : source;

async function imported(name: string, source: string): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([asModule(name, source)], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  } catch (error) {
    throw new Error(`This page's security policy blocks the ${name} module (${(error as Error).message}).`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function chunkLoader<Modules>(rpc: Rpc): Chunks<Modules> {
  const text = async (file: FileName) => {
    const key = `text ${file} ${hashes[file]}`;
    const source = await once(key, async () => {
      const { buffers } = await rpc.request("chunk", { name: file }, nothing);
      return new Uint8Array(buffers[0] ?? []);
    });
    // Looked at each time: the cache is open to every script of the page.
    if (source.length > 0 && (!hashes[file] || sha256Hex(source) === hashes[file]))
      return new TextDecoder().decode(source);
    cache().delete(key);
    throw new Error(`${file} is damaged or from another version than this page. Reload the page.`);
  };
  return {
    text,
    load<N extends keyof Modules & string>(name: N) {
      const make = async () => imported(name, await text(`${name}.js`));
      return once(`${name} ${hashes[`${name}.js`]}`, make) as Promise<Modules[N]>;
    },
  };
}
