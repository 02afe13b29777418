/**
 * Facts about a provider that the vault pins when a secret is typed.
 *
 * From then on a job only names a scheme and a field. The facts fix key form and algorithm, so that the sender of a
 * job cannot choose them.
 */
import type { Algorithm, KeySpec, KeyType, PublicForm } from "../crypto/primitives.js";

/** Slot of a secret that is typed before the provider is known. */
export const UNKNOWN_PROVIDER = "";

export interface Facts {
  provider: string;
  key: KeySpec & {
    /** Prefix of this provider's secrets, for the hypothesis that it was lost. */
    prefix: string;
    /** Type of the key pair; null for a shared secret. */
    pair: KeyType | null;
    publicForm: PublicForm;
  };
  /** Algorithm of each signature: `schemes[scheme][field]`. */
  schemes: Readonly<Record<string, Readonly<Record<string, Algorithm>>>>;
}

export function algorithmOf({ schemes }: Facts, scheme: string, field: string): Algorithm | null {
  const fields = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  return fields && Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}
