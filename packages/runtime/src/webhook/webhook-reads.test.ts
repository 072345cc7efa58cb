import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { ServedResource } from "@kaji/client";
import { forbidden, forbiddenField, invalidValue, FieldPath, notFound, refusal } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { z } from "zod";
import { anyKind } from "../declare/any-kind.ts";
import { use } from "../declare/declarations.ts";
import { permissionsOf } from "../declare/permissions.ts";
import type { AdmissionReview } from "./admission-review.ts";
import { barRequest, reviewOf } from "./testing/bar.ts";
import { webhookHandler } from "./webhook-handler.ts";
import type { WebhookReader } from "./webhook-reads.ts";
import { webhook } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const deploymentName = FieldPath.of("spec", "deploymentName");

/** No two Bars may have the same Deployment. */
const unique = webhook(Bar, {
  uses: [use(Bar, "list"), use(Namespace, "get")],
  async validate(bar, { live }) {
    const { namespace = "", name } = bar.metadata;
    const frozen = (await live.get(Namespace, namespace))?.metadata.labels?.["frozen"];
    if (frozen !== undefined) throw forbidden(Bar, name, "the namespace is frozen");
    const { items } = await live.list(Bar, { namespace });
    const other = items.find(({ metadata, spec }) => metadata.name !== name && spec.deploymentName === bar.spec.deploymentName);
    if (other !== undefined) return invalidValue(deploymentName, bar.spec.deploymentName, `it is that of ${other.metadata.name}`);

    // @ts-expect-error only listing Bars is declared
    const one = (): unknown => live.get(Bar, "a/b");
    // @ts-expect-error ConfigMaps are not declared
    const another = (): unknown => live.list(ConfigMap);
    assert.deepEqual([one.length, another.length], [0, 0]);
  },
});

/** A server with these Bars. */
function readerOf(deployments: readonly string[]): WebhookReader {
  const items = deployments.map((name) => ({
    apiVersion: "example.com/v1",
    kind: "Bar",
    metadata: { name: `of-${name}`, namespace: "default" },
    spec: { deploymentName: name },
  }));
  return {
    list: async () => ({ apiVersion: "example.com/v1", kind: "BarList", metadata: {}, items: items as never }),
    get: (resource) => Promise.reject(notFound(resource, "it")),
    discovery: {
      resourceOf: ({ apiVersion, kind }) =>
        apiVersion === "v1" && kind === "Namespace"
          ? Promise.resolve({ ...Namespace, shortNames: [], categories: [], verbs: ["get"], subresources: [] } as ServedResource)
          : Promise.reject(refusal("NotFound", `the server has no kind ${kind}`)),
    },
  };
}

async function ask(hook: Webhook, reader?: WebhookReader, namespaces?: readonly string[]): Promise<AdmissionReview["response"]> {
  const handler = webhookHandler({ webhooks: [hook], namespaces, ...(reader === undefined ? {} : { reader: () => reader }) });
  const body = Buffer.from(JSON.stringify(reviewOf(barRequest())));
  const headers = { "content-type": "application/json" };
  const response = await handler({ method: "POST", path: "/validate-example-com-v1-bar", headers, body });
  return (JSON.parse(await text(response.body)) as AdmissionReview).response;
}

test("[WH15] a handler reads what it declares; what is not there is undefined", async () => {
  assert.equal((await ask(unique, readerOf(["other"])))?.allowed, true);
  const { allowed, status } = (await ask(unique, readerOf(["web"]))) ?? {};
  assert.deepEqual([allowed, status?.code], [false, 422]);
  assert.match(status?.message ?? "", /spec\.deploymentName: Invalid value: "web": it is that of of-web$/);
});

test("[WH15] what it does not declare is refused with what to add, and so are reads without a client", async () => {
  const sly = webhook(Bar, {
    async validate(_bar, { live }) {
      // @ts-expect-error it does not compile either
      await live.get(ConfigMap, "a/b");
    },
  });
  const { status } = (await ask(sly, readerOf([]))) ?? {};
  assert.match(status?.message ?? "", /does not declare get of v1, Kind=ConfigMap: add use\(ConfigMap, "get"\) to its uses/);
  assert.match((await ask(unique))?.status?.message ?? "", /was given no client to read with/);
});

test("[WH15] a handler finds the kind of what it is told of at run time, and reads any that it declares so", async () => {
  const picky = webhook(Bar, {
    uses: [use(anyKind, "get")],
    async validate(_bar, { live, warn }) {
      const named = await live.resourceOf({ apiVersion: "v1", kind: "Namespace" });
      if (named === undefined || (await live.resourceOf({ apiVersion: "v1", kind: "Nothing" })) !== undefined) return;
      warn(`${(await live.get(named, "default")) === undefined}`);
      if (named.scope === "Cluster") return forbiddenField(deploymentName, "is in no namespace");
    },
  });
  const response = await ask(picky, readerOf([]));
  assert.deepEqual(response?.warnings, ["true"]);
  assert.match(response?.status?.message ?? "", /spec\.deploymentName: Forbidden: is in no namespace/);
});

test("[WH28] a webhook of an operator of some namespaces lists what is in these, and what is in none", async () => {
  const asked: unknown[] = [];
  const reader: WebhookReader = {
    ...readerOf([]),
    list: async ({ kind }, options) => {
      asked.push([kind, options?.namespace]);
      return { apiVersion: "v1", kind: `${kind}List`, metadata: {}, items: [{ metadata: { name: options?.namespace ?? "" } }] as never };
    },
  };
  const looking = webhook(Bar, {
    uses: [use(ConfigMap, "list"), use(Namespace, "list")],
    async validate(_bar, { live, warn }) {
      for (const { metadata } of (await live.list(ConfigMap)).items) warn(metadata.name);
      await live.list(ConfigMap, { namespace: "other" });
      await live.list(Namespace);
    },
  });
  const response = await ask(looking, reader, ["shop", "stock"]);
  assert.deepEqual(response?.warnings, ["shop", "stock"]);
  assert.deepEqual(asked, [
    ["ConfigMap", "shop"],
    ["ConfigMap", "stock"],
    ["ConfigMap", "other"],
    ["Namespace", undefined],
  ]);
});

test("[PER4] what webhooks read is permitted, with the reason", () => {
  assert.deepEqual(permissionsOf([], [unique]), [
    { apiGroup: "", resource: "namespaces", verbs: ["get"], reasons: ["the webhook of Bar reads it"] },
    { apiGroup: "example.com", resource: "bars", verbs: ["list"], reasons: ["the webhook of Bar reads it"] },
  ]);
});
