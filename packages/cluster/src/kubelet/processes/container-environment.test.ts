import assert from "node:assert/strict";
import { test } from "node:test";
import type { Container, Pod } from "@kaji/types/core/v1";
import { containerEnvironment } from "./container-environment.ts";
import { objectsOf } from "./testing/objects-of.ts";
import { expandVariables } from "./variable-expansion.ts";

const objects = objectsOf({
  configMaps: { settings: { data: { COLOUR: "blue" }, binaryData: { RAW: "aGk=" } } },
  secrets: { keys: { data: { PASSWORD: Buffer.from("geheim").toString("base64") } } },
  allocatable: { cpu: "8", memory: "16Gi" },
});

const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-0", namespace: "default", uid: "u", labels: { app: "web", "a-b": "c", a: 'q"' } },
  spec: { nodeName: "node-1", serviceAccountName: "robot", containers: [{ name: "main" }] },
  status: { podIP: "10.244.3.7", hostIP: "172.18.0.2" },
};

function variablesOf(container: Partial<Container>, given: ReadonlyMap<string, string> = new Map()): Readonly<Record<string, string>> {
  return Object.fromEntries(containerEnvironment(pod, { name: "main", ...container }, objects, given));
}

test("[PROC2] $(NAME) is the variable's value, $$ a dollar sign, and what is no variable stays", () => {
  const variables = new Map([["A", "1"]]);
  assert.equal(expandVariables("$(A) $$(A) $(B) $A $( $$", variables), "1 $(A) $(B) $A $( $");
  assert.equal(expandVariables("$(constructor)", variables), "$(constructor)");
});

test("[PROC2] variables come from what is given, from whole objects, and from the container, of which each may refer to those before it", () => {
  const variables = variablesOf(
    {
      envFrom: [
        { configMapRef: { name: "settings" } },
        { prefix: "KEY_", secretRef: { name: "keys" } },
        { secretRef: { name: "none", optional: true } },
      ],
      env: [
        { name: "A", value: "$(COLOUR)-$(LATER)" },
        { name: "LATER", value: "x" },
        { name: "HOME", value: "/root" },
        { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "keys", key: "PASSWORD" } } },
        { name: "MISSING", valueFrom: { configMapKeyRef: { name: "settings", key: "constructor", optional: true } } },
      ],
    },
    new Map([["HOME", "/home/user"]]),
  );
  assert.deepEqual(variables, {
    HOME: "/root",
    COLOUR: "blue",
    RAW: "hi",
    KEY_PASSWORD: "geheim",
    A: "blue-$(LATER)",
    LATER: "x",
    PASSWORD: "geheim",
  });
});

test("[PROC2] fields of the pod and amounts of its container are told as on a node", () => {
  const field = (fieldPath: string): string => variablesOf({ env: [{ name: "V", valueFrom: { fieldRef: { fieldPath } } }] })["V"] ?? "";
  assert.equal(field("metadata.name"), "web-0");
  assert.equal(field("metadata.labels['app']"), "web");
  assert.equal(field("metadata.labels['constructor']"), "");
  assert.equal(field("spec.serviceAccountName"), "robot");
  assert.equal(field("status.podIP"), "10.244.3.7");
  assert.equal(field("status.hostIP"), "172.18.0.2");
  const amount = (resource: string, divisor?: string): string | undefined => {
    const resourceFieldRef = { resource, ...(divisor === undefined ? {} : { divisor }) };
    return variablesOf({
      resources: { limits: { cpu: "1250m" }, requests: { memory: "32Mi" } },
      env: [{ name: "V", valueFrom: { resourceFieldRef } }],
    })["V"];
  };
  assert.equal(amount("limits.cpu"), "2");
  assert.equal(amount("limits.cpu", "1m"), "1250");
  assert.equal(amount("requests.memory", "1Mi"), "32");
  assert.equal(amount("limits.memory", "1Gi"), "16");
});
