/** Offers bytes as a file download. */
export function download(page: Document, bytes: Uint8Array, name: string, type: string): void {
  const link = page.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
