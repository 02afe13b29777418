/** Evidence for a provider: a label for each part of its requests, and the unverified details. */
import { Chip, count, evidenceLabel, h } from "../../lazy-exports.js";
import type { Confidence } from "../../wire.js";

export interface EvidenceProps {
  confidence: Confidence;
  unconfirmed: string[];
}

/** One label each, because evidence for one part proves nothing about the others. */
export function Evidence({ confidence: { scheme, headers, bodies }, unconfirmed }: EvidenceProps) {
  const parts: [part: string, word: string][] =
    scheme === "seed"
      ? [["Format", scheme]]
      : [
          ["Signature", scheme],
          ["Headers", headers],
          ["Bodies", bodies],
        ];
  return (
    <div class="hw-sure">
      {parts.map(([part, word]) => {
        const [text, tone] = evidenceLabel(word);
        // Documentation shows a body, but it proves no signature.
        return (
          <Chip tone={part === "Signature" && word === "docs" ? "warn" : tone}>{`${part}: ${text}`}</Chip>
        );
      })}
      {unconfirmed.length > 0 && (
        <details class="hw-details">
          <summary>{count(unconfirmed.length, "unverified detail")}</summary>
          <ul class="hw-excluded">
            {unconfirmed.map((fact) => (
              <li>{fact}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
