/** Browser functions that a widget with a picture needs: show a picture, save a file. */
import { download } from "../ui/download.js";

/** A loaded picture. */
export interface Loaded {
  readonly address: string;
  /** Resolves when the shown picture is decoded and painted. */
  painted(): Promise<unknown>;
  drop(): void;
}

export interface Screen {
  /** Loads a picture; rejects if the file is not of this media type. */
  load(file: Uint8Array, type: string): Promise<Loaded>;
  download(file: Uint8Array, name: string, type: string): void;
  readonly dpr: number;
}

export const browser: Screen = {
  async load(file, type) {
    const address = URL.createObjectURL(new Blob([file as Uint8Array<ArrayBuffer>], { type }));
    const drop = () => URL.revokeObjectURL(address);
    const image = new Image();
    try {
      await new Promise((resolve, reject) => {
        image.onload = resolve;
        image.onerror = reject;
        image.src = address;
      });
    } catch {
      drop();
      throw new Error(`The kernel's chart cannot be shown: not a valid ${type} image.`);
    }
    return {
      address,
      drop,
      // Decoding counts as part of the frame. A hidden page does not paint, so it must not wait for that.
      painted: async () => document.hidden || image.decode().catch(() => {}),
    };
  },
  download: (file, name, type) => download(document, file, name, type),
  get dpr() {
    return devicePixelRatio;
  },
};
