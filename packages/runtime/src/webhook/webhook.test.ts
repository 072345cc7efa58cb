import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  ApiError,
  FieldPath,
  applyJsonPatch,
  badRequest,
  forbidden,
  forbiddenField,
  invalidValue,
  parseJson,
  stringifyJson,
} from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { Deployment } from "@kaji/types/apps/v1";
import { pino } from "pino";
import { z } from "zod";
import type { AdmissionResponse, HandlerReads } from "./admission-review.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import { reviewAdmission } from "./admission-review.ts";
import { bar, barRequest } from "./testing/bar.ts";
import { webhook } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";
import { noCache } from "./webhook-cache.ts";
import { webhookReads } from "./webhook-reads.ts";

const Bar = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({ deploymentName: k.dnsLabel(), replicas: z.int32().min(0).optional(), tags: z.array(z.string()).optional() }),
});

/** Those of a webhook that was given neither a client nor mirrors. */
function readsOf(hook: Webhook): HandlerReads {
  return { live: webhookReads(hook, {}, undefined), cached: async () => noCache(hook) };
}

async function ask(hook: Webhook, request: AdmissionRequest, type: "Mutating" | "Validating"): Promise<AdmissionResponse> {
  const endpoint = hook.endpoints.find((each) => each.type === type);
  assert.ok(endpoint);
  const { review } = await reviewAdmission(endpoint, request, readsOf(hook));
  assert.ok(review.response);
  return review.response;
}

function patched(object: JsonValue | undefined, { patch }: AdmissionResponse): unknown {
  assert.ok(object !== undefined && patch !== undefined);
  return applyJsonPatch(object, parseJson(Buffer.from(patch, "base64").toString()));
}

const fill = webhook(Bar, {
  default(object) {
    object.spec.replicas ??= 2;
  },
});

test("[WH1] default changes the object it is given; the answer is the difference", async () => {
  const response = await ask(fill, barRequest(), "Mutating");
  assert.equal(response.allowed, true);
  assert.equal(response.uid, "u-1");
  assert.deepEqual(parseJson(Buffer.from(response.patch ?? "", "base64").toString()), [{ op: "add", path: "/spec/replicas", value: 2 }]);
  assert.equal(response.patchType, "JSONPatch");
});

test("[WH1] default may return another object instead", async () => {
  const hook = webhook(Bar, { default: (object) => ({ ...object, spec: { ...object.spec, replicas: 7 } }) });
  const request = barRequest();
  assert.deepEqual(patched(request.object, await ask(hook, request, "Mutating")), bar({ deploymentName: "web", replicas: 7 }));
});

test("[WH1] what needs no change gets no patch", async () => {
  const response = await ask(fill, barRequest({ object: bar({ deploymentName: "web", replicas: 1 }) }), "Mutating");
  assert.deepEqual(response, { uid: "u-1", allowed: true });
});

test("[WH1] the patch always leads to what default made of the object", async () => {
  const anything = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<Record<string, JsonValue>>;
  await fc.assert(
    fc.asyncProperty(anything, anything, async (before, after) => {
      const hook = webhook(Bar, { default: (object) => ({ ...object, spec: after as never }) });
      const request = barRequest({ object: bar(before) });
      const response = await ask(hook, request, "Mutating");
      const result = response.patch === undefined ? request.object : patched(request.object, response);
      assert.deepEqual(JSON.parse(stringifyJson(result)), JSON.parse(stringifyJson(bar(after))));
    }),
    { numRuns: 200 },
  );
});

test("[WH2] errors of fields refuse the write as Invalid, each as a cause", async () => {
  const hook = webhook(Bar, {
    validate: (object) => [
      invalidValue(FieldPath.of("spec", "replicas"), object.spec.replicas, "must be odd"),
      forbiddenField(FieldPath.of("spec", "tags").index(0), "not here"),
    ],
  });
  const { allowed, status } = await ask(hook, barRequest({ object: bar({ deploymentName: "web", replicas: 2 }) }), "Validating");
  assert.equal(allowed, false);
  assert.equal(status?.code, 422);
  assert.equal(
    status?.message,
    'Bar.example.com "a" is invalid: [spec.replicas: Invalid value: 2: must be odd, spec.tags[0]: Forbidden: not here]',
  );
  assert.deepEqual(status?.details, {
    name: "a",
    group: "example.com",
    kind: "Bar",
    causes: [
      { reason: "FieldValueInvalid", message: "Invalid value: 2: must be odd", field: "spec.replicas" },
      { reason: "FieldValueForbidden", message: "Forbidden: not here", field: "spec.tags[0]" },
    ],
  });
});

test("[WH2] a refusal that is thrown refuses the write as it is", async () => {
  const hook = webhook(Bar, {
    validate() {
      throw forbidden(Bar, "a", "not on Sundays");
    },
  });
  const { allowed, status } = await ask(hook, barRequest(), "Validating");
  assert.deepEqual([allowed, status?.code, status?.message], [false, 403, 'bars.example.com "a" is forbidden: not on Sundays']);
});

test("[WH3] a handler is told the operation, the old object, the user and whether it is a dry run; its warnings reach the user", async () => {
  const seen: unknown[] = [];
  const hook = webhook(Bar, {
    validate(object, { operation, old, user, dryRun, warn }) {
      seen.push([operation, old?.spec.replicas, object.spec.replicas, user.username, dryRun]);
      if (operation === "UPDATE" && old.spec.replicas !== object.spec.replicas) warn("replicas change");
    },
  });
  const first = await ask(hook, barRequest({ dryRun: true }), "Validating");
  const [object, oldObject] = [bar({ deploymentName: "web", replicas: 2 }), bar({ deploymentName: "web", replicas: 1 })];
  const second = await ask(hook, barRequest({ operation: "UPDATE", object, oldObject }), "Validating");
  assert.deepEqual(seen, [
    ["CREATE", undefined, undefined, "bob", true],
    ["UPDATE", 1, 2, "bob", false],
  ]);
  assert.deepEqual([first.warnings, second.warnings], [undefined, ["replicas change"]]);
});

test("[WH26] what a handler warns of may be an error of a field; what it notes for the audit goes with any decision", async () => {
  const hook = webhook(Bar, {
    validate({ spec: { tags = [] } }, { warn, audit }) {
      const error = invalidValue(FieldPath.of("spec", "tags").index(0), tags[0], "is reserved");
      audit("policy", "tags");
      if (tags[0] === "dry") warn(error);
      else return error;
    },
  });
  const asked = (tag: string): Promise<AdmissionResponse> =>
    ask(hook, barRequest({ object: bar({ deploymentName: "web", tags: [tag] }) }), "Validating");
  const [dry, enforced] = [await asked("dry"), await asked("enforced")];
  assert.deepEqual([dry.allowed, dry.warnings], [true, ['spec.tags[0]: Invalid value: "dry": is reserved']]);
  assert.deepEqual([enforced.allowed, enforced.warnings], [false, undefined]);
  for (const { auditAnnotations } of [dry, enforced]) assert.deepEqual(auditAnnotations, { policy: "tags" });
});

test("[WH26] what makes no key of an audit annotation is refused by name", async () => {
  for (const [key, problem] of Object.entries({ "a b": "name part must consist of", "example.com/a": "must not have a prefix" })) {
    const { allowed, status } = await ask(webhook(Bar, { validate: (_bar, { audit }) => audit(key, "") }), barRequest(), "Validating");
    assert.equal(allowed, false);
    assert.ok(status?.message?.includes(`audit() cannot note "${key}": ${problem}`), status?.message);
  }
});

test("[WH4] deletions come only if there is a handler for them, with the object that goes", async () => {
  const hook = webhook(Bar, {
    validateDelete: (object) => forbiddenField(FieldPath.of("metadata"), `${object.metadata.name} is protected`),
  });
  assert.deepEqual(
    hook.endpoints.map(({ operations }) => operations),
    [["DELETE"]],
  );
  const { object: _, ...request } = barRequest({ operation: "DELETE", oldObject: bar() });
  assert.match((await ask(hook, request, "Validating")).status?.message ?? "", /metadata: Forbidden: a is protected$/);
});

test("[WH5] a failure is logged with the object; one that has no name yet is known by what its name begins with", async () => {
  const hook = webhook(Bar, {
    validate: () => {
      throw new Error("boom");
    },
  });
  const [endpoint] = hook.endpoints;
  assert.ok(endpoint);
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const { name: _, ...unnamed } = barRequest({ namespace: "shop", object: { ...bar(), metadata: { generateName: "web-" } } });
  for (const request of [{ ...unnamed, name: "web" }, unnamed, { ...unnamed, name: "" }])
    await reviewAdmission(endpoint, request, { log, ...readsOf(hook) });
  const objects = lines.map((line) => /"object":"([^"]*)"/.exec(line)?.[1]);
  assert.deepEqual(objects, ["shop/web", "shop/web-*", "shop/web-*"]);
});

test("[WH5] a handler that throws anything is a refusal that names the webhook", async () => {
  const failures: readonly [unknown, string][] = [
    [new RangeError("off by one"), "RangeError: off by one"],
    ["a text", "a non-error was thrown: a text"],
    [undefined, "a non-error was thrown: undefined"],
    [Object.create(null), "a non-error was thrown: an object"],
    [new ApiError(badRequest("no such thing").status, { request: { verb: "GET", path: "/x" } }), "ApiError: no such thing (GET /x)"],
  ];
  for (const [failure, text] of failures) {
    const throws = (): never => {
      throw failure;
    };
    for (const validate of [throws, async (): Promise<never> => throws()]) {
      const hook = webhook(Bar, { validate });
      const [endpoint] = hook.endpoints;
      assert.ok(endpoint);
      const { review, hasPanicked } = await reviewAdmission(endpoint, barRequest(), readsOf(hook));
      assert.equal(hasPanicked, true);
      assert.equal(review.response?.allowed, false);
      assert.equal(review.response?.status?.code, 500);
      assert.equal(review.response?.status?.message, `webhook validate.bar.v1.example.com failed: ${text}`);
    }
  }
});

test("[WH5] a validation that returns what is no field error has failed", async () => {
  for (const found of [false, null, "wrong", {}, [undefined]]) {
    // As a program may do whose types were stripped and not checked.
    const hook = webhook(Bar, { validate: () => found as never });
    const { status } = await ask(hook, barRequest(), "Validating");
    const told = "validate must return a field error such as invalidValue(…), a list of them, or nothing";
    assert.deepEqual([status?.code, status?.message], [500, `webhook validate.bar.v1.example.com failed: TypeError: ${told}`]);
  }
});

test("[WH6] when a handler throws a TypeError for an object that the schema refuses, the user is told what is wrong with the object", async () => {
  const hook = webhook(Bar, {
    default(object) {
      object.spec.tags = object.spec.tags?.map((tag) => tag.toLowerCase()) ?? [];
    },
  });
  const { status } = await ask(hook, barRequest({ object: bar({ deploymentName: "web", tags: [1] }) }), "Mutating");
  assert.equal(status?.code, 422);
  assert.match(status?.message ?? "", /^Bar\.example\.com "a" is invalid: spec\.tags\[0\]: Invalid value: "integer"|spec\.tags\[0\]/);
});

test("[WH7] a request for another kind is refused, not handed to the handler", async () => {
  const request = barRequest({ kind: { group: "autoscaling", version: "v1", kind: "Scale" } });
  const { status } = await ask(fill, request, "Mutating");
  assert.equal(status?.code, 400);
  assert.equal(status?.message, "it is for Bar (example.com/v1), not for Scale (autoscaling/v1); its rules match too much");
});

test("[WH8] built-in kinds have webhooks too, typed", async () => {
  const hook = webhook(Deployment, {
    validate: (deployment) =>
      (deployment.spec?.replicas ?? 1) > 3 ? [invalidValue(FieldPath.of("spec", "replicas"), deployment.spec?.replicas, "too many")] : [],
  });
  const kind = { group: "apps", version: "v1", kind: "Deployment" };
  const { allowed } = await ask(hook, barRequest({ kind, object: { spec: { replicas: 4 } } }), "Validating");
  assert.equal(allowed, false);
  assert.deepEqual(
    hook.endpoints.map(({ name, path }) => [name, path]),
    [["validate.deployment.v1.apps", "/validate-apps-v1-deployment"]],
  );
});

test("[WH8] a webhook that does nothing is an error of the declaration", () => {
  assert.throws(() => webhook(Bar, {}), /the webhook of Bar \(example\.com\/v1\) does nothing/);
});

/** Never called: the compiler does the checking. */
export function typeTests(): void {
  webhook(Bar, {
    // @ts-expect-error -- there is no such field
    default: (object) => void (object.spec.nothing = 1),
    // @ts-expect-error -- what is judged is not changed
    validate: (object) => void (object.spec.replicas = 1),
  });
}
