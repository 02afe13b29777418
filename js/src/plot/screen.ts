/** Browser functions that a widget with a picture needs: show a picture, save a file. */

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

const addressOf = (bytes: Uint8Array, type: string) =>
  URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));

export const browser: Screen = {
  async load(file, type) {
    const address = addressOf(file, type);
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
  download(file, name, type) {
    const link = document.createElement("a");
    link.href = addressOf(file, type);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  get dpr() {
    return devicePixelRatio;
  },
};
