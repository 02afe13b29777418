/**
 * Loads the lazy parts of the front end over the widget's own messages: no CDN, no files beside the page.
 *
 * A part is accepted only if its hash is the one that was built into this bundle. The page requests each part once,
 * however many widgets it shows; each widget has its own copy of this module, so the cache is a symbol property of
 * the page.
 */

import { sha256Hex } from "../crypto/primitives.js";
import type { Rpc } from "./rpc.js";
import { nothing } from "./rpc.js";

type FileName = `${string}.js`;

/** SHA-256 of each part, inserted by the build; empty while `npm run watch` rebuilds parts one by one. */
declare const CHUNK_SHA256: Readonly<Record<string, string>>;
const hashes = typeof CHUNK_SHA256 === "undefined" ? {} : CHUNK_SHA256;

export interface Chunks {
  /** Returns the module of a part. @throws {Error} with the reason why it cannot be used; the next call tries again. */
  load<Module>(name: string): Promise<Module>;
  /** Returns the source of a part. @throws {Error} as `load` does. */
  text(file: FileName): Promise<string>;
}

const CACHE = Symbol.for("hook_widgets.chunks");

function cache(): Map<string, Promise<unknown>> {
  const page = globalThis as { [CACHE]?: Map<string, Promise<unknown>> };
  page[CACHE] ??= new Map();
  return page[CACHE];
}

function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  const cached = cache().get(key) as Promise<T> | undefined;
  if (cached) return cached;
  const loading = make();
  cache().set(key, loading);
  loading.catch(() => cache().delete(key));
  return loading;
}

/** Parts of the vault are classic scripts that define one name; the module exports it. */
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

export function chunkLoader(rpc: Rpc): Chunks {
  const text = async (file: FileName) => {
    const key = `text ${file} ${hashes[file]}`;
    const source = await once(key, async () => {
      const { buffers } = await rpc.request("chunk", { name: file }, nothing);
      return new Uint8Array(buffers[0] ?? []);
    });
    // Checked on every call, because every script of the page can change the cache.
    if (source.length > 0 && (!hashes[file] || sha256Hex(source) === hashes[file]))
      return new TextDecoder().decode(source);
    cache().delete(key);
    throw new Error(`${file} is damaged or from another version than this page. Reload the page.`);
  };
  return {
    text,
    load<Module>(name: string) {
      const make = async () => imported(name, await text(`${name}.js`));
      return once(`${name} ${hashes[`${name}.js`]}`, make) as Promise<Module>;
    },
  };
}
