/** What the calculator asks of the browser to show a picture and to save a file. */

export interface Screen {
  /** The address of a picture that is ready to be painted; rejects what is no picture. */
  load(png: Uint8Array): Promise<string>;
  drop(address: string): void;
  /** Resolves when what was set until now is being painted. */
  painted(): Promise<void>;
  download(file: Uint8Array, name: string, type: string): void;
  readonly dpr: number;
}

const address = (bytes: Uint8Array, type: string) =>
  URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));

export const browser: Screen = {
  async load(png) {
    const image = new Image();
    image.src = address(png, "image/png");
    try {
      await image.decode();
    } catch {
      URL.revokeObjectURL(image.src);
      throw new Error("The kernel's picture cannot be shown: it is no PNG.");
    }
    return image.src;
  },
  drop: (old) => URL.revokeObjectURL(old),
  // A hidden page paints nothing, and must not wait for it.
  painted: () =>
    new Promise((resolve) => {
      if (document.hidden) resolve();
      else requestAnimationFrame(() => resolve());
    }),
  download(file, name, type) {
    const link = document.createElement("a");
    link.href = address(file, type);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  get dpr() {
    return devicePixelRatio;
  },
};
