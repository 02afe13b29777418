/** Filters of the provider list: kind of service, and evidence for the signature. */
import { evidenceLabel, Fragment, h, kindTitle, Select } from "../../lazy-exports.js";
import type { Listed } from "../../wire.js";
import type { FiltersProps } from "./Providers.js";

/** Returns the options of one filter, with the number of providers that the other filter passes. */
function choices(
  all: string,
  of: (provider: Listed) => string,
  text: (value: string) => string,
  filtered: Listed[],
): [value: string, text: string][] {
  const counts = new Map<string, number>();
  for (const provider of filtered) counts.set(of(provider), (counts.get(of(provider)) ?? 0) + 1);
  const counted = [...counts].map(([value, n]): [string, string] => [value, `${text(value)} (${n})`]);
  return [["", all], ...counted.sort(([, a], [, b]) => a.localeCompare(b))];
}

export function ProviderFilters({ kind, signature, ofKind, ofSignature }: FiltersProps) {
  return (
    <>
      <Select
        aria-label="Kind"
        value={kind()}
        options={choices("All kinds of service", (p) => p.kind, kindTitle, ofSignature)}
        onPick={kind.set}
      />
      <Select
        aria-label="Confidence"
        value={signature()}
        options={choices(
          "Signature: verified in any way",
          (p) => p.confidence.scheme,
          (evidence) => `Signature: ${evidenceLabel(evidence)[0]}`,
          ofKind,
        )}
        onPick={signature.set}
      />
    </>
  );
}
