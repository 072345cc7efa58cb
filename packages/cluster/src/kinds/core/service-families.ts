import { FieldPath, invalid, invalidValue, structuralEqual } from "@kaji/core";
import type { FieldError, JsonObject } from "@kaji/core";
import { withField } from "../field-defaults.ts";
import { parseIp } from "../ip-address.ts";
import { field, has, objectField, stringField, stringsField } from "../json-fields.ts";
import { needsClusterIp } from "./service-fields.ts";
import { validateClusterIps } from "./service-validation.ts";

const specPath = FieldPath.of("spec");
const policyPath = specPath.child("ipFamilyPolicy");

/** Fills in of which family a service's addresses are. This cluster has addresses of IPv4 alone. */
export function withIpFamilies(given: JsonObject, old: JsonObject | undefined, name: string): JsonObject {
  if (!needsClusterIp(given) || keepsPreference(given, old)) return given;
  let spec = withPolicy(given, old);
  refuse(name, validateClusterIps(spec, old));
  const policy = stringField(spec, "ipFamilyPolicy");
  if (old !== undefined && policy === "SingleStack") spec = withFirstOnly(spec, old);
  refuse(name, [...(old === undefined ? [] : reductionErrors(spec, old)), ...singleStackErrors(spec), ...inferenceErrors(spec)]);
  const families = [...stringsField(spec, "ipFamilies"), ...inferred(spec).slice(stringsField(spec, "ipFamilies").length)];
  const isUnbound = stringField(spec, "clusterIP") === "None" && Object.keys(objectField(spec, "selector")).length === 0;
  if (isUnbound) return withField(spec, "ipFamilies", bothUnlessSingle(families, policy));
  refuse(name, configurationErrors(families, policy));
  return withField(spec, "ipFamilies", families.length === 0 ? ["IPv4"] : families);
}

/** A service that prefers two families and does not touch them is left alone, though the cluster may have changed. */
function keepsPreference(spec: JsonObject, old: JsonObject | undefined): boolean {
  if (old === undefined || !needsClusterIp(old)) return false;
  const isPreferred = [spec, old].every((each) => stringField(each, "ipFamilyPolicy") === "PreferDualStack");
  return isPreferred && ["clusterIPs", "ipFamilies"].every((name) => structuralEqual(field(spec, name), field(old, name)));
}

function withPolicy(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  if (has(spec, "ipFamilyPolicy")) return spec;
  const before = field(old, "ipFamilyPolicy");
  if (before !== undefined) return { ...spec, ipFamilyPolicy: before };
  const isUnbound = stringField(spec, "clusterIP") === "None" && Object.keys(objectField(spec, "selector")).length === 0;
  return { ...spec, ipFamilyPolicy: isUnbound ? "RequireDualStack" : "SingleStack" };
}

function withFirstOnly(spec: JsonObject, old: JsonObject): JsonObject {
  let result = spec;
  for (const name of ["clusterIPs", "ipFamilies"]) {
    const values = stringsField(spec, name);
    if (values.length > 1 && structuralEqual(field(spec, name), field(old, name))) result = withField(result, name, values.slice(0, 1));
  }
  return result;
}

function reductionErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (stringField(spec, "ipFamilyPolicy") === "SingleStack") return [];
  const isReduced = (name: string): boolean => {
    const [now, before] = [stringsField(spec, name), stringsField(old, name)];
    return now.length === 1 && before.length === 2 && now[0] === before[0];
  };
  return [
    ...(isReduced("clusterIPs") ? [policyError(spec, "must be 'SingleStack' to release the secondary cluster IP")] : []),
    ...(isReduced("ipFamilies") ? [policyError(spec, "must be 'SingleStack' to release the secondary IP family")] : []),
  ];
}

function singleStackErrors(spec: JsonObject): readonly FieldError[] {
  if (stringField(spec, "ipFamilyPolicy") !== "SingleStack") return [];
  const rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...(stringsField(spec, "clusterIPs").length === 2 ? [policyError(spec, `${rule} cluster IPs are specified`)] : []),
    ...(stringsField(spec, "ipFamilies").length === 2 ? [policyError(spec, `${rule} IP families are specified`)] : []),
  ];
}

function inferred(spec: JsonObject): readonly string[] {
  const ips = stringsField(spec, "clusterIPs");
  return ips[0] === "None" ? [] : ips.map((ip) => parseIp(ip)?.family ?? "IPv4");
}

function inferenceErrors(spec: JsonObject): readonly FieldError[] {
  const given = stringsField(spec, "ipFamilies").length;
  const ips = stringsField(spec, "clusterIPs");
  return inferred(spec).flatMap((family, index) => {
    if (index < given || family === "IPv4") return [];
    return [invalidValue(specPath.child("clusterIPs").index(index), ips, `${family} is not configured on this cluster`)];
  });
}

function bothUnlessSingle(families: readonly string[], policy: string): readonly string[] {
  const [first = "IPv4", ...others] = families;
  if (others.length > 0 || policy === "SingleStack") return [first, ...others];
  return [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

function configurationErrors(families: readonly string[], policy: string): readonly FieldError[] {
  return [
    ...(policy === "RequireDualStack" ? [invalidValue(policyPath, policy, "this cluster is not configured for dual-stack services")] : []),
    ...families.flatMap((family, index) =>
      family === "IPv4" ? [] : [invalidValue(specPath.child("ipFamilies").index(index), family, "not configured on this cluster")],
    ),
  ];
}

function policyError(spec: JsonObject, rule: string): FieldError {
  return invalidValue(policyPath, stringField(spec, "ipFamilyPolicy"), rule);
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: "", kind: "Service" }, name, errors);
}
