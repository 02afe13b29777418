/**
 * Rate limit on signing and matching: far above what people and diagnoses need, far below what a search needs.
 *
 * A preview signs at most four times a second, and a diagnosis makes at most 3,000 comparisons. At this rate a
 * search for a secret of 32 random bits takes three months.
 */
export const LIMITS = { sign: 600, match: 30_000 } as const;
const WINDOW_MS = 60_000;

export type Kind = keyof typeof LIMITS;

export interface Budget {
  /** Counts questions against the limit; returns false, and counts nothing, if they would exceed it. */
  spend(kind: Kind, questions: number): boolean;
  /** Questions of the last minute, of both kinds. */
  spent(): number;
  /** Clears the count. */
  reset(): void;
}

/** `now` returns milliseconds. */
export function createBudget(now: () => number): Budget {
  let entries: { kind: Kind; questions: number; at: number }[] = [];
  const recent = () => {
    const oldest = now() - WINDOW_MS;
    if (entries[0] && entries[0].at <= oldest) entries = entries.filter(({ at }) => at > oldest);
    return entries;
  };
  const sum = (kind?: Kind) =>
    recent().reduce((total, entry) => (kind && entry.kind !== kind ? total : total + entry.questions), 0);
  return {
    spend(kind, questions) {
      if (sum(kind) + questions > LIMITS[kind]) return false;
      entries.push({ kind, questions, at: now() });
      return true;
    },
    spent: () => sum(),
    reset() {
      entries = [];
    },
  };
}
