import { FieldPath, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { FieldError, JsonObject } from "@kaji/core";
import { qualifiedErrors } from "../field-rules.ts";
import { field, has, stringField, stringsField } from "../json-fields.ts";
import { isHeadless, needsClusterIp, needsHealthCheck } from "./service-fields.ts";

const specPath = FieldPath.of("spec");

/** What may not change of a service: its first address and family, who balances its load, and the port for health checks. */
export function serviceChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  return [...ipErrors(spec, old), ...familyErrors(spec, old), ...classErrors(spec, old), ...healthCheckErrors(spec, old)];
}

function ipErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old) || (isHeadless(spec) && isHeadless(old))) return [];
  const [ips, before] = [stringsField(spec, "clusterIPs"), stringsField(old, "clusterIPs")];
  const path = specPath.child("clusterIPs");
  const changed = (index: number): FieldError => invalidValue(path.index(index), ips, "may not change once set");
  if (ips.length === before.length) return before.flatMap((ip, index) => (ip === ips[index] ? [] : [changed(index)]));
  const isFirstChanged = before.length > 0 && ips.length > 0 && ips[0] !== before[0];
  if (ips.length > before.length) return isFirstChanged ? [changed(0)] : [];
  const errors = ips.length === 0 ? [invalidValue(path.index(0), null, "primary clusterIP can not be unset")] : [];
  if (isFirstChanged) errors.push(changed(0));
  if (ips.length !== 1 || stringField(spec, "ipFamilyPolicy") === "SingleStack") return errors;
  return [...errors, policyError(spec, "must be set to 'SingleStack' when releasing the secondary clusterIP")];
}

function familyErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old) || isHeadless(spec) || isHeadless(old)) return [];
  const [families, before] = [stringsField(spec, "ipFamilies"), stringsField(old, "ipFamilies")];
  const path = specPath.child("ipFamilies").index(0);
  if (families.length === before.length) {
    return before.flatMap((family, index) => (family === families[index] ? [] : [invalidValue(path, families, "may not change once set")]));
  }
  const ips = stringsField(spec, "clusterIPs");
  const isFirstChanged = before.length > 0 && families.length > 0 && families[0] !== before[0];
  const errors = isFirstChanged ? [invalidValue(path, ips, "may not change once set")] : [];
  if (families.length > before.length) return errors;
  const unset = ips.length === 0 ? [invalidValue(path, families, "primary ipFamily can not be unset")] : [];
  const isReleased = families.length === 1 && stringField(spec, "ipFamilyPolicy") !== "SingleStack";
  const released = isReleased ? [policyError(spec, "must be set to 'SingleStack' when releasing the secondary ipFamily")] : [];
  return [...unset, ...errors, ...released];
}

function policyError(spec: JsonObject, rule: string): FieldError {
  return invalidValue(specPath.child("ipFamilyPolicy"), field(spec, "ipFamilyPolicy"), rule);
}

function classErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const path = specPath.child("loadBalancerClass");
  const isBalancer = stringField(spec, "type") === "LoadBalancer";
  const isKept = structuralEqual(field(spec, "loadBalancerClass"), field(old, "loadBalancerClass"));
  const errors: FieldError[] = [];
  if (isBalancer && stringField(old, "type") === "LoadBalancer" && !isKept) {
    errors.push(invalidValue(path, field(spec, "loadBalancerClass"), "may not change once set"));
  }
  if (!has(spec, "loadBalancerClass")) return errors;
  if (isBalancer) return [...errors, ...qualifiedErrors(stringField(spec, "loadBalancerClass"), path)];
  return [...errors, forbiddenField(path, "may only be used when `type` is 'LoadBalancer'")];
}

function healthCheckErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!needsHealthCheck(spec) || !needsHealthCheck(old)) return [];
  if (structuralEqual(field(spec, "healthCheckNodePort"), field(old, "healthCheckNodePort"))) return [];
  return [forbiddenField(specPath.child("healthCheckNodePort"), "field is immutable")];
}
