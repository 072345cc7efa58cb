import type { EnvVar } from "@kaji/types/core/v1";

/** What the operator reads of its own accord, and only the manifests can know. */
const ownNames = ["POD_NAMESPACE", "KAJI_NAMESPACES"] as const;

/** What API servers take as the name of a variable, and shells too. */
const namePattern = "^[-._a-zA-Z][-._a-zA-Z0-9]*$";

/** The environment of the manager: where it runs, and what the operator declares. Throws for a name that is the manifests' own or is there twice, which a server-side apply would refuse. */
export function managerEnvironment(declared: readonly EnvVar[]): readonly EnvVar[] {
  const seen = new Set<string>();
  for (const { name } of declared) {
    if (!new RegExp(namePattern).test(name)) throw new TypeError(`env: ${JSON.stringify(name)} is not the name of a variable`);
    if (ownNames.some((own) => own === name)) throw new TypeError(`env: ${name} is set by the manifests themselves`);
    if (seen.has(name)) throw new TypeError(`env: ${name} is there twice`);
    seen.add(name);
  }
  return [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }, ...declared];
}

const keyReference = {
  type: "object",
  required: ["name", "key"],
  additionalProperties: false,
  properties: { name: { type: "string", minLength: 1 }, key: { type: "string", minLength: 1 }, optional: { type: "boolean" } },
};

/** The JSON schema of declared variables, for the values of a chart. */
export const environmentSchema: object = {
  type: "array",
  items: {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: {
      name: { type: "string", pattern: namePattern, not: { enum: ownNames } },
      value: { type: "string" },
      valueFrom: {
        type: "object",
        minProperties: 1,
        maxProperties: 1,
        properties: { secretKeyRef: keyReference, configMapKeyRef: keyReference },
      },
    },
    not: { required: ["value", "valueFrom"] },
  },
};
