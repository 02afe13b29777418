/**
 * Loads the lazy parts of the front end over the widget's own messages: no CDN, no files beside the page.
 *
 * One page loads a chunk once, however many widgets it shows; each widget has its own copy of this module, so the
 * cache hangs on a symbol of the page.
 */
import type * as Curves from "./curves.js";
import type * as Editor from "./editor.js";
import type * as Panels from "./panels.js";
import { sha256Hex } from "./primitives.js";
import type { Rpc } from "./rpc.js";
import type * as Shared from "./shared.js";
import { chunkReply } from "./wire.js";

interface Modules {
  editor: typeof Editor;
  curves: typeof Curves;
  /** Linked anew by every widget, with what it shares with it. */
  panels: { default(require: () => typeof Shared): typeof Panels };
}
export type ChunkName = keyof Modules;

export interface Chunks {
  /** @throws {Error} saying why the chunk cannot be used; the next call tries again. */
  load<N extends ChunkName>(name: N): Promise<Modules[N]>;
}

const CACHE = Symbol.for("hook_widgets.chunks");

function cache(): Map<string, Promise<unknown>> {
  const page = globalThis as { [CACHE]?: Map<string, Promise<unknown>> };
  page[CACHE] ??= new Map();
  return page[CACHE];
}

async function fetchChunk(rpc: Rpc, name: ChunkName): Promise<unknown> {
  const { value, buffers } = await rpc.request("chunk", { name }, chunkReply);
  const source = buffers[0];
  if (!source || sha256Hex(source) !== value.sha256) throw new Error(`The ${name} arrived damaged.`);
  const url = URL.createObjectURL(new Blob([new Uint8Array(source)], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  } catch (error) {
    throw new Error(`This page does not let the ${name} run (${(error as Error).message}).`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** `hashOf` gives the SHA-256 of a chunk when the kernel has told it, so that two versions never mix. */
export function chunkLoader(rpc: Rpc, hashOf: (name: ChunkName) => string): Chunks {
  return {
    load<N extends ChunkName>(name: N) {
      const key = `${name} ${hashOf(name)}`;
      const known = cache().get(key) as Promise<Modules[N]> | undefined;
      if (known) return known;
      const loading = fetchChunk(rpc, name);
      cache().set(key, loading);
      loading.catch(() => cache().delete(key));
      return loading as Promise<Modules[N]>;
    },
  };
}
