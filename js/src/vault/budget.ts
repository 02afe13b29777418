/**
 * A limit of questions per minute: far above what people and diagnoses ask, far below what a search needs.
 *
 * A preview is signed at most four times a second and a diagnosis asks at most 3,000 questions; a search for a secret
 * of 32 random bits by whole guesses would take three months at this rate.
 */
export const LIMITS = { sign: 600, match: 30_000 } as const;
const WINDOW_MS = 60_000;

export type Kind = keyof typeof LIMITS;

export interface Budget {
  /** True when that many more questions are within the limit; they count from then on. */
  spend(kind: Kind, questions: number): boolean;
  /** Questions of the last minute, of both kinds. */
  spent(): number;
  /** Start a new minute. */
  reset(): void;
}

/** `now` in milliseconds. */
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
