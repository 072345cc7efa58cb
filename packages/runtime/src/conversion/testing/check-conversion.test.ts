import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k } from "@kaji/core/define";
import { checkConversion } from "@kaji/runtime/testing";
import { z } from "zod";
import { convert } from "../convert.ts";

const Bar = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({
    deployment: z.object({ name: k.dnsLabel(), labels: z.record(z.string(), z.string()).optional() }),
    replicas: z.int32().min(0).default(1),
    mode: z.enum(["Running", "Paused"]).optional(),
    ports: z.array(z.object({ number: z.int32(), name: z.string().optional() })).optional(),
    team: z.string().optional(),
    probe: z.object({ path: z.string().optional(), seconds: z.number().optional() }).optional(),
  }),
  status: z.object({ ready: z.boolean() }),
  versions: {
    v1alpha1: {
      spec: z.object({
        deploymentName: k.dnsLabel(),
        replicas: z.int32().min(0).default(1),
        paused: z.boolean().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        portNames: z.array(z.string()).optional(),
        probe: z.object({ path: z.string().optional(), seconds: z.number().optional() }).optional(),
      }),
      status: z.object({ ready: z.boolean() }),
    },
  },
});

const mode = {
  toHub: (paused: boolean | undefined) => (paused === undefined ? undefined : paused ? ("Paused" as const) : ("Running" as const)),
  fromHub: (given: "Running" | "Paused" | undefined) => (given === undefined ? undefined : given === "Paused"),
};

test("[WHC20] a conversion that keeps everything but what is declared lossy passes", () => {
  const good = convert(Bar, {
    v1alpha1: ({ same, move, map, lossy }) => [
      move("spec.deploymentName", "spec.deployment.name"),
      move("spec.labels", "spec.deployment.labels"),
      same("spec.replicas"),
      map("spec.paused", "spec.mode", mode),
      same("spec.probe.path"),
      same("spec.probe.seconds"),
      same("status"),
      lossy({ spoke: "spec.portNames", because: "ports have numbers now" }),
      lossy({ hub: "spec.ports", because: "ports had no numbers" }),
      lossy({ hub: "spec.team", because: "teams came later" }),
    ],
  });
  checkConversion(good);
});

test("[WHC20] what is kept survives there and back, and beside a change", () => {
  const Page = defineResource({
    group: "example.com",
    version: "v2",
    kind: "Page",
    spec: z.object({ title: z.string(), probe: z.object({ path: z.string(), scheme: z.string() }).optional(), tags: z.array(z.string()) }),
    versions: {
      v1: { spec: z.object({ title: z.string(), probe: z.object({ path: z.string() }).optional(), note: z.string().optional() }) },
    },
  });
  const keeping = convert(Page, {
    v1: ({ same, keep }) => [
      same("spec.title"),
      same("spec.probe.path"),
      keep({ hub: "spec.probe.scheme", value: "HTTP" }),
      keep({ hub: "spec.tags", value: [] }),
      keep({ spoke: "spec.note" }),
    ],
  });
  assert.deepEqual(keeping.losses, []);
  checkConversion(keeping);
});

const rest = { because: "it does not matter here" };

test("[WHC21] a form that loses a value fails, and the field, the values and the object are named", () => {
  const bad = convert(Bar, {
    v1alpha1: ({ same, move, map, lossy }) => [
      move("spec.deploymentName", "spec.deployment.name"),
      move("spec.labels", "spec.deployment.labels"),
      same("spec.replicas"),
      map("spec.paused", "spec.mode", { ...mode, toHub: (paused) => (paused === true ? "Paused" : "Running") }),
      same("spec.probe"),
      same("status"),
      lossy({ spoke: "spec.portNames", ...rest }),
      lossy({ hub: "spec.ports", ...rest }),
      lossy({ hub: "spec.team", ...rest }),
    ],
  });
  assert.throws(() => checkConversion(bad), {
    message:
      /^Bar: from v1(alpha1)? to v1(alpha1)? and back, spec\.(paused|mode) was .* and is .*; map it so that it survives, keep it \(a map does with `keep: true`\), or declare it lossy\n {2}object: /,
  });
});

test("[WHC22] a form that makes something invalid fails, and what the server would say is told", () => {
  const bad = convert(Bar, {
    v1alpha1: ({ same, move, map, lossy }) => [
      map("spec.deploymentName", "spec.deployment.name", { toHub: (name) => name.toUpperCase(), fromHub: (name) => name.toLowerCase() }),
      move("spec.labels", "spec.deployment.labels"),
      same("spec.replicas"),
      map("spec.paused", "spec.mode", mode),
      same("spec.probe"),
      same("status"),
      lossy({ spoke: "spec.portNames", ...rest }),
      lossy({ hub: "spec.ports", ...rest }),
      lossy({ hub: "spec.team", ...rest }),
    ],
  });
  assert.throws(() => checkConversion(bad), /Bar: from v1alpha1 to v1, which makes \{.*spec\.deployment\.name: Invalid value/s);
});

test("[WHC23] the same seed tries the same objects", () => {
  const seen: string[][] = [[], []];
  for (const each of seen) {
    const recording = convert(Bar, {
      v1alpha1: ({ same, move, map, lossy }) => [
        map("spec.deploymentName", "spec.deployment.name", { toHub: (name) => (each.push(name), name), fromHub: (name) => name }),
        move("spec.labels", "spec.deployment.labels"),
        same("spec.replicas"),
        map("spec.paused", "spec.mode", mode),
        same("spec.probe"),
        same("status"),
        lossy({ spoke: "spec.portNames", ...rest }),
        lossy({ hub: "spec.ports", ...rest }),
        lossy({ hub: "spec.team", ...rest }),
      ],
    });
    checkConversion(recording, { runs: 20, seed: 7 });
  }
  assert.ok(new Set(seen[0]).size > 2, "they differ");
  assert.deepEqual(seen[0], seen[1]);
});
