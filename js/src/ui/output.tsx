/** Outputs of several panels. They import nothing but Preact, so that each bundle that uses them has a copy. */
import { type ComponentChildren, h } from "preact";

/** Preformatted text in a box that the keyboard can scroll; long lines of `code` are not wrapped. */
export function Pre({
  label,
  stale = false,
  code = false,
  children,
}: {
  label: string;
  stale?: boolean;
  code?: boolean;
  children: ComponentChildren;
}) {
  const look = `hw-pre ${code ? "hw-long" : ""} ${stale ? "hw-stale" : ""}`;
  return (
    // biome-ignore lint/a11y: text as it is, that scrolls, must be a named region in the tab order
    <pre class={look} role="region" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  );
}

type HeaderRow = { name: string; value: ComponentChildren; marked?: boolean };

/** Table of header names and values; `marked` rows contain a signature. */
export function HeaderTable({ rows, stale = false }: { rows: HeaderRow[]; stale?: boolean }) {
  return (
    <table class={`hw-table ${stale ? "hw-stale" : ""}`}>
      <thead class="hw-offscreen">
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, marked }) => (
          <tr class={marked ? "hw-signature" : ""}>
            <th scope="row">
              <span class="hw-name">{name}</span>
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
