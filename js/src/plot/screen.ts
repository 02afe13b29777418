/** Browser functions that a widget with a picture needs: show a picture, save a file. */
import { download } from "../ui/download.js";

/** A loaded picture. */
export interface Loaded {
  readonly address: string;
  /** Resolves when the shown picture is decoded and painted. */
  painted(): Promise<unknown>;
}

export interface Screen {
  /** Loads a picture; rejects if the file is not of this media type. */
  load(file: Uint8Array, type: string): Promise<Loaded>;
  download(file: Uint8Array, name: string, type: string): void;
  readonly dpr: number;
}

/** Characters for each call: more arguments than a stack holds would be an error. */
const PIECE = 8192;

/** Returns the address of a file that the address itself holds: no other process has to be asked for it. */
function dataUrl(file: Uint8Array, type: string): string {
  let text = "";
  for (let at = 0; at < file.length; at += PIECE)
    text += String.fromCharCode(...file.subarray(at, at + PIECE));
  return `data:${type};base64,${btoa(text)}`;
}

export const browser: Screen = {
  async load(file, type) {
    const address = dataUrl(file, type);
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error(`The kernel's chart is not a valid ${type} image.`));
      image.src = address;
    });
    return {
      address,
      // Decoding counts as part of the frame. A hidden page does not paint, so it must not wait for that.
      painted: async () => document.hidden || image.decode().catch(() => {}),
    };
  },
  download: (file, name, type) => download(document, file, name, type),
  get dpr() {
    return devicePixelRatio;
  },
};
