import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createNamespace, readRecording } from "@kaji-tools/record";
import fc from "fast-check";
import { createApiServer } from "../create-api-server.ts";

interface Creation {
  readonly path: string;
  readonly body: JsonObject;
}

/** One change of an object: of all places in it, the one at this position (modulo their number) gets this value, or goes. */
interface Edit {
  readonly place: number;
  readonly value: JsonValue | undefined;
}

const recordings = ["core-kinds", "group-kinds"].map((name) => readRecording(new URL(`../../testdata/${name}.json`, import.meta.url)));

const creations: readonly Creation[] = recordings.flatMap(({ scenarios }) =>
  scenarios.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request: { method, path, body }, answer }) =>
      method === "POST" && answer.status === 201 && isJsonObject(body) ? [{ path, body }] : [],
    ),
  ),
);

/** Values that mean something somewhere, and names that every JavaScript object knows. */
const odd: readonly JsonValue[] = [
  ...[
    "",
    "x",
    "Upper_Case",
    "a b",
    "-bad",
    "constructor",
    "__proto__",
    "toString",
    "-5",
    "1Gi",
    "::1",
    "a/b",
    "/abs",
    "../up",
    "None",
    "25%",
  ],
  ...[-1, 0, 1.5, 65_536, 2_147_483_648, 2 ** 53, true, false, null, [], {}, [null], [{}], { __proto__: null, "": "" }],
];

const edit: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(),
  value: fc.oneof(fc.constantFrom(...odd, undefined), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>),
});

test("no object is so odd that the server fails", async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const send = server.transport();
  for (const { namespace } of recordings) await createNamespace(namespace, send);
  const property = fc.asyncProperty(
    fc.constantFrom(...creations),
    fc.array(edit, { minLength: 1, maxLength: 4 }),
    async ({ path, body }, edits) => {
      const mangled = edits.reduce<JsonValue>((object, { place, value }) => edited(object, place, value) ?? null, body);
      const response = await send({
        method: "POST",
        path,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode(stringifyJson(mangled)),
      });
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body) pieces.push(piece);
      const answer = Buffer.concat(pieces).toString("utf8");
      // Where the real server fails, we do so on purpose and without a cause.
      const isFailure = response.status === 500 && answer.includes('"causes"');
      assert.ok(!isFailure, `${answer} for ${stringifyJson(mangled)}`);
    },
  );
  await fc.assert(property, { seed: 31, numRuns: 1500 });
});

/** The value with one of its places changed; undefined when it is the value itself that goes. */
function edited(value: JsonValue, place: number, to: JsonValue | undefined): JsonValue | undefined {
  let left = place % countPlaces(value);
  if (left === 0) return to;
  left--;
  const entries: [string, JsonValue][] = [];
  for (const [key, part] of Object.entries(value ?? {}) as [string, JsonValue][]) {
    const places = countPlaces(part);
    const next = left >= 0 && left < places ? edited(part, left, to) : part;
    if (next !== undefined) entries.push([key, next]);
    left -= places;
  }
  return isJsonArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

function countPlaces(value: JsonValue): number {
  if (!isJsonArray(value) && !isJsonObject(value)) return 1;
  const parts = Object.values(value) as JsonValue[];
  return parts.reduce<number>((sum, part) => sum + countPlaces(part), 1);
}
