/**
 * Facts about a provider that the vault pins when a secret is typed for it.
 *
 * From then on a job names a scheme and a field; the facts fix how the key is read and which algorithm is used, so that
 * the sender of a job cannot choose it.
 */
import type { Algorithm, KeySpec, KeyType, PublicForm } from "../crypto/primitives.js";

/** Slot of a secret that is typed before the provider is known. */
export const UNKNOWN_PROVIDER = "";

export interface Facts {
  provider: string;
  key: KeySpec & {
    /** The prefix that secrets of this provider have, for the hypothesis that it was lost. */
    prefix: string;
    /** Null for a shared secret. */
    pair: KeyType | null;
    publicForm: PublicForm;
  };
  /** The algorithm of each signature: `schemes[scheme][field]`. */
  schemes: Readonly<Record<string, Readonly<Record<string, Algorithm>>>>;
}

export function algorithmOf({ schemes }: Facts, scheme: string, field: string): Algorithm | null {
  const fields = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  return fields && Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}
