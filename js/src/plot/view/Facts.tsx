/** Table of the facts that the picture shows. */
import { Fragment, h } from "preact";
import type { Table } from "../wire.js";

/** Cells to right-align: a number such as 1 h 5 min or 50 (2.5%), or a word for none. */
const NUMBER = /^([-−+]?[\d.,]+(\s?[%a-zµ/]+)?( [\d.]+ [a-z]+| \([\d.]+%\))?|none|never|)$/i;

/** Maximum number of columns in a narrow view; with more, each row becomes a list. */
const MAX_NARROW = 4;

/** Maximum length of a row label that does not wrap in a narrow view, such as 1 h 15 min. */
const MAX_LABEL = 14;

export function Facts({ caption, columns, rows, note }: Table) {
  const numeric = columns.map(
    (_, i) => i > 0 && rows.some((row) => row[i]) && rows.every((row) => NUMBER.test(row[i] ?? "")),
  );
  const short = rows.every(([first]) => (first ?? "").length <= MAX_LABEL);
  const side = (i: number) => (numeric[i] ? "hw-num" : "");
  return (
    <>
      {/* biome-ignore lint/a11y: a wide table scrolls, so it must be a named region in the tab order */}
      <div class="hw-scroll" role="region" tabIndex={0} aria-label={caption || "Table"}>
        <table class={`hw-facts-table ${columns.length > MAX_NARROW ? "hw-stacks" : ""}`}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={column} scope="col" class={side(i)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...others], at) => (
              <tr key={at}>
                <th scope="row" class={short ? "hw-once" : ""}>
                  {first}
                </th>
                {others.map((value, i) => (
                  <td key={columns[i + 1]} class={side(i + 1)} data-column={columns[i + 1]}>
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {note && <p class="hw-hint">{note}</p>}
    </>
  );
}
