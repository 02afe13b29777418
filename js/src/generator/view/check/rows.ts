/** Rows of checks: their words and tones, and their groups. */
import type { Catalogue, Row } from "../../checks.js";

const TONES = { failed: "bad", warned: "warn", passed: "ok" } as const;
/** Failures come first. */
export const ORDER = ["failed", "warned", "not_decided", "passed", "not_applicable"];

export const toneOf = (status: string) => TONES[status as keyof typeof TONES] ?? "plain";

/** Returns the name of a status in reports. */
export const wordOf = (catalog: Catalogue | null, status: string) =>
  catalog?.statuses.find(([name]) => name === status)?.[1] ?? status;

/** Formats the number of rows with this status. */
export function numberOf(catalog: Catalogue | null, rows: readonly Row[], status: string): string {
  const number = rows.filter((row) => row.status === status).length;
  return `${number} ${wordOf(catalog, status)}${status === "warned" && number !== 1 ? "s" : ""}`;
}

/** Groups rows; a group without rows is left out. */
export function groupRows(catalog: Catalogue | null, rows: readonly Row[], by: "status" | "area") {
  const groups: [title: string, members: readonly Row[]][] =
    by === "status"
      ? ORDER.map((status) => [wordOf(catalog, status), rows.filter((row) => row.status === status)])
      : (catalog?.areas ?? []).map(([area, title]) => [
          `${area}: ${title}`,
          rows.filter(({ id }) => id[0] === area),
        ]);
  return groups.filter(([, members]) => members.length > 0);
}
