import { FieldPath, forbiddenField } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { mapFields, withPresence } from "../../field-defaults.ts";
import { forbidChange, immutable, oneOf } from "../../field-rules.ts";
import { booleanField, numberField, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";

const highestUserPriority = 1_000_000_000;
const systemPrefix = "system-";
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** `PriorityClass`: how important a pod is, by name. */
export const priorityClass: KindDetails = {
  strategy: {
    // It has no `spec`, and so never a second generation.
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapFields(object, (fields) => withPresence(fields, { preemptionPolicy: "PreemptLowerPriority" })),
    validateCreate: validatePriorityClass,
    validateUpdate: (object, old) => [
      ...forbidChange(object, old, FieldPath.root, "value", "may not be changed in an update."),
      ...immutable(object, old, ["preemptionPolicy"], FieldPath.root),
    ],
  },
  columns: [
    nameColumn,
    { name: "Value", type: "integer", description: "the priority itself", cell: (object) => numberField(object, "value") ?? 0 },
    {
      name: "Global-Default",
      type: "boolean",
      description: "whether pods without a class get it",
      cell: (object) => booleanField(object, "globalDefault"),
    },
    ageColumn,
    {
      name: "PreemptionPolicy",
      type: "string",
      description: "whether it displaces other pods",
      cell: (object) => stringField(object, "preemptionPolicy"),
    },
  ],
};

function validatePriorityClass(object: DynamicObject): readonly FieldError[] {
  const { name } = object.metadata;
  const errors: FieldError[] = [];
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(object);
    if (problem !== undefined) {
      const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbiddenField(FieldPath.of("metadata", "name"), why));
    }
  } else if ((numberField(object, "value") ?? 0) > highestUserPriority) {
    errors.push(forbiddenField(FieldPath.of("value"), `maximum allowed value of a user defined priority is ${highestUserPriority}`));
  }
  return [
    ...errors,
    ...oneOf(stringField(object, "preemptionPolicy"), ["PreemptLowerPriority", "Never"], FieldPath.of("preemptionPolicy")),
  ];
}

function systemClassProblem(object: DynamicObject): string | undefined {
  const { name } = object.metadata;
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (numberField(object, "value") !== value) return `value of ${name} PriorityClass must be ${value}`;
  return booleanField(object, "globalDefault") ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
