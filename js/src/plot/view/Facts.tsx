/** A table of facts, the same as in the picture. */
import { h } from "preact";
import type { Table } from "../wire.js";

/** A number, or that there is none: set flush right, so that the digits stand under each other. */
const NUMBER = /^([-−+]?[\d.,]+(\s?[%a-zµ/]+)?|none|never|)$/i;

export function Facts({ caption, columns, rows }: Table) {
  const numeric = columns.map(
    (_, i) => i > 0 && rows.some((row) => row[i]) && rows.every((row) => NUMBER.test(row[i] ?? "")),
  );
  const side = (i: number) => (numeric[i] ? "hw-num" : "");
  return (
    // biome-ignore lint/a11y: a wide table scrolls, so it must be a named region in the tab order
    <div class="hw-scroll" role="region" tabIndex={0} aria-label={caption || "Table"}>
      <table class="hw-facts-table">
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
          {rows.map(([first, ...others]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {others.map((value, i) => (
                <td key={columns[i + 1]} class={side(i + 1)}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
