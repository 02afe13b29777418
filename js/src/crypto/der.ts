/** The subset of DER (X.690) that public keys and a self-signed certificate need. */
import { concatBytes } from "@noble/hashes/utils.js";
import { base64, randomBytes, utf8 } from "./primitives.js";

function tagged(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const body = concatBytes(...parts);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concatBytes(Uint8Array.from([tag, ...size]), body);
}

export const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts);
export const nothing = () => tagged(0x05);
export const bits = (bytes: Uint8Array) => tagged(0x03, Uint8Array.of(0), bytes);

/** Encodes a non-negative integer given as big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  const body = bytes.slice(from < 0 ? bytes.length - 1 : from);
  return tagged(0x02, Uint8Array.from((body[0] as number) & 0x80 ? [0, ...body] : body));
}

/** Encodes an object identifier such as "1.2.840.113549.1.1.11". */
export function identifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [40 * first + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return tagged(0x06, Uint8Array.from(bytes));
}

/** Encodes a UTC time before 2050. */
function utcTime(at: Date): Uint8Array {
  return tagged(0x17, utf8(`${at.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}

const DAY_MS = 86_400_000;

/**
 * Creates a self-signed X.509 certificate in PEM (RFC 5280) for a test key, valid for ten years.
 *
 * @param algorithm DER of the AlgorithmIdentifier of the signatures that `sign` makes
 */
export function certificate(
  publicKey: Uint8Array,
  algorithm: Uint8Array,
  sign: (message: Uint8Array) => Uint8Array,
  now = Date.now(),
): string {
  const commonName = tagged(0x0c, utf8("hook_widgets test key, not the provider's"));
  const name = sequence(tagged(0x31, sequence(identifier("2.5.4.3"), commonName)));
  const body = sequence(
    tagged(0xa0, integer(Uint8Array.of(2))), // version 3
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + 3652 * DAY_MS))),
    name,
    publicKey,
  );
  const lines = base64(sequence(body, algorithm, bits(sign(body)))).match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
