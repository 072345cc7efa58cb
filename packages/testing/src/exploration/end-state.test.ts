import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { objectId } from "../simulation/object-id.ts";
import { differences, differenceText, endState } from "./end-state.ts";
import type { EndState } from "./end-state.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { explore } from "./explore.ts";
import { MaskedFields } from "./masked-fields.ts";

const Lamp = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string().optional() }),
  status: z.object({ colour: z.string().optional() }),
});

test("a status whose last field was removed is no other than one that was never written", async () => {
  const controller = defineController(Lamp, {
    async reconcile({ spec }, { setStatus }) {
      await setStatus({ colour: spec.colour });
    },
  });
  const { findings, report } = await explore({ controllers: [controller], runs: 10 });
  assert.deepEqual(findings, [], report);
});

test("an object that is named after the uid of another is the same in all runs", async () => {
  const controller = defineController(Lamp, {
    owns: [ConfigMap],
    async reconcile({ metadata: { uid = "" } }, { apply }) {
      await apply(ConfigMap, { metadata: { name: `lamp-${uid}` } });
    },
  });
  const ops: ExploreOptions["ops"] = (user) => [
    user.create(ConfigMap, { metadata: { name: "other", namespace: "default" } }),
    user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} }),
    user.create(Lamp, { metadata: { name: "hall", namespace: "default" }, spec: {} }),
  ];
  const { findings, report } = await explore({ controllers: [controller], ops });
  assert.deepEqual(findings, [], report);
});

const Route = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Route",
  spec: z.object({ via: z.string().optional() }),
  status: z.object({ parents: z.array(z.object({ name: z.string(), notes: z.array(z.string()).optional() })).optional() }),
});

test("a list of a status that is left without items says no more than one that was never written", async () => {
  const controller = defineController(Route, {
    async reconcile({ spec: { via }, status }, { setStatus }) {
      if (via === undefined && status?.parents === undefined) return;
      await setStatus({ parents: via === undefined ? [] : [{ name: via }] });
    },
  });
  const ops: ExploreOptions["ops"] = (user) => [
    user.create(Route, { metadata: { name: "shop", namespace: "default" }, spec: { via: "front" } }),
    user.mergePatch(Route, "default/shop", { spec: { via: null } }),
  ];
  const { findings, report } = await explore({ controllers: [controller], ops, runs: 10 });
  assert.deepEqual(findings, [], report);
});

test("of statuses, what is empty differs from what is not, and is told as it is; elsewhere it differs from what is absent, too", () => {
  const stateOf = (content: JsonObject): EndState => new Map([["Route default/shop", content]]);
  const texts = (expected: JsonObject, actual: JsonObject): readonly string[] =>
    differences(stateOf(expected), stateOf(actual)).map(differenceText);
  const status = (parents: JsonValue): JsonObject => ({ status: { parents } });
  assert.deepEqual(texts({}, { status: { parents: [], more: { items: [] } } }), []);
  assert.deepEqual(texts(status([{ name: "front" }]), status([{ name: "front", notes: [] }])), []);
  assert.deepEqual(texts(status([]), status([{}])), ["Route default/shop: status.parents[0] is {}, not absent"]);
  assert.deepEqual(texts(status([{ name: "front" }]), status([])), [
    'Route default/shop: status.parents[front] is absent, not {"name":"front"}',
  ]);
  assert.deepEqual(texts(status([{ name: "a", notes: [] }, { name: "b" }]), status([{ name: "a" }, { name: "c" }])), [
    'Route default/shop: status.parents[b].name is "c", not "b"',
  ]);
  assert.deepEqual(texts({ spec: {} }, { spec: { status: [] } }), ["Route default/shop: spec.status is [], not absent"]);
});

const Door = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Door",
  spec: z.object({ isOpen: z.boolean().default(false) }),
  status: z.object({ conditions: k.conditions() }),
});

const doorOps: ExploreOptions["ops"] = (user) => [
  user.create(Door, { metadata: { name: "front", namespace: "default" }, spec: {} }),
  user.mergePatch(Door, "default/front", { spec: { isOpen: true } }),
];

test("conditions that came about at other times are no others", async () => {
  const controller = defineController(Door, {
    async reconcile({ spec }, { setStatus }) {
      const status = spec.isOpen ? "True" : "False";
      await setStatus({
        conditions: [
          { type: "Hinged", status: "True", reason: "AtOnce", message: "it hangs" },
          { type: "Open", status, reason: "AsWanted", message: "" },
        ],
      });
    },
  });
  const { findings, report } = await explore({ controllers: [controller], ops: doorOps, faults: { only: ["Lag", "Restart"] }, runs: 20 });
  assert.deepEqual(findings, [], report);
});

test("of lists that differ, the place is named at which they do", async () => {
  const message = "a text that is long enough to fill a line by itself, so that what differs is not in the beginning";
  const controller = defineController(Door, {
    async reconcile({ spec, status }, { setStatus }) {
      const reason = findCondition(status?.conditions, "Made")?.reason ?? (spec.isOpen ? "Open" : "Shut");
      const hinged = { type: "Hinged", status: "True", reason: "AtOnce", message } as const;
      await setStatus({ conditions: [hinged, { type: "Made", status: "True", reason, message }] });
    },
  });
  const { findings } = await explore({ controllers: [controller], ops: doorOps, runs: 5, findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /front: status\.conditions\[Made\]\.reason is "Shut", not "Open"/);
});

test("[TEL2] of two long values that begin alike, the place is shown at which they differ", () => {
  const config = (host: string): string => `{"routes":[${`{"host":"a.example.com"},`.repeat(20)}{"host":"${host}"}${"]}".padEnd(200)}`;
  const stateOf = (text: string): EndState => new Map([["ConfigMap default/proxy", { data: { "proxy.json": text } }]]);
  const told = (expected: string, actual: string): readonly string[] => differences(stateOf(expected), stateOf(actual)).map(differenceText);
  const [line = "", ...more] = told(config("shop.example.com"), config("store.example.com"));
  assert.deepEqual(more, []);
  const [actual = "", expected = ""] = line.split(", not ");
  assert.match(actual, /^ConfigMap default\/proxy: data\.proxy\.json is \.\.\..*\.\.\.$/);
  assert.ok(actual.includes("store.example.com"), line);
  assert.ok(expected.includes("shop.example.com"), line);
  assert.ok(line.length < 300, line);
  // What differs at once, or is short, is shown from the beginning.
  assert.match(told("a".repeat(200), "b".repeat(200)).join(), /is "bbb.*\.\.\., not "aaa.*\.\.\.$/);
  assert.deepEqual(told("on", "off"), ['ConfigMap default/proxy: data.proxy.json is "off", not "on"']);
});

test("objects whose names the server made are told from each other the same way, whatever else there is", () => {
  const stateOf = (...names: readonly string[]): EndState => {
    const objects = names.map((name): DynamicObject => {
      const metadata = name.startsWith("run-") ? { name, generateName: "run-" } : { name };
      return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, namespace: "default" }, data: {} };
    });
    const scope = { kinds: new Set(["ConfigMap"]), ownStatus: new Set<string>(), baseline: new Set<never>(), masked: new MaskedFields([]) };
    return endState(new Map(objects.map((object) => [objectId(object), object])), {}, { ...scope, contents: new WeakMap() });
  };
  const found = differences(stateOf("run-a", "run-b"), stateOf("history", "run-c", "run-d"));
  assert.deepEqual(
    found.map(({ object }) => object),
    ["ConfigMap default/history"],
  );
});

test("a mask names a key with dots as the report does", () => {
  const stateOf = (revision: string, page: string): EndState => {
    const metadata = { name: "a", namespace: "default", annotations: { "shop.example.com/revision": revision, shop: "b" } };
    const object: DynamicObject = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "index.html": page } };
    const paths = ["metadata.annotations.shop.example.com/revision", "data.index.html"];
    const masked = new MaskedFields(paths.map((path) => ({ resource: ConfigMap, path })));
    const scope = { kinds: new Set(["ConfigMap"]), ownStatus: new Set<string>(), baseline: new Set<never>(), masked };
    return endState(new Map([[objectId(object), object]]), {}, { ...scope, contents: new WeakMap() });
  };
  assert.deepEqual(differences(stateOf("1", "open"), stateOf("2", "closed")), []);
  const [content] = stateOf("1", "open").values();
  assert.deepEqual(content, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", annotations: { shop: "b" } },
    data: {},
  });
});

const Shop = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Shop",
  spec: z.object({}),
  status: z.object({ url: z.string().optional(), port: z.int32().optional() }),
});

/** Each shop has a Service, and says where it is found; a stale one goes on to say it when that is made anew. */
const shops = (isStale: boolean) =>
  explore({
    controllers: [
      defineController(Shop, {
        owns: [Service],
        async reconcile({ metadata: { name }, status }, { apply, setStatus }) {
          const { spec } = await apply(Service, { metadata: { name }, spec: { type: "NodePort", ports: [{ port: 80 }] } });
          if (isStale && status?.url !== undefined) return;
          await setStatus({ url: `http://${spec?.clusterIP}:80`, port: spec?.ports?.[0]?.nodePort });
        },
      }),
    ],
    ops: (user) => [
      user.create(Shop, { metadata: { name: "a", namespace: "default" }, spec: {} }),
      user.create(Service, { metadata: { name: "other", namespace: "default" }, spec: { type: "NodePort", ports: [{ port: 80 }] } }),
      user.delete(Service, "default/other"),
      user.create(Shop, { metadata: { name: "b", namespace: "default" }, spec: {} }),
      user.delete(Service, "default/b"),
    ],
    faults: { only: ["Burst", "Lag", "Crash"] },
    runs: 60,
  });

test("an address or a port that another Service got first is no other", async () => {
  const { findings, report } = await shops(false);
  assert.deepEqual(findings, [], report);
});

test("an address or a port that a Service has no longer is one", async () => {
  const { findings } = await shops(true);
  const [first] = findings.map(({ violation }) => violation.message);
  assert.match(first ?? "", /Shop\S* default\/b: status\.port is \d+, not "<node port of Service default\/b>"/);
});
