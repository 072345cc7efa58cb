import { FieldPath, dns1123SubdomainErrors, duplicate, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, LabelSelector } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapPart } from "../../field-defaults.ts";
import { requiredText } from "../../field-rules.ts";
import { objectField, optionalObject, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { selectorField } from "../../selector-rules.ts";
import { defaultMatch, validateMatch, validateMutatingOperations, validateParamRef } from "./policy-match.ts";
import { staticNameWarnings } from "./static-name.ts";

const path = FieldPath.of("spec");
const actions = ["Audit", "Deny", "Warn"];

/** `ValidatingAdmissionPolicyBinding`: where a validating policy holds, and what happens when it is broken. */
export const validatingAdmissionPolicyBinding: KindDetails = binding((spec) =>
  validateActions(stringsField(spec, "validationActions"), path.child("validationActions")),
);

/** `MutatingAdmissionPolicyBinding`: where a mutating policy holds. */
export const mutatingAdmissionPolicyBinding: KindDetails = binding((spec) => validateMutatingOperations(spec, "matchResources", path));

function binding(validateRest: (spec: JsonObject) => readonly FieldError[]): KindDetails {
  const validate = (object: DynamicObject): readonly FieldError[] => {
    const spec = objectField(object, "spec");
    return [
      ...requiredText(spec, "policyName", path, dns1123SubdomainErrors),
      ...validateParamRef(spec, path),
      ...validateMatch(spec, "matchResources", path),
      ...validateRest(spec),
    ];
  };
  return {
    strategy: {
      generationOf: "spec",
      unconditionalUpdate: false,
      validateName: subdomainName,
      default: (object) => mapPart(object, "spec", (spec) => defaultMatch(spec, "matchResources")),
      validateCreate: validate,
      validateUpdate: validate,
      warnings: staticNameWarnings,
    },
    columns: [
      nameColumn,
      {
        name: "PolicyName",
        type: "string",
        description: "the policy",
        cell: (object) => stringField(objectField(object, "spec"), "policyName"),
      },
      { name: "ParamRef", type: "string", description: "where its parameters are", cell: paramRefCell },
      ageColumn,
    ],
  };
}

function validateActions(given: readonly string[], at: FieldPath): readonly FieldError[] {
  const ofEach = given.flatMap((action, index) => [
    ...(actions.includes(action) ? [] : [notEnumerated(at.index(index), action, actions)]),
    ...(given.indexOf(action) < index ? [duplicate(at.index(index), action)] : []),
  ]);
  const rule =
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
  return [
    ...ofEach,
    ...(given.includes("Deny") && given.includes("Warn") ? [invalidValue(at, given, rule)] : []),
    ...(given.length === 0 ? [required(at, "at least one validation action is required")] : []),
  ];
}

function paramRefCell(object: DynamicObject): string {
  const reference = optionalObject(objectField(object, "spec"), "paramRef");
  if (reference === undefined) return "<unset>";
  const selector = selectorField(reference, "selector");
  const name = stringField(reference, "name");
  if (name !== "") return `${stringField(reference, "namespace") || "*"}/${name}`;
  return selector === undefined ? "<unset>" : goText(selector);
}

/** A selector as Go prints the struct. */
function goText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
