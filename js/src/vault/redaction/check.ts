/**
 * Searches a redacted request for secrets in other encodings, and in those that the redaction replaces: it shares no
 * code with the redaction, so that a bug there is detected here.
 */

const SHORTEST = 8;
const PIECE = 12;
/** Maximum depth of nested encodings; one more for small texts. */
const DEPTH = 2;
const SMALL = 65_536;

const encoder = new TextEncoder();
/** Lower case; `+` is a space in forms, and the digits of both base64 alphabets are the same. */
const folded = (byte: number) => {
  if (byte > 64 && byte < 91) return byte | 32;
  if (byte === 32 || byte === 45) return 43;
  return byte === 95 ? 47 : byte;
};
const EACH_BYTE = [...new Uint8Array(256).keys()];
const FOLD = Uint8Array.from(EACH_BYTE, folded);
const foldedText = (bytes: Uint8Array) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096)
    text += String.fromCharCode(...bytes.subarray(i, i + 4096).map((byte) => FOLD[byte] as number));
  return text;
};

/** Value of each hex digit, or -1. */
const SIXTEEN = Int8Array.from(EACH_BYTE, (byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase()),
);
/** Value of a number of hex digits, or NaN. */
const number = (bytes: Uint8Array, at: number, count: number) => {
  let value = 0;
  for (let i = 0; i < count; i++) {
    const digit = SIXTEEN[bytes[at + i] ?? 0] as number;
    value = digit < 0 ? Number.NaN : value * 16 + digit;
  }
  return value;
};
/** Value of each base64 digit in either alphabet, or -1. */
const DIGIT = Int8Array.from(EACH_BYTE, (byte) => {
  if (byte === 43 || byte === 45) return 62;
  if (byte === 47 || byte === 95) return 63;
  if (byte > 47 && byte < 58) return byte + 4;
  if (byte > 64 && byte < 91) return byte - 65;
  return byte > 96 && byte < 123 ? byte - 71 : -1;
});

/** Decodes percent escapes and those of JavaScript's `escape`. */
function decodePercent(bytes: Uint8Array): Uint8Array | null {
  return replaceEscapes(bytes, 37, (at) => {
    if (((bytes[at + 1] ?? 0) | 32) === 117) return [number(bytes, at + 2, 4), 6, true];
    return [number(bytes, at + 1, 2), 3, false];
  });
}

/** Decodes JSON escapes and, unless `json`, `\x` escapes. */
function decodeEscapes(bytes: Uint8Array, json: boolean): Uint8Array | null {
  return replaceEscapes(bytes, 92, (at) => {
    const next = bytes[at + 1] ?? 0;
    if (next === 120) return [json ? Number.NaN : number(bytes, at + 2, 2), 4, false];
    if (next === 117) return [number(bytes, at + 2, 4), 6, true];
    const short = "bfnrt".indexOf(String.fromCharCode(next));
    return [short < 0 ? next : ([8, 12, 10, 13, 9][short] as number), 2, false];
  });
}

/** Removes the sign by which a shell escapes a character, or one of two quotes. */
function decodeShell(bytes: Uint8Array, sign: number): Uint8Array | null {
  const quote = sign === 39 || sign === 34;
  return replaceEscapes(bytes, sign, (at) => {
    const [next = Number.NaN, second, third, fourth] = bytes.subarray(at + 1, at + 5);
    if (!quote || next === sign) return [next, 2, false];
    if (next === 92 && second === 39 && third === 39) return [sign, 4, false];
    const bash = next === 34 && second === 39 && third === 34 && fourth === 39;
    return [bash ? sign : Number.NaN, 5, false];
  });
}

/** Replaces each escape by what `read` returns: value, length, and whether the value is a UTF-16 unit. */
function replaceEscapes(bytes: Uint8Array, sign: number, read: (at: number) => [number, number, boolean]) {
  if (!bytes.includes(sign)) return null;
  const out = new Uint8Array(bytes.length);
  let filled = 0;
  let changed = false;
  for (let i = 0; i < bytes.length; ) {
    const [value, length, unit] = bytes[i] === sign ? read(i) : [Number.NaN, 1, false];
    if (Number.isNaN(value)) {
      out[filled++] = bytes[i++] as number;
      continue;
    }
    changed = true;
    i += length;
    if (!unit || value < 128) out[filled++] = value;
    else {
      let text = String.fromCharCode(value);
      if (value >> 10 === 54 && bytes[i] === sign) {
        text += String.fromCharCode(read(i)[0]);
        i += read(i)[1];
      }
      const utf8 = encoder.encode(text);
      out.set(utf8, filled);
      filled += utf8.length;
    }
  }
  return changed ? out.subarray(0, filled) : null;
}

/**
 * Decodes runs of hex or base64 digits (`bits` per digit) after the first `skipped` digits; line ends and the
 * indentation after them do not end a run of base64.
 */
function decodeDigits(bytes: Uint8Array, bits: 4 | 6, skipped: number, shortest: number): Uint8Array | null {
  const table = bits === 6 ? DIGIT : SIXTEEN;
  const out = new Uint8Array(bytes.length + 1);
  let [filled, run, value, bitCount, longest] = [0, 0, 0, 0, 0];
  let wrapped = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    const digit = table[byte] as number;
    const blank = byte === 32 || byte === 9;
    if (digit >= 0) {
      wrapped = false;
      run += 1;
      if (run > longest) longest = run;
      if (run <= skipped) continue;
      value = ((value << bits) | digit) & 0xffff;
      bitCount += bits;
      if (bitCount < 8) continue;
      bitCount -= 8;
      out[filled++] = value >> bitCount;
    } else if (bits === 6 && (byte === 10 || byte === 13 || (wrapped && blank))) wrapped = true;
    else if (run > 0) {
      // A zero byte, which no secret contains, separates the runs.
      if (run > skipped) out[filled++] = 0;
      run = 0;
      bitCount = 0;
    }
  }
  return longest < shortest ? null : out.subarray(0, filled);
}

/** Yields all decoded views of bytes. */
function* views(bytes: Uint8Array): Generator<Uint8Array | null> {
  yield decodePercent(bytes);
  yield decodeEscapes(bytes, false);
  if (bytes.some((byte, i) => byte === 120 && bytes[i - 1] === 92)) yield decodeEscapes(bytes, true);
  for (const sign of [96, 94, 39, 34]) yield decodeShell(bytes, sign);
  for (const skipped of [0, 1, 2, 3]) yield decodeDigits(bytes, 6, skipped, 11);
  for (const skipped of [0, 1]) yield decodeDigits(bytes, 4, skipped, 16);
  const hasByteOrderMark = (bytes[0] ?? 0) > 253;
  let zeros = 0;
  for (let i = 0; i < bytes.length && zeros < SHORTEST - 1; i++)
    zeros = bytes[i] === 0 ? zeros + 1 : bytes[i - 1] === 0 ? zeros : 0;
  if (!hasByteOrderMark && zeros < SHORTEST - 1) return;
  for (const order of ["utf-16le", "utf-16be"])
    for (const skipped of [0, 1])
      yield encoder.encode(new TextDecoder(order).decode(bytes.subarray(skipped)));
}

/** Creates an index of all windows of one size in all forms of the secrets. */
function windowIndex(forms: readonly Uint8Array[], size: number) {
  const texts = forms.map(foldedText).join("\n\n");
  let room = 1 << 10;
  while (room < texts.length) room *= 2;
  const filter = new Uint8Array(room);
  const turn = (2 * size) % 32;
  const byteHashes = Int32Array.from(EACH_BYTE, (byte) => Math.imul(folded(byte) + 1, 0x9e3779b1));
  const hashes = new Set<number>();
  /** Returns true if a window of the bytes is in the index; with `learn`, adds the windows instead. */
  return (bytes: Uint8Array, learn: boolean): boolean => {
    let hash = 0;
    for (let i = 0; i < bytes.length; i++) {
      hash = ((hash << 2) | (hash >>> 30)) ^ (byteHashes[bytes[i] as number] as number);
      if (i >= size) {
        const oldest = byteHashes[bytes[i - size] as number] as number;
        hash ^= (oldest << turn) | (oldest >>> (32 - turn));
      }
      if (i < size - 1) continue;
      const byte = (hash ^ (hash >>> 11)) & (room - 1);
      const marks = (1 << (hash >>> 29)) | (1 << ((hash >>> 26) & 7));
      if (learn) {
        filter[byte] = (filter[byte] as number) | marks;
        hashes.add(hash);
      } else if (((filter[byte] as number) & marks) === marks && hashes.has(hash)) {
        if (texts.includes(foldedText(bytes.subarray(i - size + 1, i + 1)))) return true;
      }
    }
    return false;
  };
}

/** Returns a function that tells whether a text, or a decoded view of it, contains a secret or a piece of one. */
export function createSecretCheck(secrets: readonly string[]): (part: string | Uint8Array) => boolean {
  const bySize = new Map<number, Uint8Array[]>();
  const add = (bytes: Uint8Array, piece: number) => {
    const size = Math.min(piece, bytes.length);
    bySize.set(size, [...(bySize.get(size) ?? []), bytes]);
  };
  for (const text of secrets.map((secret) => secret.trim()).filter((secret) => secret.length >= SHORTEST)) {
    const normal = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => text.normalize(form));
    const cased = [text, ...normal].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
    for (const form of new Set(/[^ -~]/.test(text) ? cased : [text])) {
      add(encoder.encode(form), PIECE);
      if (/[^ -~]/.test(form)) {
        const units = Uint16Array.from({ length: form.length }, (_, i) => form.charCodeAt(i));
        const little = new Uint8Array(units.length * 2).map(
          (_, i) => (units[i >> 1] as number) >> (8 * (i & 1)),
        );
        add(little, 2 * PIECE);
        add(
          little.map((_, i) => little[i ^ 1] as number),
          2 * PIECE,
        );
        if (units.every((unit) => unit < 256)) add(Uint8Array.from(units), PIECE);
      }
    }
  }
  const searches = [...bySize].map(([size, forms]) => {
    const search = windowIndex(forms, size);
    for (const bytes of forms) search(bytes, true);
    return search;
  });
  const anyView = (bytes: Uint8Array, depth: number): boolean => {
    if (searches.some((search) => search(bytes, false))) return true;
    if (depth === 0) return false;
    for (const view of views(bytes)) if (view && anyView(view, depth - 1)) return true;
    return false;
  };
  return (part) => {
    if (searches.length === 0) return false;
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    return anyView(bytes, bytes.length < SMALL ? DEPTH + 1 : DEPTH);
  };
}
