import { FieldPath, dns1123SubdomainErrors, invalidValue, notSupported, pathSegmentErrors, required, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import type { Column } from "@kaji/apiserver";
import { mapFields, mapItems, mapPart, withDefaults } from "../../field-defaults.ts";
import { eachItem, invalidFor, requiredText } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { objectField, objectsField, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";

const rbacGroup = "rbac.authorization.k8s.io";

/** `RoleBinding`: who has a role in a namespace. */
export const roleBinding: KindDetails = binding("Namespaced", ["Role", "ClusterRole"]);

/** `ClusterRoleBinding`: who has a role everywhere. */
export const clusterRoleBinding: KindDetails = binding("Cluster", ["ClusterRole"]);

function binding(scope: "Cluster" | "Namespaced", roleKinds: readonly string[]): KindDetails {
  const validate = (object: DynamicObject): readonly FieldError[] => validateBinding(object, scope, roleKinds);
  return {
    strategy: {
      createOnUpdate: true,
      validateName: pathSegmentErrors,
      default: withGroups,
      validateCreate: validate,
      validateUpdate: (object, old) => [...validate(object), ...validateSameRole(object, old)],
    },
    columns: [
      nameColumn,
      { name: "Role", type: "string", description: "the role that is given", cell: roleCell },
      ageColumn,
      subjectsColumn("Users", "User", ({ name }) => name),
      subjectsColumn("Groups", "Group", ({ name }) => name),
      subjectsColumn("ServiceAccounts", "ServiceAccount", ({ name, namespace }) => `${namespace}/${name}`),
    ],
  };
}

function withGroups(object: DynamicObject): DynamicObject {
  const ofRole = mapPart(object, "roleRef", (roleRef) => withDefaults(roleRef, { apiGroup: rbacGroup }));
  return mapFields(ofRole, (fields) =>
    mapItems(fields, "subjects", (subject) => {
      const isPerson = ["User", "Group"].includes(stringField(subject, "kind"));
      return isPerson ? withDefaults(subject, { apiGroup: rbacGroup }) : subject;
    }),
  );
}

function validateBinding(object: DynamicObject, scope: "Cluster" | "Namespaced", roleKinds: readonly string[]): readonly FieldError[] {
  const path = FieldPath.of("roleRef");
  const roleRef = objectField(object, "roleRef");
  const [group, kind] = [stringField(roleRef, "apiGroup"), stringField(roleRef, "kind")];
  return [
    ...(group === rbacGroup ? [] : [notSupported(path.child("apiGroup"), group, [rbacGroup])]),
    ...(roleKinds.includes(kind) ? [] : [notSupported(path.child("kind"), kind, roleKinds)]),
    ...requiredText(roleRef, "name", path, pathSegmentErrors),
    ...eachItem(objectsField(object, "subjects"), FieldPath.of("subjects"), (subject, at) => validateSubject(subject, at, scope)),
  ];
}

function validateSubject(subject: JsonObject, path: FieldPath, scope: "Cluster" | "Namespaced"): readonly FieldError[] {
  const [kind, name, group] = [stringField(subject, "kind"), stringField(subject, "name"), stringField(subject, "apiGroup")];
  const errors = name === "" ? [required(path.child("name"))] : [];
  if (kind === "ServiceAccount") {
    if (name !== "") errors.push(...invalidFor(path.child("name"), name, dns1123SubdomainErrors(name)));
    if (group !== "") errors.push(notSupported(path.child("apiGroup"), group, [""]));
    if (scope === "Cluster" && stringField(subject, "namespace") === "") errors.push(required(path.child("namespace")));
  } else if (kind === "User" || kind === "Group") {
    if (group !== rbacGroup) errors.push(notSupported(path.child("apiGroup"), group, [rbacGroup]));
  } else {
    errors.push(notSupported(path.child("kind"), kind, ["ServiceAccount", "User", "Group"]));
  }
  return errors;
}

function validateSameRole(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const roleRef = objectField(object, "roleRef");
  if (structuralEqual(roleRef, objectField(old, "roleRef"))) return [];
  return [invalidValue(FieldPath.of("roleRef"), internalForm("rbac.v1.RoleRef", roleRef), "cannot change roleRef")];
}

function roleCell(object: DynamicObject): string {
  const roleRef = objectField(object, "roleRef");
  return `${stringField(roleRef, "kind")}/${stringField(roleRef, "name")}`;
}

function subjectsColumn(
  name: string,
  kind: string,
  show: (subject: { readonly name: string; readonly namespace: string }) => string,
): Column {
  return {
    name,
    type: "string",
    priority: 1,
    description: "to whom it is given",
    cell: (object) =>
      objectsField(object, "subjects")
        .filter((subject) => stringField(subject, "kind") === kind)
        .map((subject) => show({ name: stringField(subject, "name"), namespace: stringField(subject, "namespace") }))
        .join(", "),
  };
}
