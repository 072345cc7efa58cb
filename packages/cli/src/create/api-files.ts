import type { KindNames } from "./kind-names.ts";
import type { ProjectKind, Scope } from "./project-kind.ts";

/** The files of a custom resource: its definition, its controller and a test of both. */
export function customApiFiles(names: KindNames, scope: Scope): ReadonlyMap<string, string> {
  const { file } = names;
  return new Map([
    [`src/${file}.ts`, resourceText(names, scope)],
    [`src/${file}-controller.ts`, controllerText(names, scope)],
    [`src/${file}.test.ts`, testText(names, scope)],
  ]);
}

/** The files of a custom resource that other kinds use: its definition and a test of it. */
export function resourceFiles(names: KindNames, scope: Scope): ReadonlyMap<string, string> {
  const { file } = names;
  return new Map([
    [`src/${file}.ts`, usedResourceText(names, scope)],
    [`src/${file}.test.ts`, usedResourceTestText(names)],
  ]);
}

/** The files of a controller for a kind of Kubernetes itself, and a test of it. */
export function builtInApiFiles(names: KindNames, module: string): ReadonlyMap<string, string> {
  return new Map([
    [`src/${names.file}-controller.ts`, watchedControllerText(names, module)],
    [`src/${names.file}.test.ts`, builtInTestText(names)],
  ]);
}

/** The files of a controller for a kind that the project has in a file already. What it can be tested with is known there. */
export function knownApiFiles(
  names: KindNames,
  { file, isExternal }: Pick<ProjectKind, "file" | "isExternal">,
): ReadonlyMap<string, string> {
  const text = isExternal ? watchedControllerText : seeingControllerText;
  return new Map([[`src/${names.file}-controller.ts`, text(names, `./${file}.ts`)]]);
}

function resourceText({ group, version, kind }: KindNames, scope: Scope): string {
  return `import { defineResource, k, z } from "kaji";

export const ${kind} = defineResource({
  group: "${group}",
  version: "${version}",
  kind: "${kind}",${scope === "Cluster" ? `\n  scope: "Cluster",` : ""}
  description: "Keeps a ConfigMap with a message.",
  spec: z.object({
    message: z.string().min(1).default("hello").describe("What the ConfigMap says."),
  }),
  status: z.object({ conditions: k.conditions() }),
  columns: { Message: "spec.message" },
});
`;
}

function usedResourceText({ group, version, kind }: KindNames, scope: Scope): string {
  return `import { defineResource, z } from "kaji";

/** Other kinds use it: a controller that \`watches: [${kind}]\` reads it from the cache, and runs when what it has read changes. */
export const ${kind} = defineResource({
  group: "${group}",
  version: "${version}",
  kind: "${kind}",${scope === "Cluster" ? `\n  scope: "Cluster",` : ""}
  description: "Has a message for those who refer to it.",
  spec: z.object({
    message: z.string().min(1).default("hello").describe("What it says."),
  }),
  columns: { Message: "spec.message" },
});
`;
}

function usedResourceTestText({ kind, file }: KindNames): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "@kaji/testing";
import { ${kind} } from "./${file}.ts";

test("a server takes the sample of a ${kind}", async () => {
  assert.deepEqual(await validate(${kind}, ${kind}.sample()), []);
});
`;
}

function controllerText({ kind, file, variable, isPrefixed }: KindNames, scope: Scope): string {
  const metadata =
    scope === "Cluster" ? `{ name: ${variable}.metadata.name, namespace: "default" }` : `{ name: ${variable}.metadata.name }`;
  return `import { defineController } from "kaji";
import { ConfigMap } from "kaji/core/v1";
import { ${kind} } from "./${file}.ts";

export const ${variable}Controller = defineController(${kind}, {${isPrefixed ? `\n  name: "${file}",` : ""}
  owns: [ConfigMap], // watches them and may write them; the operator's role follows
  async reconcile(${variable}, { apply, setStatus }) {
    await apply(ConfigMap, { metadata: ${metadata}, data: { message: ${variable}.spec.message } });
    await setStatus({ conditions: [{ type: "Ready", status: "True", reason: "Applied", message: "" }] });
  },
});
`;
}

function testText({ kind, file, variable }: KindNames, scope: Scope): string {
  const place = scope === "Cluster" ? "" : `, namespace: "default"`;
  const address = scope === "Cluster" ? "example" : "default/example";
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { explore, testCluster } from "@kaji/testing";
import { ConfigMap } from "kaji/core/v1";
import { operator } from "./operator.ts";
import { ${variable}Controller } from "./${file}-controller.ts";
import { ${kind} } from "./${file}.ts";

const ${variable} = { metadata: { name: "example"${place} }, spec: { message: "good morning" } };

test("a ${kind} has a ConfigMap with its message", async () => {
  await using cluster = await testCluster({ ...operator, controllers: [${variable}Controller] });
  await cluster.client.create(${kind}, ${variable});
  await cluster.settled();
  const { data } = await cluster.client.get(ConfigMap, "default/example");
  assert.deepEqual(data, { message: "good morning" });
  const { status } = await cluster.client.get(${kind}, "${address}");
  assert.equal(status?.conditions?.[0]?.status, "True");
  assert.deepEqual(cluster.errors, []);
});

test("what a ${kind} owned goes with it", async () => {
  await using cluster = await testCluster({ ...operator, controllers: [${variable}Controller] });
  await cluster.client.create(${kind}, ${variable});
  await cluster.settled();
  await cluster.client.delete(${kind}, "${address}");
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(ConfigMap, { namespace: "default", fieldSelector: "metadata.name=example" })).items, []);
});

test("whatever goes wrong on the way, a ${kind} is as it should be in the end", async () => {
  // Crashes, lost answers, late events, edits by others: each at every moment. Without a number of runs, all of them.
  await explore({ controllers: [${variable}Controller], runs: 20 }).expectNoViolations();
});
`;
}

/** A controller of a kind of others. */
function watchedControllerText(names: KindNames, module: string): string {
  return seeingControllerText(names, module, "\n  writesStatus: false, // it belongs to whoever makes something of them");
}

/** A controller that only looks at its objects: nothing is known of their fields. */
function seeingControllerText({ kind, variable }: KindNames, module: string, options = ""): string {
  return `import { defineController } from "kaji";
import { ${kind} } from "${module}";

export const ${variable}Controller = defineController(${kind}, {${options}
  reconcile(${variable}, { log }) {
    log.info({ generation: ${variable}.metadata.generation }, "seen");
  },
});
`;
}

function builtInTestText({ kind, file, variable }: KindNames): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { operator } from "./operator.ts";
import { ${variable}Controller } from "./${file}-controller.ts";

test("the controller of ${kind} objects may do what it does, and no more", async () => {
  await using cluster = await testCluster({ ...operator, controllers: [${variable}Controller] });
  await cluster.settled();
  assert.deepEqual(cluster.errors, []);
  assert.deepEqual(cluster.unusedGrants(), []);
});
`;
}
