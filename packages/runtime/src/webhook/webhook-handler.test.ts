import assert from "node:assert/strict";
import { json, text } from "node:stream/consumers";
import { test } from "node:test";
import fc from "fast-check";
import { pino } from "pino";
import { z } from "zod";
import type { Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { ManualClock } from "@kaji/core/testing";
import type { AdmissionReview } from "./admission-review.ts";
import { convert } from "../conversion/convert.ts";
import type { ConversionReview } from "./conversion-review.ts";
import { barRequest, reviewOf } from "./testing/bar.ts";
import { webhook } from "./webhook.ts";
import { webhookHandler } from "./webhook-handler.ts";

const spec = z.object({ a: z.string().optional() });
const Two = defineResource({ group: "example.com", version: "v2", kind: "Two", spec, versions: { v1: { spec } } });
const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const path = "/validate-example-com-v1-bar";
const hook = webhook(Bar, { validate: () => {} });
const handler = webhookHandler({ webhooks: [hook], conversions: [convert(Two, { v1: ({ same }) => [same("spec")] })] });

function post(to: Transport, where: string, body: unknown, request: Partial<TransportRequest> = {}): Promise<TransportResponse> {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return to({ method: "POST", path: where, headers: { "content-type": "application/json" }, body: bytes, ...request });
}

test("[WH10] a review is answered at the path of its webhook, whatever the query says", async () => {
  const response = await post(handler, `${path}?timeout=10s`, reviewOf(barRequest()));
  assert.equal(response.status, 200);
  assert.deepEqual(await json(response.body), {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "u-1", allowed: true },
  } satisfies AdmissionReview);
});

test("[WH27] a handler that fails is no answer where failures are ignored, and a refusal elsewhere", async () => {
  const validate = (): never => {
    throw new Error("the registry is away");
  };
  const message = "webhook validate.bar.v1.example.com failed: Error: the registry is away";
  const asked = async (failurePolicy: "Fail" | "Ignore"): Promise<readonly [number, unknown]> => {
    const { status, body } = await post(
      webhookHandler({ webhooks: [webhook(Bar, { validate, failurePolicy })] }),
      path,
      reviewOf(barRequest()),
    );
    return [status, await json(body)];
  };
  const status = { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", reason: "InternalError", code: 500 };
  assert.deepEqual(await asked("Ignore"), [500, { ...status, message }]);
  const refusal = { uid: "u-1", allowed: false, status: { ...status, message } };
  assert.deepEqual(await asked("Fail"), [200, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: refusal }]);
});

test("[WH34] an answer that nobody waits for any more is logged with the time that it took", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const clock = new ManualClock();
  const gone = new AbortController();
  const slow = webhook(Bar, { validate: () => clock.sleep(12_000) });
  const asked = post(webhookHandler({ webhooks: [slow], log, clock }), path, reviewOf(barRequest()), { signal: gone.signal });
  await clock.advance(10_000);
  gone.abort(new Error("client disconnected"));
  await clock.advance(2_000);
  await asked;
  const prompt = post(webhookHandler({ webhooks: [hook], log, clock }), path, reviewOf(barRequest()), {
    signal: new AbortController().signal,
  });
  await prompt;
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /"path":"\/validate-example-com-v1-bar","durationMs":12000,"msg":"webhook answered too late/);
});

test("[WH11] what is not a review is refused, and the refusal says why", async () => {
  const review = reviewOf(barRequest());
  const cases: readonly [unknown, number, RegExp][] = [
    ["", 400, /the body is empty/],
    ["{", 400, /the body is not JSON: /],
    ["[]", 400, /the body must be of the kind AdmissionReview/],
    [{ ...review, apiVersion: "admission.k8s.io/v1beta1" }, 400, /apiVersion must be admission\.k8s\.io\/v1/],
    [{ ...review, request: undefined }, 400, /request is missing/],
    [{ ...review, request: { ...review.request, uid: 1 } }, 400, /request\.uid is missing/],
    [{ ...review, request: { ...review.request, kind: "Bar" } }, 400, /request\.kind must have a group/],
    [{ ...review, request: { ...review.request, operation: "EAT" } }, 400, /request\.operation must be one of CREATE/],
  ];
  for (const [body, status, message] of cases) {
    const response = await post(handler, path, body);
    assert.equal(response.status, status);
    assert.match(((await json(response.body)) as { message: string }).message, message);
  }
  const headers = { "content-type": "text/plain" };
  assert.equal((await post(handler, path, review, { headers })).status, 415);
  assert.equal((await handler({ method: "GET", path, headers: {} })).status, 405);
  assert.equal((await post(handler, "/nowhere", review)).status, 404);
});

test("[WH11] no body whatever makes it throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom(path, "/convert"), async (request, where) => {
      const [group, kind] = where === path ? ["admission.k8s.io", "AdmissionReview"] : ["apiextensions.k8s.io", "ConversionReview"];
      const { status } = await post(handler, where, { apiVersion: `${group}/v1`, kind, request });
      assert.ok(status === 200 || status === 400);
    }),
  );
});

test("[WH12] health is answered without authentication", async () => {
  for (const each of ["/healthz", "/readyz"]) {
    const response = await handler({ method: "GET", path: each, headers: {} });
    assert.deepEqual([response.status, await text(response.body)], [200, "ok"]);
  }
});

test("[WH13] the observer is told of requests and failures", async () => {
  const seen: unknown[] = [];
  const clock = new ManualClock();
  const failing = webhook(Bar, {
    async validate() {
      await clock.advance(25);
      throw new Error("no");
    },
  });
  const observed = webhookHandler({
    webhooks: [failing],
    clock,
    observer: {
      requestBegun: (where) => seen.push(["begun", where]),
      requestDone: (...done) => seen.push(["done", ...done]),
      panicked: (where) => seen.push(["panicked", where]),
    },
  });
  await post(observed, path, reviewOf(barRequest()));
  assert.deepEqual(seen, [
    ["begun", path],
    ["panicked", path],
    ["done", path, 200, 25],
  ]);
});

test("[WH14] two webhooks for one path are an error of the program", () => {
  assert.throws(() => webhookHandler({ webhooks: [hook, hook] }), /two webhooks of Bar \(example\.com\/v1\) want to be served at/);
});

const two = (name: string, version = "v1"): object => ({
  apiVersion: `example.com/${version}`,
  kind: "Two",
  metadata: { name, namespace: "shop", resourceVersion: "7" },
  spec: { a: name },
});

async function convertAll(objects: readonly unknown[], desiredAPIVersion: string): Promise<ConversionReview["response"]> {
  const request = { uid: "u-2", desiredAPIVersion, objects };
  const response = await post(handler, "/convert", { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request });
  assert.equal(response.status, 200);
  return ((await json(response.body)) as ConversionReview).response;
}

test("[WHC10] all objects of a request are converted, in their order, their metadata kept", async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `o-${index}`);
  const response = await convertAll(
    names.map((name) => two(name)),
    "example.com/v2",
  );
  assert.deepEqual(response?.result, { status: "Success" });
  assert.deepEqual(
    response?.convertedObjects,
    names.map((name) => two(name, "v2")),
  );
});

test("[WHC11] one object that cannot be converted fails the request, and is named", async () => {
  const response = await convertAll([two("a"), { ...two("b"), kind: "Three" }], "example.com/v2");
  assert.equal(response?.convertedObjects, undefined);
  assert.deepEqual(response?.result, {
    status: "Failure",
    message: "Three shop/b cannot be converted to example.com/v2: no conversion is declared for its kind in the group example.com",
  });
  const other = await convertAll([7], "example.com/v2");
  assert.equal(other?.result.message, "7 cannot be converted to example.com/v2: it is not an object");
});

test("[WHC12] a mapping that throws fails the request, not the process", async () => {
  const failing = convert(Two, {
    v1: ({ map }) => [
      map("spec", "spec", {
        toHub() {
          throw new Error("too old");
        },
        fromHub: ({ a }) => ({ a }),
      }),
    ],
  });
  const request = { uid: "u-3", desiredAPIVersion: "example.com/v2", objects: [two("a")] };
  const body = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
  const response = await post(webhookHandler({ conversions: [failing] }), "/convert", body);
  const { result } = ((await json(response.body)) as ConversionReview).response ?? {};
  assert.deepEqual(result, { status: "Failure", message: "Two shop/a cannot be converted to example.com/v2: too old" });
});
