import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { z } from "zod";
import { ConversionError, convert } from "./convert.ts";

const Bar = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({
    deployment: z.object({ name: k.dnsLabel(), labels: z.record(z.string(), z.string()).optional() }),
    replicas: z.int32().min(0).default(1),
    mode: z.enum(["Running", "Paused"]),
    address: z.string().optional(),
    ports: z.array(z.object({ number: z.int32(), name: z.string().optional() })),
    probe: z.object({ path: z.string().optional() }).optional(),
    team: z.string(),
  }),
  status: z.object({ ready: z.boolean() }),
  versions: {
    v1alpha1: {
      spec: z.object({
        deploymentName: k.dnsLabel(),
        replicas: z.int32().min(0).default(1),
        paused: z.boolean().optional(),
        host: z.string().optional(),
        port: z.int32().optional(),
        ports: z.array(z.int32()),
        labels: z.record(z.string(), z.string()).optional(),
        probe: z.object({ path: z.string().optional() }).optional(),
        legacy: z.string().optional(),
      }),
      status: z.object({ ready: z.boolean() }),
    },
  },
});

const conversion = convert(Bar, {
  v1alpha1: ({ same, move, map, lossy }) => [
    move("spec.deploymentName", "spec.deployment.name"),
    same("spec.replicas"),
    map("spec.paused", "spec.mode", {
      toHub: (paused) => (paused === true ? "Paused" : "Running"),
      fromHub: (mode) => (mode === "Paused" ? true : undefined),
    }),
    map(["spec.host", "spec.port"], "spec.address", {
      toHub: ([host, port]) => (host === undefined || port === undefined ? undefined : `${host}:${port}`),
      fromHub: (address) => {
        const [host, port] = address?.split(":") ?? [];
        return [host, port === undefined ? undefined : Number(port)] as const;
      },
    }),
    map("spec.ports", "spec.ports", {
      toHub: (ports) => ports.map((number) => ({ number, name: undefined })),
      fromHub: (ports) => ports.map(({ number }) => number),
    }),
    move("spec.labels", "spec.deployment.labels"),
    same("spec.probe.path"),
    same("status"),
    lossy({ spoke: "spec.legacy", because: "nobody used it" }),
    lossy({ hub: "spec.team", value: "unknown", because: "teams came later" }),
  ],
});

const old: JsonObject = {
  apiVersion: "example.com/v1alpha1",
  kind: "Bar",
  metadata: { name: "a", labels: { x: "y" } },
  spec: { deploymentName: "web", replicas: 3, paused: true, host: "h", port: 80, ports: [1, 2], legacy: "old" },
  status: { ready: true },
};

const hub: JsonObject = {
  apiVersion: "example.com/v1",
  kind: "Bar",
  metadata: { name: "a", labels: { x: "y" } },
  spec: {
    deployment: { name: "web" },
    replicas: 3,
    mode: "Paused",
    address: "h:80",
    ports: [{ number: 1 }, { number: 2 }],
    team: "unknown",
  },
  status: { ready: true },
};

/** As it is written: an undefined field is an absent one. */
function written(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}

test("[WHC1] fields are kept, moved and mapped to the version of the definition, and back", () => {
  assert.deepEqual(written(conversion.convert(old, "v1")), hub);
  const { legacy: _, ...spec } = old["spec"] as JsonObject;
  assert.deepEqual(written(conversion.convert(hub, "v1alpha1")), { ...old, spec });
});

test("[WHC1] an object that is in the version already stays as it is", () => {
  assert.equal(conversion.convert(hub, "v1"), hub);
});

test("[WHC2] what is lossy is told, with the reason", () => {
  assert.deepEqual(conversion.losses, [
    { version: "v1alpha1", path: "spec.legacy", missingIn: "v1", because: "nobody used it" },
    { version: "v1", path: "spec.team", missingIn: "v1alpha1", because: "teams came later" },
  ]);
});

test("[WHC2] the value of a field that the other version lacks is filled in where its part is there, and makes none", () => {
  const Probed = defineResource({
    group: "example.com",
    version: "v2",
    kind: "Probed",
    spec: z.object({ probe: z.object({ path: z.string(), scheme: z.enum(["HTTP", "HTTPS"]) }).optional() }),
    versions: { v1: { spec: z.object({ probe: z.object({ path: z.string() }).optional() }) } },
  });
  const probes = convert(Probed, {
    v1: ({ same, lossy }) => [lossy({ hub: "spec.probe.scheme", value: "HTTP", because: "there was only one" }), same("spec.probe.path")],
  });
  const probed = (spec: JsonObject): JsonObject => ({ apiVersion: "example.com/v1", kind: "Probed", metadata: { name: "a" }, spec });
  assert.deepEqual(probes.convert(probed({}), "v2")["spec"], {});
  assert.deepEqual(probes.convert(probed({ probe: { path: "/" } }), "v2")["spec"], { probe: { path: "/", scheme: "HTTP" } });
});

const Kept = defineResource({
  group: "example.com",
  version: "v2",
  kind: "Kept",
  spec: z.object({
    size: z.int32().optional(),
    users: z.array(z.string()).optional(),
    backups: z.object({ keep: z.int32() }).default({ keep: 3 }),
    probe: z.object({ path: z.string(), scheme: z.enum(["HTTP", "HTTPS"]) }).optional(),
    tls: z.object({ secret: z.string() }).optional(),
  }),
  versions: {
    v1: { spec: z.object({ size: z.int32().optional(), note: z.string().optional(), probe: z.object({ path: z.string() }).optional() }) },
  },
});

const keeping = convert(Kept, {
  v1: ({ same, keep }) => [
    same("spec.size"),
    keep({ hub: "spec.users" }),
    keep({ hub: "spec.backups", value: { keep: 3 } }),
    same("spec.probe.path"),
    keep({ hub: "spec.probe.scheme", value: "HTTP" }),
    keep({ hub: "spec.tls.secret" }),
    keep({ spoke: "spec.note" }),
  ],
});

function kept(version: string, spec: JsonObject, annotations?: JsonObject): JsonObject {
  return {
    apiVersion: `example.com/${version}`,
    kind: "Kept",
    metadata: { name: "a", ...(annotations === undefined ? {} : { annotations }) },
    spec,
  };
}

const whole = { size: 1, users: ["ann"], backups: { keep: 7 }, probe: { path: "/", scheme: "HTTPS" }, tls: { secret: "s" } };

test("[WHC8] what is kept is in an annotation of the other version, and comes back, whatever is changed there", () => {
  const there = keeping.convert(kept("v2", whole, { team: "shop" }), "v1");
  assert.deepEqual(written(there), {
    ...kept("v1", { size: 1, probe: { path: "/" } }),
    metadata: {
      name: "a",
      annotations: {
        team: "shop",
        "example.com/fields-of-v2": JSON.stringify({
          "spec.users": ["ann"],
          "spec.backups": { keep: 7 },
          "spec.probe.scheme": "HTTPS",
          "spec.tls.secret": "s",
        }),
      },
    },
  });
  const changed = { ...there, spec: { size: 2, note: "larger", probe: { path: "/healthz" } } };
  const back = keeping.convert(changed, "v2");
  assert.deepEqual(
    written(back),
    kept(
      "v2",
      { ...whole, size: 2, probe: { path: "/healthz", scheme: "HTTPS" } },
      { team: "shop", "example.com/fields-of-v1": JSON.stringify({ "spec.note": "larger" }) },
    ),
  );
  assert.deepEqual(written(keeping.convert(back, "v1"))["spec"], changed.spec);
});

test("[WHC8] an object of the other version that keeps nothing gets the values that stand in for it", () => {
  const { spec } = keeping.convert(kept("v1", { size: 1, probe: { path: "/" } }), "v2");
  assert.deepEqual(spec, { size: 1, backups: { keep: 3 }, probe: { path: "/", scheme: "HTTP" } });
});

test("[WHC8] a part that was removed in the other version does not come back with what was kept of it", () => {
  const there = keeping.convert(kept("v2", whole), "v1");
  const { probe: _, ...rest } = whole;
  assert.deepEqual(keeping.convert({ ...there, spec: { size: 1 } }, "v2"), kept("v2", rest));
});

test("[WHC8] an annotation that nobody can read counts for nothing, so that the object can be read", () => {
  for (const text of ["{", "[]", '"spec.users"']) {
    const { spec } = keeping.convert(kept("v1", {}, { "example.com/fields-of-v2": text }), "v2");
    assert.deepEqual(spec, { backups: { keep: 3 } });
  }
});

test("[WHC3] a conversion changes nothing of the object it is given", () => {
  const before = structuredClone(old);
  conversion.convert(old, "v1");
  assert.deepEqual(old, before);
});

test("[WHC4] a part that is there stays there, even when it is empty", () => {
  const there = conversion.convert({ ...old, spec: { deploymentName: "web", ports: [], probe: {} } }, "v1");
  assert.deepEqual((there["spec"] as JsonObject)["probe"], {});
  assert.deepEqual((conversion.convert(there, "v1alpha1")["spec"] as JsonObject)["probe"], {});
});

test("[WHC5] a stored object that lacks what is required now is converted as far as it goes", () => {
  const { spec: _, ...bare } = old;
  assert.deepEqual(written(conversion.convert({ ...bare, spec: {} }, "v1")), {
    ...hub,
    spec: { mode: "Running", team: "unknown" },
  });
});

test("[WHC6] an object of another kind, group or version is refused by name", () => {
  for (const [field, value] of [
    ["kind", "Foo"],
    ["apiVersion", "example.com/v2"],
    ["apiVersion", "other.com/v1"],
    ["apiVersion", 7],
    ["metadata", "none"],
  ] as const) {
    assert.throws(() => conversion.convert({ ...old, [field]: value }, "v1"), ConversionError);
  }
  assert.throws(() => conversion.convert(old, "v9"), /Bar has no version "v9"/);
});

test("[WHC7] a field that is mapped twice is an error of the declaration", () => {
  assert.throws(
    () => convert(Two, { v1: ({ same }) => [same("spec"), same("spec.a")] }),
    /Two: v1: spec\.a is mapped twice, also with spec/,
  );
});

const Two = defineResource({
  group: "example.com",
  version: "v2",
  kind: "Two",
  spec: z.object({ a: z.string().optional(), items: z.array(z.object({ x: z.string() })) }),
  versions: { v1: { spec: z.object({ a: z.string().optional(), items: z.array(z.object({ x: z.string() })) }) } },
});

const Grown = defineResource({
  group: "example.com",
  version: "v2",
  kind: "Grown",
  spec: z.object({ a: z.string(), b: z.string().optional(), items: z.array(z.object({ x: z.string(), y: z.string().optional() })) }),
  versions: { v1: { spec: z.object({ a: z.string(), items: z.array(z.object({ x: z.string() })) }) } },
});

/** Never called: the compiler does the checking. */
export function typeTests(): void {
  convert(Kept, {
    v1: ({ same, keep }) => [
      same("spec.size"),
      keep({ hub: "spec.users" }),
      // @ts-expect-error -- an object that was made in v1 needs a value
      keep({ hub: "spec.backups" }),
      same("spec.probe.path"),
      keep({ hub: "spec.probe.scheme", value: "HTTP" }),
      keep({ hub: "spec.tls" }),
      keep({ spoke: "spec.note" }),
    ],
  });
  convert(Kept, {
    // @ts-expect-error -- what is of no side maps nothing
    v1: ({ same, keep, lossy }) => [
      same("spec.size"),
      // @ts-expect-error -- a field is of one side
      keep({ spoke: "spec.note", hub: "spec.users" }),
      // @ts-expect-error -- and of one at least
      lossy({ because: "gone" }),
    ],
  });
  convert(Two, { v1: ({ same }) => [same("spec")] });
  convert(Two, { v1: ({ same }) => [same("spec.a"), same("spec.items")] });
  // @ts-expect-error -- a version is missing
  convert(Two, {});
  // @ts-expect-error -- spec.items is not mapped
  convert(Two, { v1: ({ same }) => [same("spec.a")] });
  // @ts-expect-error -- nothing is mapped
  convert(Two, { v1: () => [] });
  // @ts-expect-error -- there is no such version
  convert(Two, { v1: ({ same }) => [same("spec")], v3: () => [] });
  convert(Grown, {
    // @ts-expect-error -- the hub has a field more, which is not mapped
    v1: ({ same, map }) => [
      same("spec.a"),
      map("spec.items", "spec.items", { toHub: (items) => items.map(({ x }) => ({ x, y: x })), fromHub: (items) => items }),
    ],
  });
  // @ts-expect-error -- the specs are not the same
  convert(Grown, { v1: ({ same }) => [same("spec")] });
  // @ts-expect-error -- nor are the items, one of whose optional fields is new
  convert(Grown, { v1: ({ same, lossy }) => [same("spec.a"), same("spec.items"), lossy({ hub: "spec.b", because: "new" })] });
  convert(Grown, {
    v1: ({ same, map, lossy }) => [
      same("spec.a"),
      lossy({ hub: "spec.b", because: "new" }),
      map("spec.items", "spec.items", {
        // @ts-expect-error -- y is forgotten
        toHub: (items) => items.map(({ x }) => ({ x })),
        fromHub: (items) => items.map(({ x }) => ({ x })),
      }),
    ],
  });
  convert(Grown, {
    v1: ({ same, map, lossy }) => [
      // @ts-expect-error -- a field that must be there needs a value when it comes back
      lossy({ spoke: "spec.a", because: "gone" }),
      lossy({ hub: "spec.a", value: "?", because: "gone" }),
      lossy({ hub: "spec.b", because: "new" }),
      map("spec.items", "spec.items", {
        toHub: (items) => items.map(({ x }) => ({ x, y: undefined })),
        fromHub: (items) => items.map(({ x }) => ({ x })),
      }),
      // @ts-expect-error -- there is no such field
      same("spec.c"),
    ],
  });
}
