import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceSpec } from "@kaji/types/core/v1";
import { serviceVariables } from "./service-variables.ts";
import { ProcessStage } from "./testing/process-stage.ts";

function service(name: string, spec: ServiceSpec): Service {
  return { apiVersion: "v1", kind: "Service", metadata: { name, namespace: "default" }, spec };
}

const ports = [
  { name: "http", port: 8765 },
  { name: "dns", port: 53, protocol: "UDP" as const },
];

test("[PROC2] a service is told by its address and its ports, as on a node", () => {
  assert.deepEqual(Object.fromEntries(serviceVariables([service("my-web", { clusterIP: "10.96.0.9", ports })])), {
    MY_WEB_SERVICE_HOST: "10.96.0.9",
    MY_WEB_SERVICE_PORT: "8765",
    MY_WEB_SERVICE_PORT_HTTP: "8765",
    MY_WEB_SERVICE_PORT_DNS: "53",
    MY_WEB_PORT: "tcp://10.96.0.9:8765",
    MY_WEB_PORT_8765_TCP: "tcp://10.96.0.9:8765",
    MY_WEB_PORT_8765_TCP_PROTO: "tcp",
    MY_WEB_PORT_8765_TCP_PORT: "8765",
    MY_WEB_PORT_8765_TCP_ADDR: "10.96.0.9",
    MY_WEB_PORT_53_UDP: "udp://10.96.0.9:53",
    MY_WEB_PORT_53_UDP_PROTO: "udp",
    MY_WEB_PORT_53_UDP_PORT: "53",
    MY_WEB_PORT_53_UDP_ADDR: "10.96.0.9",
  });
});

test("[PROC2] a service without an address is not told", () => {
  const none = [service("headless", { clusterIP: "None", ports }), service("far", { type: "ExternalName", externalName: "a.example" })];
  assert.equal(serviceVariables(none).size, 0);
});

test("[PROC2] a process is told of the services of its namespace, unless its pod does not want it", async () => {
  const services = [service("db", { clusterIP: "10.96.0.7", ports })];
  await using stage = new ProcessStage({ services });
  const { variables } = await stage.start(stage.run());
  assert.equal(variables.get("DB_SERVICE_HOST"), "10.96.0.7");
  const other = await stage.start(stage.run({}, 1, { enableServiceLinks: false }));
  assert.equal(other.variables.get("DB_SERVICE_HOST"), undefined);
});
