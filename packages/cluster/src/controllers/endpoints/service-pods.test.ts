import assert from "node:assert/strict";
import { test } from "node:test";
import { askedPods } from "../testing/asked-pods.ts";
import { servicePods } from "./service-pods.ts";

test("[EP4] the pods of a Service are looked for among those with a label that it names", () => {
  const { cache, asked } = askedPods();
  const service = { apiVersion: "v1", kind: "Service", metadata: { namespace: "shop", name: "web" } } as const;
  servicePods({ ...service, spec: { selector: { app: "web", tier: "front" } } }, cache);
  assert.deepEqual(asked, ["app=web of shop: app=web,tier=front"]);
});
