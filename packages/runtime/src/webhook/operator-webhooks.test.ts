import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { forbidden } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { KubeClient } from "@kaji/client";
import { z } from "zod";
import { operatorWebhooks, webhookHosts } from "./operator-webhooks.ts";
import type { OperatorWebhooks, OperatorWebhooksOptions } from "./operator-webhooks.ts";
import { barRequest, reviewOf } from "./testing/bar.ts";
import { callHttps } from "./testing/https-call.ts";
import { ObjectServer } from "./testing/object-server.ts";
import { webhook } from "./webhook.ts";
import { webhookPermissions } from "./webhook-permissions.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const target = { type: "Url", url: "https://127.0.0.1" } as const;

function create(server: ObjectServer, options: Partial<OperatorWebhooksOptions> = {}): OperatorWebhooks {
  return operatorWebhooks({
    name: "bars",
    namespace: "ops",
    target,
    client: new KubeClient(server.transport, { retries: 0 }),
    webhooks: [webhook(Bar, { default: () => {}, validate: () => {} })],
    host: "127.0.0.1",
    port: 0,
    linger: 0,
    ...options,
  });
}

test("[WHS10] an operator's webhooks are one thing to run: certificates first, then the server", async () => {
  const server = new ObjectServer();
  const webhooks = create(server);
  const end = new AbortController();
  const running = webhooks.run(end.signal);
  const { port } = await webhooks.ready;
  const { data } = server.objects.get("/api/v1/namespaces/ops/secrets/bars-webhook-certificates") ?? {};
  const { "ca.crt": bundle = "" } = data as Record<string, string>;
  const ca = Buffer.from(bundle, "base64").toString();
  const answer = await callHttps({ port, ca, path: "/validate-example-com-v1-bar", body: JSON.stringify(reviewOf(barRequest())) });
  assert.equal(answer.status, 200);
  end.abort();
  await running;
});

test("[WHS11] the failure of one part is the failure of all", async () => {
  await using other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await assert.rejects(create(new ObjectServer(), { port }).run(new AbortController().signal), /the port is in use/);
  const server = new ObjectServer();
  server.refuse = () => forbidden({ group: "", plural: "secrets" }, "bars-webhook-certificates", "no");
  await assert.rejects(create(server).run(new AbortController().signal), /is forbidden: no/);
  // By then it listens, and closing takes a while: the failure of the certificates must not become an unhandled rejection meanwhile.
  const untold = new ObjectServer();
  untold.refuse = ({ path }) =>
    path.includes("webhookconfigurations") ? forbidden({ group: "", plural: "mutatingwebhookconfigurations" }, "bars", "no") : undefined;
  await assert.rejects(create(untold).run(new AbortController().signal), /is forbidden: no/);
});

test("[WHS12] certificates are for the name under which a service or a URL is called", () => {
  assert.deepEqual(webhookHosts({ type: "Service", namespace: "ops", name: "bars" }), ["bars.ops.svc", "bars.ops.svc.cluster.local"]);
  assert.deepEqual(webhookHosts({ type: "Url", url: "https://localhost:9443/x" }), ["localhost"]);
  assert.deepEqual(webhookHosts({ type: "Url", url: "https://[::1]:9443" }), ["::1"]);
});

test("[WCA18] what is needed is permitted by name; where the certificates come from files, nothing is needed", () => {
  const validating = { name: "bars", namespace: "ops", webhooks: [webhook(Bar, { validate: () => {} })] };
  assert.deepEqual(
    webhookPermissions(validating).map(({ resource, verbs, namespace, resourceNames }) => [resource, verbs, namespace, resourceNames]),
    [
      ["secrets", ["create"], "ops", undefined],
      ["secrets", ["get", "watch", "update"], "ops", ["bars-webhook-certificates"]],
      ["validatingwebhookconfigurations", ["get", "watch", "patch"], undefined, ["bars"]],
    ],
  );
  assert.deepEqual(webhookPermissions({ ...validating, certificateFiles: { certFile: "tls.crt", keyFile: "tls.key" } }), []);
});
