import { FieldPath, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { immutable } from "../../field-rules.ts";
import { canonicalRangeErrors, parseRange } from "../../ip-range.ts";
import { internalForm } from "../../internal-form.ts";
import { objectField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { statusAlone } from "../../status-strategy.ts";

const path = FieldPath.of("spec", "cidrs");

/** `ServiceCIDR`: from which addresses services get theirs. */
export const serviceCidr: KindDetails = {
  strategy: { validateName: subdomainName, validateCreate: validateCidrs, validateUpdate: validateGrowth },
  status: statusAlone,
  columns: [
    nameColumn,
    { name: "CIDRs", type: "string", description: "the ranges", cell: (object) => cidrsOf(object).join(",") },
    ageColumn,
  ],
};

function validateCidrs(object: DynamicObject): readonly FieldError[] {
  const cidrs = cidrsOf(object);
  if (cidrs.length === 0) return [required(path, "at least one CIDR required")];
  if (cidrs.length > 2)
    return [invalidValue(path, internalForm("networking.v1.ServiceCIDRSpec", objectField(object, "spec")), "may only hold up to 2 values")];
  const errors = cidrs.flatMap((cidr, index) => canonicalRangeErrors(path.index(index), cidr));
  const [first, second] = cidrs.map((cidr) => parseRange(cidr)?.address.family);
  if (first === undefined || first !== second) return errors;
  return [...errors, invalidValue(path, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64")];
}

/** A range of the other family may be added, and nothing else may change. */
function validateGrowth(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [next, before] = [cidrsOf(object), cidrsOf(old)];
  const isGrowth = before.length === 1 && next.length === 2;
  if (!isGrowth && next.length !== before.length)
    return immutable(objectField(object, "spec"), objectField(old, "spec"), ["cidrs"], FieldPath.of("spec"));
  const changed = before.flatMap((cidr, index) =>
    cidr === next[index] ? [] : [invalidValue(path.index(index), next[index], "field is immutable")],
  );
  return isGrowth ? [...changed, ...validateCidrs(object)] : changed;
}

function cidrsOf(object: DynamicObject): readonly string[] {
  return stringsField(objectField(object, "spec"), "cidrs");
}
