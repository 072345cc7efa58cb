import { FieldPath, duplicate, forbiddenField, invalidValue, labelValueErrors } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { oneOf, qualifiedErrors } from "../field-rules.ts";
import { cidrErrors } from "../ip-range.ts";
import { field, objectField, objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import { metadataUpdateErrors } from "../metadata-validation.ts";
import { resourceList } from "./resource-list.ts";
import { resourceAmountErrors } from "./resource-name.ts";
import { taintEffects } from "./scheduling-validation.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
/** Taints are in `spec`, but the server looks for them elsewhere. */
const taintsPath = FieldPath.of("metadata", "taints");

/** What is wrong with a node. */
export function validateNode(node: DynamicObject): readonly FieldError[] {
  const [spec, status] = [objectField(node, "spec"), objectField(node, "status")];
  return [...taintErrors(spec), ...resourceErrors(status), ...featureErrors(status), ...podCidrErrors(spec)];
}

/** What is wrong with a changed node, or a changed status of one. */
export function validateNodeUpdate(node: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, status, oldSpec] = [objectField(node, "spec"), objectField(node, "status"), objectField(old, "spec")];
  return [
    ...metadataUpdateErrors(node, old),
    ...resourceErrors(status),
    ...featureErrors(status),
    ...addressErrors(status),
    ...changedCidrErrors(spec, oldSpec),
    ...changedProviderErrors(spec, oldSpec),
    ...taintErrors(spec),
    ...(stringField(spec, "externalID") === stringField(oldSpec, "externalID")
      ? []
      : [forbiddenField(specPath.child("externalID"), "may not be updated")]),
  ];
}

function taintErrors(spec: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsField(spec, "taints").flatMap((taint, index) => {
    const path = taintsPath.index(index);
    const [key, value, effect] = [stringField(taint, "key"), stringField(taint, "value"), stringField(taint, "effect")];
    const problems = labelValueErrors(value);
    const errors = [...qualifiedErrors(key, path.child("key"))];
    if (problems.length > 0) errors.push(invalidValue(path.child("value"), value, problems.join(";")));
    errors.push(...oneOf(effect, taintEffects, path.child("effect")));
    if (seen.has(`${key}:${effect}`)) {
      const again = duplicate(path, { Key: key, Value: value, Effect: effect, TimeAdded: field(taint, "timeAdded") ?? null });
      errors.push({ ...again, body: `${again.body}: taints must be unique by key and effect pair` });
    }
    seen.add(`${key}:${effect}`);
    return errors;
  });
}

function resourceErrors(status: JsonObject): readonly FieldError[] {
  return ["capacity", "allocatable"].flatMap((list) =>
    [...resourceList(optionalObject(status, list))].flatMap(([name, amount]) =>
      resourceAmountErrors(name, amount, statusPath.child(list, name)),
    ),
  );
}

const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

function featureErrors(status: JsonObject): readonly FieldError[] {
  const path = statusPath.child("declaredFeatures");
  const features = stringsField(status, "declaredFeatures");
  return features.flatMap((feature, index) => {
    const next = features[index + 1];
    const at = path.index(index + 1);
    const rule = `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
    return [
      ...(featureName.test(feature) ? [] : [invalidValue(path.index(index), feature, rule)]),
      ...(next === feature ? [duplicate(at, next)] : []),
      ...(next !== undefined && feature > next ? [invalidValue(at, next, "list must be sorted alphabetically")] : []),
    ];
  });
}

function podCidrErrors(spec: JsonObject): readonly FieldError[] {
  const path = specPath.child("podCIDRs");
  const cidrs = stringsField(spec, "podCIDRs");
  const errors = cidrs.flatMap((cidr, index) => cidrErrors(path.index(index), cidr));
  if (cidrs.length < 2) return errors;
  const families = new Set(cidrs.map((cidr) => cidr.includes(":")));
  const isDual = families.size === 2 && cidrs.length === 2;
  return isDual ? errors : [...errors, invalidValue(path, cidrs, "may specify no more than one CIDR for each IP family")];
}

function addressErrors(status: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsField(status, "addresses").flatMap((address, index) => {
    const [type, text] = [stringField(address, "type"), stringField(address, "address")];
    const isAgain = seen.has(`${type} ${text}`);
    seen.add(`${type} ${text}`);
    return isAgain ? [duplicate(statusPath.child("addresses").index(index), { Type: type, Address: text })] : [];
  });
}

function changedCidrErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [now, before] = [stringsField(spec, "podCIDRs"), stringsField(old, "podCIDRs")];
  const refused = forbiddenField(specPath.child("podCIDRs"), 'node updates may not change podCIDR except from "" to valid');
  if (before.length === 0) return [];
  if (now.length !== before.length) return [refused];
  return before.filter((cidr, index) => cidr !== now[index]).map(() => refused);
}

function changedProviderErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = stringField(old, "providerID");
  if (before === "" || before === stringField(spec, "providerID")) return [];
  return [forbiddenField(specPath.child("providerID"), 'node updates may not change providerID except from "" to valid')];
}
