import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { isConditionTrue, resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace, ServiceAccount } from "@kaji/types/core/v1";
import { Event } from "@kaji/types/events/v1";
import { ClusterRole, Role } from "@kaji/types/rbac/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { barProject, emptyProject } from "../testing/test-project.ts";

test("what is not there is a problem with its remedy; what is deployed is well until another client changes it", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project);
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  const before = await ran(["doctor", ...target]);
  assert.equal(before.code, 1);
  assert.match(before.out, /^ok {7}Kubernetes: is v1\.36\.3\nok {7}you: may install the operator\n/);
  assert.match(before.out, /^problem {2}CustomResourceDefinition bars\.example\.com: is not there; kaji install puts it there$/m);
  assert.match(
    before.out,
    /^problem {2}service account bars-system\/bars: may not get,list,watch,create,patch,delete configmaps, .*; create,.* leases.* in bars-system; kaji deploy gives it its roles$/m,
  );
  assert.match(before.out, /^problem {2}Deployment bars-system\/bars: is not there; kaji deploy puts it there$/m);
  assert.match(before.err, /^kaji: \d+ problems among \d+ findings\n$/);

  assert.equal((await ran(["deploy", ...target])).code, 0);
  const after = await ran(["doctor", ...target]);
  assert.deepEqual([after.code, after.err, after.out.match(/^(problem|unknown).*/m)], [0, "", null]);

  await client.mergePatch(ClusterRole, "bars", { rules: [] });
  const changed = await ran(["doctor", ...target, "--output", "json"]);
  const findings: readonly { readonly state: string; readonly subject: string }[] = JSON.parse(changed.out);
  assert.deepEqual(
    findings.filter(({ state }) => state === "problem").map(({ subject }) => subject),
    ["ClusterRole bars", "service account bars-system/bars"],
  );

  const crd = await client.get(CustomResourceDefinition, "bars.example.com");
  await client.updateStatus(CustomResourceDefinition, { ...crd, status: { ...crd.status, storedVersions: ["v1alpha1", "v1"] } });
  assert.match(
    (await ran(["doctor", ...target])).out,
    /^problem {2}versions of Bar: there may be objects stored in v1alpha1, which .* would lose; keep that version in the definition until kaji migrate has written every object anew in another$/m,
  );
});

test("a verb that a Role in one namespace lacks is named with that namespace, and so are the fields that differ", async () => {
  using project = barProject();
  project.write("package.json", `{ "name": "bars", "type": "module", "kaji": { "deploy": { "namespaces": ["team-a", "team-b"] } } }`);
  await using cluster = await clusterFor(project);
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  for (const name of ["team-a", "team-b"]) await client.create(Namespace, { metadata: { name } });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  assert.equal((await ran(["deploy", ...target])).code, 0);
  const { rules = [] } = await client.get(Role, "team-a/bars");
  const lacking = rules.map((rule) => ({
    ...rule,
    verbs: rule.verbs.filter((verb) => verb !== "patch" || !rule.resources?.includes("configmaps")),
  }));
  await client.mergePatch(Role, "team-a/bars", { rules: lacking });
  const { out } = await ran(["doctor", ...target]);
  assert.match(
    out,
    /^problem {2}Role team-a\/bars: differs from what is declared in rules\[configmaps\]\.verbs; kaji deploy puts it there$/m,
  );
  assert.match(out, /^problem {2}service account bars-system\/bars: may not patch configmaps in team-a; kaji deploy gives it its roles$/m);
});

test("what the operator warns of is told with its object, and is no problem by itself", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project);
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  assert.equal((await ran(["deploy", ...target])).code, 0);
  assert.match((await ran(["doctor", ...target])).out, /^ok {7}warnings: bars has told none lately$/m);
  const warning = {
    type: "Warning",
    reason: "ReconcileFailed",
    action: "Reconcile",
    reportingInstance: "bars-0",
    regarding: { apiVersion: "example.com/v1", kind: "Bar", namespace: "default", name: "shop" },
    note: "the disk is full",
    eventTime: "2026-01-31T12:00:00.000000Z",
    series: { count: 3, lastObservedTime: "2026-01-31T12:05:00.000000Z" },
  };
  const metadata = { namespace: "default", name: "shop.1" };
  await client.create(Event, { ...warning, metadata, reportingController: "bars" });
  await client.create(Event, { ...warning, metadata: { ...metadata, name: "shop.2" }, reportingController: "others" });
  const gone = { ...warning.regarding, uid: "1" };
  await client.create(Event, { ...warning, regarding: gone, metadata: { ...metadata, name: "shop.3" }, reportingController: "bars" });
  const { code, out } = await ran(["doctor", ...target]);
  assert.equal(code, 0);
  assert.deepEqual(
    out.split("\n").filter((line) => line.includes("ReconcileFailed")),
    [
      "unknown  Bar default/shop: ReconcileFailed 3 times, at 2026-01-31T12:05:00.000000Z for the last time: the disk is full; kubectl describe shows whether it goes on",
    ],
  );
});

test("whoever may not look at something is told so, and what else there is", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { nodes: 0 });
  const config = readFileSync(cluster.kubeconfig, "utf8");
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  await client.create(ServiceAccount, { metadata: { name: "guest", namespace: "default" } });
  const { status } = await client.createToken({ namespace: "default", name: "guest" }, { audiences: [], expirationSeconds: 3600 });
  project.write(
    "guest",
    config.replaceAll(/^( *)client-(certificate|key)-data: .*$/gm, "").replace(/user:.*$/m, `user: { token: "${status?.token}" }`),
  );
  const { code, out } = await ran(["doctor", "--project", project.folder, "--kubeconfig", join(project.folder, "guest")]);
  assert.match(out, /^problem {2}you: may not write customresourcedefinitions/m);
  assert.match(
    out,
    /^unknown {2}definitions and roles: may not be looked at by you; .* is forbidden: User "system:serviceaccount:default:guest" cannot/m,
  );
  assert.match(out, /^unknown {2}the Deployment: may not be looked at by you; /m);
  assert.equal(code, 1);
});

test("objects that a definition no longer fits are a problem, and whoever installs the definition is warned", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { nodes: 0 });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  assert.deepEqual((await ran(["install", ...target])).err.match(/^warning.*/m), null);
  const Bar = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Bar", plural: "bars", scope: "Namespaced" });
  for (const name of ["a", "b"]) {
    await client.create(Bar, { apiVersion: "example.com/v1", kind: "Bar", metadata: { name, namespace: "default" }, spec: {} });
  }
  assert.match((await ran(["doctor", ...target])).out, /^ok {7}objects of Bar: fit the definition$/m);

  using changed = barProject();
  const source = readFileSync(join(project.folder, "src/operator.ts"), "utf8");
  changed.write("src/operator.ts", source.replace('text: z.string().default("hello")', "text: z.int32().max(3)"));
  const now = ["--project", changed.folder, "--kubeconfig", cluster.kubeconfig] as const;
  const text = /2 Bars do not fit the definition, such as default\/a: spec\.text: Invalid value: .*; change them, or let the definition/;
  assert.match((await ran(["install", ...now, "--dry-run"])).err, new RegExp(`^warning: ${text.source}`, "m"));
  assert.match((await ran(["doctor", ...now])).out, new RegExp(`^problem  objects of Bar: ${text.source}`, "m"));
});

test("a kind of others that the cluster does not serve is a problem before anything is deployed, with who needs it", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "name": "routes", "type": "module" }`);
  project.write("src/operator.ts", routeOperator);
  await using cluster = await clusterFor(project, { nodes: 0 });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  const { out } = await ran(["doctor", ...target]);
  const problems = out.split("\n").filter((line) => line.startsWith("problem  kind "));
  assert.deepEqual(problems, [
    "problem  kind Route.gateway.example.com: is not served in gateway.example.com/v1, and the operator does not start without it: it is mirrored by controller routes and the webhook of ConfigMap; install what defines it",
  ]);
  const names = { kind: "Route", plural: "routes" };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: "routes.gateway.example.com" },
    spec: { group: "gateway.example.com", scope: "Namespaced", names, versions: [version] },
  });
  await client.waitFor(CustomResourceDefinition, "routes.gateway.example.com", ({ status }) =>
    isConditionTrue(status?.conditions, "Established"),
  );
  assert.match((await ran(["doctor", ...target])).out, /^ok {7}kinds of others: are served$/m);
});

test("webhooks that the API server neither trusts nor reaches are problems", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await clusterFor(project, { nodes: 0 });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  await ran(["deploy", ...target, "--timeout", "0s"]);
  const { out } = await ran(["doctor", ...target]);
  assert.match(out, /^problem {2}Service bars-system\/bars-webhook: leads nowhere: writes of what the webhooks are about are refused; /m);
  assert.match(
    out,
    /^problem {2}ValidatingWebhookConfiguration bars: does not say whom to trust; the operator fills that in when it runs; see its log$/m,
  );
  assert.match(
    out,
    /^problem {2}Secret bars-system\/bars-webhook-certificates: is not there; it is made when the operator runs; see its log$/m,
  );
  assert.match(out, /^problem {2}webhooks of Bar: cannot be called: .*; see whether its Pods are ready/m);
});

test("webhooks of which the API server has not been told are not said to be called", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await clusterFor(project, { nodes: 0 });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  await ran(["deploy", ...target, "--timeout", "0s"]);
  await client.delete(ValidatingWebhookConfiguration, "bars");
  const { out } = await ran(["doctor", ...target]);
  assert.match(out, /^problem {2}ValidatingWebhookConfiguration bars: is not there; kaji deploy puts it there$/m);
  assert.doesNotMatch(out, /webhooks of Bar: are called/);
});

test("an authority that is no certificate is a problem of the webhooks that trust it, and what else there is is told", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await clusterFor(project, { nodes: 0 });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "another-client" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  await ran(["deploy", ...target, "--timeout", "0s"]);
  const { webhooks = [], ...configuration } = await client.get(ValidatingWebhookConfiguration, "bars");
  const caBundle = Buffer.from("\n").toString("base64");
  const spoilt = webhooks.map((webhook) => ({ ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } }));
  await client.update(ValidatingWebhookConfiguration, { ...configuration, webhooks: spoilt });
  const { out } = await ran(["doctor", ...target]);
  assert.match(out, /^problem {2}ValidatingWebhookConfiguration bars: trusts what is no certificate; see the log of the operator$/m);
  assert.match(out, /^problem {2}Service bars-system\/bars-webhook: leads nowhere/m);
  await client.mergePatch(ValidatingWebhookConfiguration, "bars", { webhooks: [] });
  const emptied = await ran(["doctor", ...target]);
  assert.match(emptied.out, /^problem {2}ValidatingWebhookConfiguration bars: has no webhooks in it; kaji deploy puts them there$/m);
});

/** An operator that looks after Routes, which others define; Gateways, too, where there are some. */
const routeOperator = `import { defineController, defineOperator, defineResource, watch, webhook, z } from "kaji";
import { ConfigMap } from "kaji/core/v1";

const { v1: Route } = defineResource({ group: "gateway.example.com", version: "v1", kind: "Route", spec: z.object({}) }).versions;
const { v1: Gateway } = defineResource({ group: "gateway.example.com", version: "v1", kind: "Gateway", spec: z.object({}) }).versions;

export const operator = defineOperator({
  name: "routes",
  controllers: [defineController(Route, { name: "routes", owns: [ConfigMap], watches: [watch(Gateway, { optional: true })], reconcile() {} })],
  webhooks: [webhook(ConfigMap, { watches: [Route], validate: () => undefined })],
});
`;
