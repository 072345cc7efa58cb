import type { KubeClient } from "@kaji/client";
import type { Draft } from "@kaji/core";
import { ValidatingAdmissionPolicy } from "@kaji/types/admissionregistration/v1";
import type { NamedRuleWithOperations, ValidatingAdmissionPolicySpec } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";

/** Policies by name, with types that are right, wrong or not known. */
const checkedPolicies: Readonly<Record<string, ValidatingAdmissionPolicySpec>> = {
  "right-types": about("apps", "deployments", ["object.spec.replicas > 1"]),
  "wrong-types": about("apps", "deployments", ["object.spec.replicas > '1'"], "'got ' + object.spec.replicas"),
  "unknown-field": about("", "pods", ["object.spec.nodes == 'a'", "oldObject.spec.nodeName == 'a'"]),
  "two-kinds": {
    ...about("apps", "deployments", ["object.spec.serviceName == 'a'", "object.spec.template.spec.containers.all(c, c.image > 1)"]),
    matchConstraints: { resourceRules: [rule(["apps"], ["v1"], ["statefulsets", "deployments", "deployments/scale"])] },
  },
  "any-kind": {
    ...about("apps", "deployments", ["object.spec.replicas > '1'"]),
    matchConstraints: { resourceRules: [rule(["*"], ["v1"], ["deployments"])] },
  },
  "core-group": about("", "events", ["object.nothing == 1"]),
  "int-or-string": about("apps", "deployments", ["object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.paused == 'yes'"]),
  quantities: about("", "pods", ["object.spec.containers.all(c, c.resources.limits['cpu'] == '1')"]),
  metadata: about("", "configmaps", [
    "object.metadata.labels['a'] == 1",
    "object.metadata.creationTimestamp > 'today'",
    "object.data.a == 'b' && object.binaryData.c == b'd'",
  ]),
  variables: {
    ...about("apps", "deployments", ["variables.replicas > 'a'", "variables.template.spec.nothing == 1", "variables.gone == 1"]),
    variables: [
      { name: "replicas", expression: "object.spec.replicas" },
      { name: "template", expression: "object.spec.template" },
      { name: "gone", expression: "object.nothing" },
    ],
  },
  params: {
    ...about("apps", "deployments", ["params.data.most == 1", "params.spec == 2"]),
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
  },
  "params-unknown": {
    ...about("apps", "deployments", ["params.spec.most == 1"]),
    paramKind: { apiVersion: "example.com/v1", kind: "Nothing" },
  },
  custom: about("checked.kaji.dev", "lamps", [
    "object.spec.brightness > '1'",
    "object.spec.colour == 1",
    "object.spec.off == 1",
    "object.spec.free.x == 1",
  ]),
  others: about("apps", "deployments", [
    "namespaceObject.metadata.name == object.spec.replicas",
    "request.userInfo.username == object.spec.replicas",
    "authorizer.group('').resource('pods').check('get').allowed()",
    "authorizer.requestResource.check('get').allowed()",
    "oldObject == null || object.spec == oldObject.spec",
  ]),
  "recursive-kind": about("apiextensions.k8s.io", "customresourcedefinitions", [
    "object.spec.versions.all(v, v.schema.openAPIV3Schema.properties.all(p, true))",
  ]),
};

/** A custom kind that some of them are about. */
const lampDefinition: Draft<CustomResourceDefinition> = {
  metadata: { name: "lamps.checked.kaji.dev" },
  spec: {
    group: "checked.kaji.dev",
    scope: "Namespaced",
    names: { plural: "lamps", singular: "lamp", kind: "Lamp", listKind: "LampList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  brightness: { type: "integer" },
                  off: { type: "boolean" },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Makes all of them, once the server publishes what they are about. */
export async function createPolicies(client: KubeClient, settle: () => Promise<void>): Promise<void> {
  await client.create(CustomResourceDefinition, lampDefinition);
  await settle();
  for (const [name, spec] of Object.entries(checkedPolicies)) await client.create(ValidatingAdmissionPolicy, { metadata: { name }, spec });
}

/** Changes one of them so that nothing is doubtful any more. */
export async function repairPolicy(client: KubeClient): Promise<void> {
  await client.mergePatch(ValidatingAdmissionPolicy, "wrong-types", {
    spec: { validations: [{ expression: "object.spec.replicas > 1" }] },
  });
}

/** The statuses that they have come to, by name. */
export async function statuses(client: KubeClient): Promise<Readonly<Record<string, unknown>>> {
  const { items } = await client.list(ValidatingAdmissionPolicy);
  const known = items.filter(({ metadata }) => Object.hasOwn(checkedPolicies, metadata.name));
  return Object.fromEntries(known.map(({ metadata, status }) => [metadata.name, status ?? null]));
}

function about(group: string, resource: string, expressions: readonly string[], messageExpression?: string): ValidatingAdmissionPolicySpec {
  return {
    matchConstraints: { resourceRules: [rule([group], ["v1"], [resource])] },
    validations: expressions.map((expression) => ({ expression, ...(messageExpression === undefined ? {} : { messageExpression }) })),
  };
}

function rule(apiGroups: readonly string[], apiVersions: readonly string[], resources: readonly string[]): NamedRuleWithOperations {
  return { operations: ["CREATE"], apiGroups, apiVersions, resources };
}
