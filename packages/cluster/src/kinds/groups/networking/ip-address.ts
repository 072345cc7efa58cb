import { dns1123SubdomainErrors, FieldPath, invalidValue, pathSegmentErrors, required, withGroup } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { invalidFor, isUnchanged, requiredText } from "../../field-rules.ts";
import { canonicalIpErrors } from "../../ip-range.ts";
import { internalForm } from "../../internal-form.ts";
import { objectField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { nameColumn } from "../../name-and-age.ts";

/** `IPAddress`: an address that is taken, and by whom. Its name is the address. */
export const ipAddress: KindDetails = {
  strategy: {
    validateName: nameProblems,
    validateCreate: validateParent,
    validateUpdate: (object, old) => [...validateParent(object), ...validateSameParent(object, old)],
  },
  columns: [nameColumn, { name: "ParentRef", type: "string", description: "who has taken it", cell: parentCell }],
};

/** The sentences about a name, without the name. */
function nameProblems(name: string): readonly string[] {
  return canonicalIpErrors(FieldPath.root, name).map(({ body }) => body.replace(`Invalid value: ${JSON.stringify(name)}: `, ""));
}

function validateParent(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec", "parentRef");
  const parent = optionalObject(objectField(object, "spec"), "parentRef");
  if (parent === undefined) return [required(path)];
  const [group, namespace] = [stringField(parent, "group"), stringField(parent, "namespace")];
  return [
    ...(group === "" ? [] : invalidFor(path.child("group"), group, dns1123SubdomainErrors(group))),
    ...requiredText(parent, "resource", path, pathSegmentErrors),
    ...requiredText(parent, "name", path, pathSegmentErrors),
    ...(namespace === "" ? [] : invalidFor(path.child("namespace"), namespace, pathSegmentErrors(namespace))),
  ];
}

function validateSameParent(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  if (isUnchanged(spec, objectField(old, "spec"), "parentRef")) return [];
  const parent = optionalObject(spec, "parentRef");
  const shown = parent === undefined ? null : internalForm("networking.v1.ParentReference", parent);
  return [invalidValue(FieldPath.of("spec", "parentRef"), shown, "field is immutable")];
}

function parentCell(object: DynamicObject): string {
  const parent = optionalObject(objectField(object, "spec"), "parentRef");
  if (parent === undefined) return "<none>";
  const [group, resource, namespace] = [stringField(parent, "group"), stringField(parent, "resource"), stringField(parent, "namespace")];
  const kind = withGroup(resource, group).toLowerCase();
  return [kind, ...(namespace === "" ? [] : [namespace]), stringField(parent, "name")].join("/");
}
