import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import type { Access, Authorizer, UserInfo } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../../../create-api-server.ts";

interface Question {
  readonly user: UserInfo;
  readonly request: Access;
}

/** Lets readers read, and remembers what it was asked about others. */
function readersOnly(asked: Question[]): Authorizer {
  return (user, request) => {
    if (user.username === "asker") return { allowed: true, reason: "" };
    asked.push({ user, request });
    return { allowed: user.groups.includes("readers") && request.verb === "get", reason: "readers may read" };
  };
}

async function ask(authorize: Authorizer, plural: string, spec: JsonObject, status = 201): Promise<JsonObject> {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1), authorize });
  const send = server.transport({ username: "asker", groups: ["system:authenticated"] });
  const body = new TextEncoder().encode(JSON.stringify({ spec }));
  const response = await send({
    method: "POST",
    path: `/apis/authorization.k8s.io/v1/${plural}`,
    headers: { "content-type": "application/json" },
    body,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  assert.equal(response.status, status);
  return JSON.parse(Buffer.concat(pieces).toString("utf8")) as JsonObject;
}

test("the server's authorizer is asked about the one in the question, with the words of the question", async () => {
  const asked: Question[] = [];
  const resourceAttributes = {
    verb: "use",
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "scale",
    namespace: "n",
    name: "web",
  };
  const { status } = await ask(readersOnly(asked), "subjectaccessreviews", {
    user: "ann",
    uid: "1",
    groups: ["readers"],
    extra: { k: ["v"] },
    resourceAttributes,
  });
  assert.deepEqual(status, { allowed: false, reason: "readers may read" });
  assert.deepEqual(asked[0], {
    user: { username: "ann", uid: "1", groups: ["readers"], extra: { k: ["v"] } },
    request: { type: "Resource", ...resourceAttributes },
  });
});

test("paths that are no resources can be asked about, and groups alone", async () => {
  const asked: Question[] = [];
  const { status } = await ask(readersOnly(asked), "subjectaccessreviews", {
    groups: ["readers"],
    nonResourceAttributes: { verb: "get", path: "/metrics" },
  });
  assert.deepEqual(status, { allowed: true, reason: "readers may read" });
  assert.deepEqual(asked[0]?.request, { type: "Path", verb: "get", path: "/metrics" });
});

test("who asks about themselves is told what holds of them", async () => {
  const { status } = await ask(readersOnly([]), "selfsubjectaccessreviews", { resourceAttributes: { verb: "delete", resource: "pods" } });
  assert.deepEqual(status, { allowed: true });
});

test("what is not understood of selectors is ignored, and the answer says so", async () => {
  const about = async (selectors: JsonObject, plural = "selfsubjectaccessreviews"): Promise<unknown> => {
    const { status } = await ask(readersOnly([]), plural, {
      ...(plural === "selfsubjectaccessreviews" ? {} : { user: "asker" }),
      resourceAttributes: { verb: "list", resource: "pods", ...selectors },
    });
    return status;
  };
  const field = (operator: string, ...values: readonly string[]): JsonObject => ({ key: "metadata.name", operator, values });
  const label = (operator: string, ...values: readonly string[]): JsonObject => ({ key: "app", operator, values });
  const ignored = (text: string): JsonObject => ({ allowed: true, evaluationError: text });
  const known = [label("In", "a"), label("NotIn", "a"), label("Exists"), label("DoesNotExist")];
  assert.deepEqual(await about({ fieldSelector: { requirements: [field("In", "a"), field("NotIn", "b")] } }), { allowed: true });
  assert.deepEqual(await about({ labelSelector: { requirements: known } }), { allowed: true });
  assert.deepEqual(await about({ labelSelector: { rawSelector: "app in (a,b)" } }), { allowed: true });
  for (const plural of ["selfsubjectaccessreviews", "subjectaccessreviews"]) {
    assert.deepEqual(
      await about({ labelSelector: { requirements: [label("Like", "a")] }, fieldSelector: { rawSelector: "metadata.name" } }, plural),
      ignored(
        "spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error",
      ),
    );
  }
  assert.deepEqual(
    await about({ labelSelector: { requirements: [...known, label("Like", "a")] } }),
    ignored("spec.resourceAttributes.labelSelector partially ignored due to parse error"),
  );
  for (const requirement of [field("Exists"), field("In", "a", "b"), field("Like", "a")]) {
    assert.deepEqual(
      await about({ fieldSelector: { requirements: [field("In", "a"), requirement] } }),
      ignored("spec.resourceAttributes.fieldSelector partially ignored due to parse error"),
    );
  }
});

test("conditions of selectors are checked, but for operators that newer clients may know", async () => {
  const resourceAttributes = {
    verb: "list",
    resource: "pods",
    fieldSelector: { requirements: [{ operator: "In" }, { key: "a", operator: "Exists", values: ["b"] }, { key: "a", operator: "Like" }] },
    labelSelector: {
      requirements: [
        { key: "-", operator: "NotIn", values: ["b c"] },
        { key: "a", operator: "Exists", values: ["b"] },
      ],
    },
  };
  const { details } = await ask(readersOnly([]), "selfsubjectaccessreviews", { resourceAttributes }, 422);
  const { causes } = details as { readonly causes: readonly { readonly field: string; readonly reason: string }[] };
  assert.deepEqual(
    causes.map(({ field, reason }) => `${field.replace("spec.resourceAttributes.", "")} ${reason}`),
    [
      "fieldSelector.requirements[0].key FieldValueRequired",
      "fieldSelector.requirements[0].values FieldValueRequired",
      "fieldSelector.requirements[1].values FieldValueForbidden",
      "labelSelector.requirements[0].key FieldValueInvalid",
      "labelSelector.requirements[0].values[0] FieldValueInvalid",
      "labelSelector.requirements[1].values FieldValueForbidden",
    ],
  );
});

test("who may do everything is told so", async () => {
  const { status } = await ask(readersOnly([]), "selfsubjectrulesreviews", { namespace: "default" });
  assert.deepEqual(status, {
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    incomplete: false,
  });
});
