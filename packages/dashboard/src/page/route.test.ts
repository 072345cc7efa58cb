import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatRoute, home, parseRoute } from "./route.ts";

test("[DB16] an address names what is shown, and is read as it was written", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1 });
  const key = fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.map((each) => each.replaceAll("/", "-")).join("/"));
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
  const order = fc.record({ by: fc.string({ unit: "grapheme" }), isDescending: fc.boolean() }, { noNullPrototype: true });
  const log = fc.record({ container: fc.string(), isPrevious: fc.boolean() }, { noNullPrototype: true });
  const target = fc.oneof(
    fc.record({ object: key, log: maybe(log) }, { noNullPrototype: true }),
    fc.constant({ object: undefined, log: undefined }),
  );
  const place = fc.record(
    { kind: part, namespace: maybe(part), filter: fc.string(), order: maybe(order), heartbeats: fc.boolean() },
    { noNullPrototype: true },
  );
  const route = fc.tuple(place, target).map(([left, right]) => ({ ...left, ...right }));
  fc.assert(fc.property(route, (each) => assert.deepEqual(parseRoute(formatRoute(each)), each)));
  assert.equal(
    formatRoute({
      kind: "deployments.apps",
      object: "default/web",
      namespace: "default",
      filter: "a b",
      order: { by: "Age", isDescending: true },
      heartbeats: true,
      log: { container: "web", isPrevious: true },
    }),
    "#/deployments.apps/default/web?namespace=default&filter=a+b&sort=Age&order=descending&heartbeats=true&log=web&previous=true",
  );
});

test("an address that makes no sense is home", () => {
  for (const hash of ["", "#", "#/", "#//", "#/?filter=a"]) assert.deepEqual(parseRoute(hash), home, hash);
  assert.deepEqual(parseRoute(formatRoute({ ...home, heartbeats: true })), { ...home, heartbeats: true });
  assert.equal(parseRoute("#/pods/%E0%A4%A").object, "%E0%A4%A");
});
