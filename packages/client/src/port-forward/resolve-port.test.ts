import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { KubeClient } from "../kube-client.ts";
import { scriptedTransport } from "../testing/scripted-transport.ts";
import { PortResolutionError, resolvePort } from "./resolve-port.ts";
import type { PortForwardTarget } from "./resolve-port.ts";

const service = {
  metadata: { name: "web", namespace: "shop" },
  spec: {
    selector: { app: "web", tier: "front" },
    ports: [
      { name: "dns", port: 53, protocol: "UDP" },
      { name: "http", port: 80, targetPort: "main" },
      { name: "admin", port: 81, targetPort: 9000 },
      { name: "plain", port: 82 },
    ],
  },
};

function pod(name: string, ready: "True" | "False", metadata: JsonObject = {}): JsonObject {
  const sidecar = { name: "proxy", restartPolicy: "Always", ports: [{ name: "proxy", containerPort: 15_000 }] };
  const setup = { name: "setup", ports: [{ name: "setup", containerPort: 1 }] };
  const containers = [{ name: "web", ports: [{ name: "main", containerPort: 8080 }, { containerPort: 9000 }] }];
  return {
    metadata: { name, namespace: "shop", ...metadata },
    spec: { initContainers: [setup, sidecar], containers },
    status: { conditions: [{ type: "Ready", status: ready }] },
  };
}

const starting = pod("web-0", "False");
const leaving = pod("web-1", "True", { deletionTimestamp: "2026-01-31T12:00:00Z" });
const running = pod("web-2", "True");

/** What is found on a server with one service and these pods, and what was asked for. */
async function resolved(
  target: PortForwardTarget,
  port: number | string,
  { pods = [starting, leaving, running], spec = {} }: { readonly pods?: readonly JsonObject[]; readonly spec?: JsonObject } = {},
): Promise<readonly [unknown, readonly string[]]> {
  const { transport, requests } = scriptedTransport(({ path }) => {
    if (path.includes("/services/")) return { body: { ...service, spec: { ...service.spec, ...spec } } };
    return { body: path.includes("/pods/") ? running : { metadata: {}, items: pods } };
  });
  const found = await resolvePort(new KubeClient(transport), target, port, {});
  return [found, requests.map(({ path }) => path)];
}

const web = { service: "shop/web" };

test("[FWD8] a Pod with a number is known; by name a port is that of a container or a sidecar", async () => {
  assert.deepEqual(await resolved("shop/web-2", 80), [{ namespace: "shop", name: "web-2", port: 80 }, []]);
  const asked = ["/api/v1/namespaces/shop/pods/web-2"];
  assert.deepEqual(await resolved("shop/web-2", "main"), [{ namespace: "shop", name: "web-2", port: 8080 }, asked]);
  assert.deepEqual(await resolved({ namespace: "shop", name: "web-2" }, "proxy"), [
    { namespace: "shop", name: "web-2", port: 15_000 },
    asked,
  ]);
});

test("[FWD8] a Service leads to the port that it names of a Pod that is ready", async () => {
  const asked = ["/api/v1/namespaces/shop/services/web", "/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb%2Ctier%3Dfront"];
  for (const [port, expected] of [
    ["http", 8080],
    [80, 8080],
    ["admin", 9000],
    [81, 9000],
    ["plain", 82],
  ] as const) {
    assert.deepEqual(await resolved(web, port), [{ namespace: "shop", name: "web-2", port: expected }, asked]);
  }
  const [headless] = await resolved(web, "admin", { spec: { clusterIP: "None" } });
  assert.deepEqual(headless, { namespace: "shop", name: "web-2", port: 81 });
});

test("[FWD8] what is not there is named, with what there is", async () => {
  const refusals: readonly (readonly [Promise<unknown>, string])[] = [
    [resolved("shop/web-2", "setup"), "pod shop/web-2 has no port setup; it has main 8080, 9000, proxy 15000"],
    [resolved(web, "https"), "service shop/web has no port https; it has dns 53 (UDP), http 80, admin 81, plain 82"],
    [resolved(web, 53), "service shop/web has no port 53; it has dns 53 (UDP), http 80, admin 81, plain 82"],
    [resolved(web, 80, { spec: { ports: [] } }), "service shop/web has no port 80; it has none"],
    [resolved(web, 80, { pods: [starting, leaving] }), "service shop/web has no ready Pod, of 2 that it selects"],
    [resolved(web, 80, { spec: { selector: {} } }), "service shop/web has no selector, so that no Pods are known by it"],
  ];
  for (const [refusal, message] of refusals) {
    await assert.rejects(refusal, (error) => error instanceof PortResolutionError && error.message === message);
  }
});
