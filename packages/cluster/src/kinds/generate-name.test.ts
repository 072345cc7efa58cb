import assert from "node:assert/strict";
import { test } from "node:test";
import { stringField } from "./json-fields.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";

/** As many objects as there are ways in which metadata is looked at on a change. */
const kinds = [
  { path: "/api/v1/namespaces/default/configmaps", body: {}, messages: ["a lowercase RFC 1123 subdomain", "may not contain '/'"] },
  { path: "/api/v1/namespaces", body: {}, messages: ["a lowercase RFC 1123 label", "may not contain '/'"] },
  {
    path: "/apis/networking.k8s.io/v1/ingressclasses",
    body: { spec: { controller: "example.com/a" } },
    messages: ["a lowercase RFC 1123 subdomain", "may not contain '/'"],
  },
  { path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", body: { rules: [] }, messages: ["may not contain '/'"] },
  { path: "/api/v1/namespaces/default/services", body: { spec: { ports: [{ port: 80 }] } }, messages: ["may not contain '/'"] },
] as const;

test("[META1] what a name cannot begin with is refused on a change by the kinds that look at the name again", async () => {
  await using rig = await startAdmissionRig();
  for (const { path, body, messages } of kinds) {
    await rig.call("POST", path, { metadata: { name: "a" }, ...body });
    const { body: answer } = await rig.call("PATCH", `${path}/a`, { metadata: { generateName: "a/b" } });
    assert.equal(answer["reason"], "Invalid", path);
    const said = stringField(answer, "message");
    for (const message of messages) {
      assert.ok(said.includes(`metadata.generateName: Invalid value: "a/b": ${message}`), `${path} ${message}`);
    }
  }
  const { status } = await rig.call("PATCH", "/api/v1/namespaces/default/services/a", { metadata: { generateName: "UPPER-" } });
  assert.equal(status, 200);
});
