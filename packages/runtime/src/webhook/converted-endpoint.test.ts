import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { FieldPath, applyJsonPatch, invalidValue, parseJson } from "@kaji/core";
import type { JsonObject, Transport, TransportResponse } from "@kaji/core";
import { defineResource } from "@kaji/core/define";
import { z } from "zod";
import type { AdmissionResponse, AdmissionReview } from "./admission-review.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import { convert } from "../conversion/convert.ts";
import { barRequest, reviewOf } from "./testing/bar.ts";
import { webhookHandler } from "./webhook-handler.ts";
import { webhook } from "./webhook.ts";

const Shop = defineResource({
  group: "example.com",
  version: "v2",
  kind: "Shop",
  spec: z.object({ replicas: z.int32().optional(), theme: z.string().optional(), currency: z.string().optional() }),
  versions: { v1: { spec: z.object({ size: z.int32().optional(), theme: z.string().optional(), banner: z.string().optional() }) } },
});
const conversion = convert(Shop, {
  v1: ({ same, move, keep, lossy }) => [
    move("spec.size", "spec.replicas"),
    same("spec.theme"),
    lossy({ spoke: "spec.banner", because: "nobody reads it" }),
    keep({ hub: "spec.currency" }),
  ],
});
const hook = webhook(Shop, {
  default(shop) {
    shop.spec.replicas ??= 2;
    if (shop.spec.theme === "dear") shop.spec.currency ??= "CHF";
  },
  validate: (shop, { operation, old }) => {
    if (operation === "UPDATE" && old.spec.theme !== shop.spec.theme)
      return invalidValue(FieldPath.of("spec", "theme"), shop.spec.theme, "never changes");
    return (shop.spec.replicas ?? 0) > 9 ? invalidValue(FieldPath.of("spec", "replicas"), shop.spec.replicas, "too many") : undefined;
  },
  validateDelete: (shop) => (shop.spec.theme === "dear" ? invalidValue(FieldPath.of("spec", "theme"), "dear", "stays") : undefined),
});
const handler = webhookHandler({ webhooks: [hook], conversions: [conversion] });

function shop(spec: JsonObject): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Shop", metadata: { name: "a", namespace: "shop" }, spec };
}

function post(to: Transport, step: "mutate" | "validate", request: Partial<AdmissionRequest>): Promise<TransportResponse> {
  const kind = { group: "example.com", version: "v1", kind: "Shop" };
  const body = Buffer.from(JSON.stringify(reviewOf(barRequest({ kind, ...request }))));
  return to({ method: "POST", path: `/${step}-example-com-v1-shop`, headers: { "content-type": "application/json" }, body });
}

async function ask(step: "mutate" | "validate", request: Partial<AdmissionRequest>): Promise<AdmissionResponse> {
  const { status, body } = await post(handler, step, request);
  assert.equal(status, 200);
  const { response } = (await json(body)) as AdmissionReview;
  assert.ok(response !== undefined);
  return response;
}

test("[WH16] defaults for the own version reach an object of another, and what has no place in the own version stays", async () => {
  const object = shop({ theme: "dark", banner: "Sale!" });
  const { allowed, patch = "" } = await ask("mutate", { object });
  assert.equal(allowed, true);
  assert.deepEqual(
    applyJsonPatch(object, parseJson(Buffer.from(patch, "base64").toString())),
    shop({ theme: "dark", banner: "Sale!", size: 2 }),
  );
});

test("[WH16] a default of a field that the other version only keeps reaches an object that keeps nothing yet", async () => {
  const object = shop({ theme: "dear", size: 1 });
  const { patch = "" } = await ask("mutate", { object });
  assert.deepEqual(applyJsonPatch(object, parseJson(Buffer.from(patch, "base64").toString())), {
    ...object,
    metadata: { name: "a", namespace: "shop", annotations: { "example.com/fields-of-v2": '{"spec.currency":"CHF"}' } },
  });
});

test("[WH16] an object of another version that needs no change gets no patch", async () => {
  assert.deepEqual(await ask("mutate", { object: shop({ size: 1, banner: "Sale!" }) }), { uid: "u-1", allowed: true });
});

test("[WH16] an object of another version is judged, with the one it replaces, and so is its deletion", async () => {
  const allowedOf = async (request: Partial<AdmissionRequest>): Promise<readonly [boolean, string | undefined]> => {
    const { allowed, status } = await ask("validate", request);
    return [allowed, status?.message];
  };
  assert.deepEqual(await allowedOf({ object: shop({ size: 3 }) }), [true, undefined]);
  assert.deepEqual(await allowedOf({ object: shop({ size: 10 }) }), [
    false,
    'Shop.example.com "a" is invalid: spec.replicas: Invalid value: 10: too many',
  ]);
  assert.deepEqual(await allowedOf({ operation: "UPDATE", object: shop({ theme: "b" }), oldObject: shop({ theme: "a" }) }), [
    false,
    'Shop.example.com "a" is invalid: spec.theme: Invalid value: "b": never changes',
  ]);
  assert.deepEqual(await allowedOf({ operation: "DELETE", object: null, oldObject: shop({ theme: "dear" }) }), [
    false,
    'Shop.example.com "a" is invalid: spec.theme: Invalid value: "dear": stays',
  ]);
});

test("[WH16] a request of another kind is refused there too", async () => {
  const { allowed, status } = await ask("validate", { kind: { group: "example.com", version: "v1", kind: "Bar" }, object: shop({}) });
  assert.equal(allowed, false);
  assert.match(status?.message ?? "", /it is for Shop \(example\.com\/v2\), not for Bar \(example\.com\/v1\)/);
});

test("[WH16] a webhook that is declared for the other version answers there itself", async () => {
  const seen: string[] = [];
  const own = webhook(Shop.versions.v1, { validate: (object) => void seen.push(object.apiVersion) });
  const both = webhookHandler({ webhooks: [hook, own], conversions: [conversion] });
  await post(both, "validate", { object: shop({}) });
  assert.deepEqual(seen, ["example.com/v1"]);
});
