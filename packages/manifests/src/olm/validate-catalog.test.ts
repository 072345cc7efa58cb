import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { calledOperator } from "../testing/bar-operator.ts";
import { catalogFiles, readCatalog, withBundle } from "./catalog.ts";
import type { CatalogBlobs } from "./catalog.ts";
import { olmBundle } from "./olm-bundle.ts";
import { upgradeProblems } from "./upgrade-graph.ts";
import { validateCatalog } from "./validate-catalog.ts";

function added(
  catalog: CatalogBlobs,
  version: string,
  more: { readonly replaces?: string; readonly channels?: readonly string[] } = {},
): CatalogBlobs {
  return withBundle(catalog, olmBundle(calledOperator, { version, ...more }), `registry.example.com/bars-bundle:${version}`);
}

const entriesOf = (catalog: CatalogBlobs): readonly unknown[] =>
  catalog.filter(({ schema }) => schema === "olm.channel").map(({ name, entries }) => [name, entries]);

test("a channel that is there twice, as after a merge by hand, loses no version: it is refused", () => {
  const [one, other] = [added([], "1.0.0"), added([], "1.1.0")];
  const grown = added([...one, ...other], "1.2.0", { replaces: "1.1.0" });
  assert.deepEqual(
    validateCatalog(grown).filter(({ text }) => text === "is there twice"),
    ["stable", "stable"].map((name) => ({ level: "Error", place: `channel ${name}`, text: "is there twice" })),
  );
});

test("a catalog grows by a version at a time, each in its channels", () => {
  const first = added([], "1.0.0");
  const second = added(first, "1.1.0", { replaces: "1.0.0", channels: ["stable", "fast"] });
  assert.deepEqual(validateCatalog(second), []);
  assert.deepEqual(entriesOf(second), [
    ["stable", [{ name: "bars.v1.0.0" }, { name: "bars.v1.1.0", replaces: "bars.v1.0.0" }]],
    ["fast", [{ name: "bars.v1.1.0", replaces: "bars.v1.0.0" }]],
  ]);
  assert.deepEqual(
    second.map(({ schema, name }) => [schema, name]),
    [
      ["olm.package", "bars"],
      ["olm.channel", "stable"],
      ["olm.channel", "fast"],
      ["olm.bundle", "bars.v1.0.0"],
      ["olm.bundle", "bars.v1.1.0"],
    ],
  );
});

test("the same version again takes the place of what it was, and leaves channels that it is no longer in", () => {
  const twice = added(added([], "1.0.0", { channels: ["stable", "fast"] }), "1.0.0", { channels: ["fast"] });
  assert.deepEqual(entriesOf(twice), [["fast", [{ name: "bars.v1.0.0" }]]]);
  assert.deepEqual(validateCatalog(twice), []);
  assert.deepEqual(added(twice, "1.0.0", { channels: ["fast"] }), twice);
});

test("what another package has in the catalog stays as it is, in channels of the same names too", () => {
  const others = [
    { schema: "olm.package", name: "foos", defaultChannel: "stable" },
    { schema: "olm.channel", package: "foos", name: "stable", entries: [{ name: "foos.v1.0.0" }] },
  ];
  const grown = added(added(others, "1.0.0"), "1.1.0", { replaces: "1.0.0" });
  for (const blob of others)
    assert.deepEqual(
      grown.findLast(({ schema, name }) => schema === blob.schema && name === blob.name),
      blob,
    );
  assert.deepEqual(entriesOf(grown), [
    ["stable", [{ name: "bars.v1.0.0" }, { name: "bars.v1.1.0", replaces: "bars.v1.0.0" }]],
    ["stable", [{ name: "foos.v1.0.0" }]],
  ]);
});

test("a catalog is what is read back from its text", () => {
  const catalog = added(added([], "1.0.0"), "1.1.0", { replaces: "1.0.0" });
  const files = catalogFiles(catalog);
  assert.deepEqual([...files.keys()], ["configs/bars/catalog.yaml", "Dockerfile"]);
  const text = files.get("configs/bars/catalog.yaml") ?? "";
  assert.equal(parseAllDocuments(text).length, 4);
  assert.deepEqual(readCatalog(text, ""), catalog);
});

test("a version that nothing leads to is refused, with what to do", () => {
  assert.deepEqual(validateCatalog(added(added([], "1.0.0"), "1.1.0")), [
    {
      level: "Error",
      place: "channel stable",
      text: "has more than one newest version: bars.v1.0.0, bars.v1.1.0; each but one must be replaced or skipped",
    },
  ]);
});

test("a chain of versions is well in any order, and without one of its links it is not", () => {
  const chain = fc
    .integer({ min: 2, max: 9 })
    .map((length) =>
      Array.from({ length }, (_, index) => ({ name: `v${index}`, replaces: index === 0 ? "" : `v${index - 1}`, skips: [] })),
    );
  fc.assert(
    fc.property(
      chain.chain((entries) => fc.tuple(fc.shuffledSubarray(entries, { minLength: entries.length }), fc.nat(entries.length - 2))),
      ([entries, cut]) => {
        assert.deepEqual(upgradeProblems(entries), []);
        const severed = entries.map((entry) => (entry.name === `v${cut + 1}` ? { ...entry, replaces: "" } : entry));
        assert.equal(upgradeProblems(severed).length, 1);
        const ring = entries.map((entry) => (entry.name === "v0" ? { ...entry, replaces: `v${entries.length - 1}` } : entry));
        assert.equal(upgradeProblems(ring).length, 1);
      },
    ),
  );
});
