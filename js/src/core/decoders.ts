/**
 * Decoders of untrusted values: every message of the kernel is checked before it is used.
 *
 * A decoder returns the typed value or throws. It drops unknown fields, so that a newer kernel can send more
 * fields.
 */

export type Reader<T> = (value: unknown) => T;
export type Read<R> = R extends Reader<infer T> ? T : never;

export class ShapeError extends Error {}

function wrong(expected: string, value: unknown): never {
  throw new ShapeError(`expected ${expected}, got ${value === null ? "null" : typeof value}`);
}

export const text: Reader<string> = (value) => (typeof value === "string" ? value : wrong("text", value));

export const number: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : wrong("a number", value);

export const flag: Reader<boolean> = (value) =>
  typeof value === "boolean" ? value : wrong("true or false", value);

export function oneOf<const T extends string>(...allowed: T[]): Reader<T> {
  return (value) =>
    (allowed as unknown[]).includes(value) ? (value as T) : wrong(allowed.join(" or "), value);
}

export function list<T>(item: Reader<T>): Reader<T[]> {
  return (value) => (Array.isArray(value) ? value.map((entry) => item(entry)) : wrong("a list", value));
}

export function pair<A, B>(first: Reader<A>, second: Reader<B>): Reader<[A, B]> {
  return (value) =>
    Array.isArray(value) && value.length === 2 ? [first(value[0]), second(value[1])] : wrong("a pair", value);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong("a record", value);
  return value as Record<string, unknown>;
}

/** A record with arbitrary keys. */
export function mapOf<T>(item: Reader<T>): Reader<Record<string, T>> {
  return (value) =>
    Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, entry]) => [name, item(entry)]));
}

export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (value) => (value === null || value === undefined ? null : reader(value));
}

export function or<T>(reader: Reader<T>, missing: T): Reader<T> {
  return (value) => (value === null || value === undefined ? missing : reader(value));
}

/** Text; "" if it is missing. */
export const words = or(text, "");

/** List; empty if it is missing. */
export const some = <T>(item: Reader<T>) => or(list(item), []);

/** Reads an invalid value as a missing one. */
export function lenient<T>(reader: Reader<T>): Reader<T> {
  return (value) => {
    try {
      return reader(value);
    } catch {
      return reader(undefined);
    }
  };
}

export function record<S extends Record<string, Reader<unknown>>>(
  shape: S,
): Reader<{ [K in keyof S]: Read<S[K]> }> {
  return (value) => {
    const fields = fieldsOf(value);
    const out: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(shape)) {
      try {
        out[key] = reader(Object.hasOwn(fields, key) ? fields[key] : undefined);
      } catch (error) {
        throw new ShapeError(`${key}: ${(error as Error).message}`);
      }
    }
    return out as { [K in keyof S]: Read<S[K]> };
  };
}
