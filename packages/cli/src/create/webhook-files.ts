import type { Scope } from "./project-kind.ts";
import type { KindNames } from "./kind-names.ts";

/** What a webhook does with objects before they are stored. */
export interface WebhookDuties {
  readonly defaulting: boolean;
  readonly validation: boolean;
}

/** Where the kind comes from. */
export interface WebhookSubject {
  readonly module: string;
  /** Undefined for kinds of Kubernetes or another operator. */
  readonly scope: Scope | undefined;
}

/** The file of a webhook, and where the kind is one of the project's own a test of it. */
export function webhookFiles(names: KindNames, subject: WebhookSubject, duties: WebhookDuties): ReadonlyMap<string, string> {
  const { file } = names;
  const files = new Map([[`src/${file}-webhook.ts`, webhookText(names, subject, duties)]]);
  if (subject.scope !== undefined) files.set(`src/${file}-webhook.test.ts`, testText(names, subject, duties));
  return files;
}

function webhookText({ kind, variable }: KindNames, { module, scope }: WebhookSubject, { defaulting, validation }: WebhookDuties): string {
  // Its objects are there without the operator, and those of the cluster itself must not wait for it.
  const spared = `  // While the operator is down nobody can write a ${kind}: say here where that must not be, or failurePolicy: "Ignore".
  namespaceSelector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system"] }] },
`;
  const defaults = `  default(${variable}) {
    ${variable}.metadata.labels = { "app.kubernetes.io/part-of": "${variable}", ...${variable}.metadata.labels };
  },
`;
  const validate = `  validate(${variable}) {
    const { name = "" } = ${variable}.metadata;
    if (name.startsWith("kube-")) return invalidValue(FieldPath.of("metadata", "name"), name, "names that begin with kube- are the cluster's own");
  },
`;
  return `import { ${validation ? "FieldPath, invalidValue, " : ""}webhook } from "kaji";
import { ${kind} } from "${module}";

export const ${variable}Webhook = webhook(${kind}, {
${scope === undefined ? spared : ""}${defaulting ? defaults : ""}${validation ? validate : ""}});
`;
}

function testText(
  { kind, variable, file }: KindNames,
  { module, scope }: WebhookSubject,
  { defaulting, validation }: WebhookDuties,
): string {
  const place = scope === "Cluster" ? "" : `, namespace: "default"`;
  const defaults = `
test("a ${kind} is labelled", async () => {
  await using cluster = await testCluster({ webhooks: [${variable}Webhook] });
  const ${variable} = await cluster.client.create(${kind}, { ...${kind}.sample(), metadata: { name: "example"${place} } });
  assert.equal(${variable}.metadata.labels?.["app.kubernetes.io/part-of"], "${variable}");
});
`;
  const validate = `
test("a ${kind} may not have a name of the cluster's own", async () => {
  await using cluster = await testCluster({ webhooks: [${variable}Webhook] });
  const ${variable} = { ...${kind}.sample(), metadata: { name: "kube-example"${place} } };
  await assert.rejects(cluster.client.create(${kind}, ${variable}), /names that begin with kube- are the cluster's own/);
});
`;
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { ${variable}Webhook } from "./${file}-webhook.ts";
import { ${kind} } from "${module}";
${defaulting ? defaults : ""}${validation ? validate : ""}`;
}
