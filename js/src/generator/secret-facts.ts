/** Extracts the facts that the vault pins from the kernel's data of a provider. */

import type { Facts } from "../vault/facts.js";
import type { Provider } from "./wire.js";

export function factsOf({ id, key, schemes }: Provider): Facts {
  const { form, strip_prefix, normalize, digest, example, algorithm, public_form } = key;
  return {
    provider: id,
    key: {
      form,
      strip_prefix,
      normalize,
      digest,
      prefix: strip_prefix || (example?.prefix ?? ""),
      pair: key.type === "key-pair" ? algorithm : null,
      publicForm: public_form ?? "base64-spki",
    },
    schemes: Object.fromEntries(
      schemes.map(({ name, signatures }) => [
        name,
        Object.fromEntries(signatures.map(({ field, algorithm: signs }) => [field, signs])),
      ]),
    ),
  };
}
