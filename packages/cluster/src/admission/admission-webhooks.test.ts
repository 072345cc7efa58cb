import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createAuthority, issueServing, listen } from "@kaji/apiserver";
import type { ApiResponse, Listener, ServerRequest } from "@kaji/apiserver";
import { stringifyJson, systemClock } from "@kaji/core";
import type { JsonObject, Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { admissionWebhook, asObject, startAdmissionRig } from "../testing/admission-rig.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const mutating = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const validating = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const origin = "https://hooks.default.svc";

suite("over a real connection", () => {
  test("[WH20] 200 concurrent writes pass a webhook that changes and one that checks them, each exactly once", async () => {
    const asked = { mutate: 0, validate: 0 };
    const webhook = admissionWebhook((request) => {
      const { metadata } = asObject(request["object"]);
      const isChecked = asObject(asObject(metadata)["labels"])["touched"] === "yes";
      if (isChecked) asked.validate++;
      else asked.mutate++;
      return isChecked ? { allowed: true } : patch({ op: "add", path: "/metadata/labels", value: { touched: "yes" } });
    });
    const { listener, caBundle } = await serve(webhook);
    await using _listener = listener;
    await using rig = await startAdmissionRig();
    const clientConfig = { url: `${listener.url}/x`, caBundle };
    await rig.call("POST", mutating, configuration("all", { clientConfig }));
    await rig.call("POST", validating, configuration("all", { clientConfig }));
    const names = Array.from({ length: 200 }, (_, index) => `map-${index}`);
    const answers = await Promise.all(names.map((name) => rig.call("POST", maps, { metadata: { name } })));
    assert.deepEqual(
      new Set(answers.map(({ status, body }) => stringifyJson([status, asObject(body["metadata"])["labels"]]))),
      new Set(['[201,{"touched":"yes"}]']),
    );
    assert.deepEqual(asked, { mutate: 200, validate: 200 });
  });
});

suite("within the process", () => {
  test("[WH21] a configuration counts as soon as its write is answered, and no longer once it is deleted", async () => {
    await using rig = await startAdmissionRig(inProcess(() => ({ allowed: false })));
    for (let round = 0; round < 20; round++) {
      await rig.call("POST", validating, configuration("all"));
      assert.equal((await rig.call("POST", maps, { metadata: { name: "a" } })).status, 400);
      await rig.call("DELETE", `${validating}/all`);
      assert.equal((await rig.call("POST", `${maps}?dryRun=All`, { metadata: { name: "a" } })).status, 201);
    }
  });

  test("[WH22] validating webhooks are asked at the same time; of several refusals the first in their order counts", async () => {
    const waiting: (() => void)[] = [];
    const webhook = async (request: JsonObject): Promise<JsonObject> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // Nobody is answered before all three have been asked, and the last first.
      if (waiting.length === 3) for (const answer of waiting.toReversed()) answer();
      await promise;
      return { allowed: false, status: { message: `no to ${stringifyJson(request["operation"])}` } };
    };
    await using rig = await startAdmissionRig(inProcess(webhook));
    const webhooks = ["one.example.com", "two.example.com", "three.example.com"].map((name) => asObject(hook({ name })));
    await rig.call("POST", validating, { metadata: { name: "several" }, webhooks });
    const { body } = await rig.call("POST", maps, { metadata: { name: "a" } });
    assert.equal(body["message"], 'admission webhook "one.example.com" denied the request: no to "CREATE"');
  });

  test("[WH23] the review names the user who writes", async () => {
    const users: unknown[] = [];
    await using rig = await startAdmissionRig(
      inProcess((request) => {
        users.push(request["userInfo"]);
        return { allowed: true };
      }),
    );
    await rig.call("POST", validating, configuration("all"));
    const user = { username: "eve", uid: "7", groups: ["people"], extra: { "example.com/id": ["1"] } };
    const body = Buffer.from('{"metadata":{"name":"a"}}');
    await rig.server.transport(user)({ method: "POST", path: maps, headers: { "content-type": "application/json" }, body });
    assert.deepEqual(users, [user]);
  });

  test("[WH24] a webhook with side effects is not asked about what is not to happen", async () => {
    await using rig = await startAdmissionRig(inProcess(() => ({ allowed: true })));
    const stored = configuration("all");
    await rig.call("POST", validating, stored);
    // Such configurations are of an older version of the API, and may still be stored.
    const { storage } = rig.server.registry;
    const key = "/registry/validatingwebhookconfigurations/all";
    const entry = storage.get(key);
    const old = Buffer.from(entry?.bytes ?? [])
      .toString()
      .replace('"sideEffects":"None"', '"sideEffects":"Some"');
    await storage.put(key, entry?.modRevision ?? 0, () => Buffer.from(old));
    const dry = await rig.call("POST", `${maps}?dryRun=All`, { metadata: { name: "a" } });
    assert.deepEqual([dry.status, dry.body["message"]], [400, 'admission webhook "all.example.com" does not support dry run']);
    assert.equal((await rig.call("POST", maps, { metadata: { name: "a" } })).status, 201);
  });

  test("[WH25] what webhooks note for the audit is in the record of the request", async () => {
    await using rig = await startAdmissionRig(
      inProcess((request) => (request["operation"] === "CREATE" ? { allowed: true, auditAnnotations: { note: "seen" } } : { allowed: 1 })),
    );
    await rig.call("POST", mutating, configuration("all", { failurePolicy: "Ignore" }));
    await rig.call("POST", maps, { metadata: { name: "a" } });
    await rig.call("PATCH", `${maps}/a`, { data: { a: "b" } });
    const [created, patched] = rig.records.slice(-2).map(({ annotations }) => Object.fromEntries(annotations));
    const mutation = { configuration: "all", webhook: "all.example.com", mutated: false };
    assert.deepEqual(created, {
      "all.example.com/note": "seen",
      "mutation.webhook.admission.k8s.io/round_0_index_0": stringifyJson(mutation),
    });
    assert.equal(patched?.["failed-open.mutation.webhook.admission.k8s.io/round_0_index_0"], "all.example.com");
  });

  test("[WH13] a webhook is asked about what meets its match conditions", async () => {
    await using rig = await startAdmissionRig(inProcess(() => ({ allowed: false })));
    const matchConditions = [
      { name: "meant", expression: "object.metadata.name != 'other' && request.operation == 'CREATE'" },
      { name: "labelled", expression: "object.metadata.name == 'meant' || object.metadata.labels.size() > 0" },
      { name: "allowed", expression: "authorizer.requestResource.check('create').allowed()" },
    ];
    await rig.call("POST", validating, configuration("all", { matchConditions }));
    const answers = await Promise.all(["meant", "other", "broken"].map((name) => rig.call("POST", maps, { metadata: { name } })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 201, 403],
    );
    assert.match(
      stringifyJson(answers[2]?.body["message"] ?? ""),
      /^"configmaps \\"broken\\" is forbidden: expression '.*' resulted in error: no such key: labels"$/,
    );
  });

  test("[WH26] owners of fields that make no sense after admission are as they were before", async () => {
    const broken = { op: "add", path: "/metadata/managedFields", value: [{ manager: "x", operation: "Nonsense", apiVersion: "v1" }] };
    await using rig = await startAdmissionRig(inProcess(() => patch(broken)));
    await rig.call("POST", mutating, configuration("all"));
    const { body, warnings } = await rig.call("POST", maps, { metadata: { name: "a" }, data: { a: "b" } });
    assert.match(warnings.join(), /managedFields was in an invalid state after admission/);
    assert.match(stringifyJson(asObject(body["metadata"])["managedFields"]), /"manager":"test","operation":"Update"/);
  });
});

const rule = { operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

function hook(more: JsonObject = {}): JsonObject {
  return {
    name: "all.example.com",
    clientConfig: { service: { name: "hooks", namespace: "default" } },
    rules: [rule],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    ...more,
  };
}

function configuration(name: string, more: JsonObject = {}): JsonObject {
  return { metadata: { name }, webhooks: [hook(more)] };
}

function patch(operation: JsonObject): JsonObject {
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(stringifyJson([operation])).toString("base64") };
}

function inProcess(answer: Parameters<typeof admissionWebhook>[0]): {
  readonly webhooks: { readonly inProcess: ReadonlyMap<string, Transport> };
} {
  return { webhooks: { inProcess: new Map([[origin, admissionWebhook(answer)]]) } };
}

/** A webhook on a port of the loopback address, with a certificate of its own authority. */
async function serve(webhook: Transport): Promise<{ readonly listener: Listener; readonly caBundle: string }> {
  const options = { clock: systemClock, random: seededRandom(1) };
  const authority = createAuthority("webhooks", options);
  const serving = issueServing(authority, ["127.0.0.1"], options);
  const handle = async (request: ServerRequest): Promise<ApiResponse> => webhook(request);
  return {
    listener: await listen({ handle }, { tls: serving, clock: systemClock }),
    caBundle: Buffer.from(authority.cert).toString("base64"),
  };
}
