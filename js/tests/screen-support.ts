/** A page's part in pictures and files, without a page. */
import type { Screen } from "../src/plot/screen.js";
import { settled } from "./support.js";

/** A screen that paints on demand. */
export class FakeScreen implements Screen {
  readonly files: unknown[][] = [];
  /** The media types of the pictures that were shown. */
  readonly types: string[] = [];
  readonly dpr = 2;
  private waiting: (() => void)[] = [];

  async load(file: Uint8Array, type: string) {
    const text = new TextDecoder().decode(file);
    if (text === "broken") throw new Error(`no ${type}`);
    this.types.push(type);
    return {
      address: text,
      painted: () => new Promise<void>((resolve) => this.waiting.push(resolve)),
    };
  }
  download(...file: unknown[]) {
    this.files.push(file);
  }
  async paint() {
    await settled();
    for (const resolve of this.waiting.splice(0)) resolve();
    await settled();
  }
}
