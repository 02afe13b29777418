// json-schema-diff over pairs of schemas: all of them in one process.
//
//     node schemas.mjs
//
// Each line in is a pair, as JSON: {old, new}. Each line out says whether the new schema accepts something that
// the old one does not (added), and the other way round (removed).

import { createInterface } from "node:readline";

import library from "json-schema-diff";

for await (const line of createInterface({ input: process.stdin })) {
  const { old, new: revised } = JSON.parse(line);
  const found = await library.diffSchemas({ sourceSchema: old, destinationSchema: revised });
  process.stdout.write(
    `${JSON.stringify({ added: found.additionsFound, removed: found.removalsFound })}\n`,
  );
}
