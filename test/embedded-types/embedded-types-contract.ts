import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { KubeClient } from "@kaji/client";
import { isReason, resource } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { eventually } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { schemaOf } from "@kaji/types/schemas";
import type { StructName } from "@kaji/types/schemas";
import { structTable } from "@kaji/types/tables";

/** A server, and a client of it that may do anything. */
export interface Subject extends AsyncDisposable {
  readonly client: KubeClient;
}

const Fleet = defineResource({
  group: "embedded.kaji.test",
  version: "v1",
  kind: "Fleet",
  spec: z.object({
    template: schemaOf("core.v1.PodTemplateSpec"),
    job: schemaOf("batch.v1.JobTemplateSpec").optional(),
    resources: schemaOf("core.v1.ResourceRequirements").optional(),
    affinity: schemaOf("core.v1.Affinity").optional(),
    env: z.array(schemaOf("core.v1.EnvVar")).optional(),
  }),
});

/** The same kind as a program sees it that may get it wrong. */
const UntypedFleet = resource<DynamicObject>({ group: Fleet.group, version: "v1", kind: "Fleet", plural: "fleets", scope: "Namespaced" });

const podSpec = {
  restartPolicy: "OnFailure",
  imagePullSecrets: [{ name: "registry" }],
  containers: [
    {
      name: "web",
      image: "nginx:1.29",
      ports: [{ containerPort: 80, protocol: "TCP" }],
      resources: { limits: { memory: "1.5Gi" }, requests: { cpu: "500m" } },
      livenessProbe: { httpGet: { path: "/", port: "http" } },
      env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    },
  ],
} as const;
const template = { metadata: { labels: { app: "web" }, annotations: { "example.com/a": "b" } }, spec: podSpec };

/** Built-in types as parts of a custom resource: what servers think of their schemas, and do by them. */
export function embeddedTypesContract(name: string, start: () => Promise<Subject>): void {
  describe(`built-in types in a custom resource on ${name}`, () => {
    let subject: Subject;
    before(async () => {
      subject = await start();
      await define(subject.client);
    });
    after(() => subject?.[Symbol.asyncDispose]());
    for (const [rule, check] of Object.entries(rules)) test(rule, () => check(subject.client));
    for (const [what, spec, message] of wrong) test(`${what} is refused`, () => assertRefused(subject.client, spec, message));
  });
}

const rules: Readonly<Record<string, (client: KubeClient) => Promise<void>>> = {
  "a definition with any of them is accepted, unless it contains itself": async (client) => {
    const refused: string[] = [];
    for (const struct of structTable.names()) {
      const part = embedded(struct);
      if (part === undefined) refused.push(struct);
      else await client.create(CustomResourceDefinition, definitionWith(part), { dryRun: true, fieldValidation: "Strict" });
    }
    assert.deepEqual(refused, selfContaining);
  },

  "a valid template is stored as it is written": async (client) => {
    const labelSelector = { matchLabels: { app: "web" } };
    const apart = [{ topologyKey: "kubernetes.io/hostname", labelSelector }];
    const spec = {
      template,
      job: { spec: { backoffLimit: 2, template } },
      resources: { requests: { cpu: "1", "example.com/gpu": "2" } },
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart } },
      env: [{ name: "A", value: "b" }],
    };
    const created = await client.create(Fleet, { metadata: metadata("whole"), spec }, { fieldValidation: "Strict" });
    assert.deepEqual(created.spec, spec);
  },

  "the protocol of a port, a key, is filled in": async (client) => {
    const containers = [{ name: "web", ports: [{ containerPort: 80 }] }];
    const { spec } = await client.create(Fleet, { metadata: metadata("ports"), spec: { template: { spec: { containers } } } });
    assert.deepEqual(spec.template.spec?.containers[0]?.ports, [{ containerPort: 80, protocol: "TCP" }]);
  },
};

const wrong: readonly (readonly [what: string, spec: JsonObject, message: RegExp])[] = [
  [
    "a misspelt field of a container",
    { template: { spec: { containers: [{ name: "web", imag: "nginx" }] } } },
    /unknown field "spec\.template\.spec\.containers\[0\]\.imag"/,
  ],
  ["a misspelt label", { template: { metadata: { label: {} } } }, /unknown field "spec\.template\.metadata\.label"/],
  ["a container without a name", { template: { spec: { containers: [{ image: "nginx" }] } } }, /containers\[0\]\.name: Required/],
  ["an amount that is none", { template: {}, resources: { limits: { cpu: "much" } } }, /spec\.resources\.limits\.cpu/],
  [
    "a container that is there twice",
    { template: { spec: { containers: [{ name: "web" }, { name: "web" }] } } },
    /spec\.template\.spec\.containers\[1\]: Duplicate/,
  ],
  ["a number for a text", { template: {}, env: [{ name: "A", value: 1 }] }, /spec\.env\[0\]\.value/],
];

const selfContaining = [
  "CustomResourceDefinition",
  "CustomResourceDefinitionList",
  "CustomResourceDefinitionSpec",
  "CustomResourceDefinitionVersion",
  "CustomResourceValidation",
  "JSONSchemaProps",
].map((name) => `apiextensions.v1.${name}`);

async function define(client: KubeClient): Promise<void> {
  await client.create(CustomResourceDefinition, Fleet.crd());
  await eventually("Fleets are served", () =>
    client.list(Fleet).catch((error: unknown) => {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }),
  );
}

async function assertRefused(client: KubeClient, spec: JsonObject, message: RegExp): Promise<void> {
  const creation = client.create(UntypedFleet, { metadata: metadata("wrong"), spec }, { fieldValidation: "Strict" });
  await assert.rejects(creation, (error) => {
    assert.ok(isReason(error, "Invalid") || isReason(error, "BadRequest"), String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** The table has structs of versions that have no types. */
function embedded(struct: string): z.ZodType | undefined {
  try {
    return schemaOf(struct as StructName);
  } catch (error) {
    assert.match(String(error), /JSONSchemaProps contains itself/);
    return undefined;
  }
}

function definitionWith(part: z.ZodType): ReturnType<(typeof Fleet)["crd"]> {
  return defineResource({ group: "embedded.kaji.test", version: "v1", kind: "Part", spec: z.object({ part }) }).crd();
}

function metadata(name: string): { readonly name: string; readonly namespace: string } {
  return { name, namespace: "default" };
}
