import { Quantity, invalidValue, qualifiedNameErrors } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { qualifiedErrors } from "../field-rules.ts";
import { isHugePages, isPodLevelResource } from "./pod-resources.ts";

const containerResources = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Counted by whole objects. */
const objectCounts = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];

const quotaResources = new Set([
  ...containerResources,
  ...[...containerResources].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  "requests.storage",
  ...objectCounts,
]);

/** What is wrong with the name of a resource: one without a domain must be well known. */
export function resourceNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  const errors = qualifiedErrors(name, path);
  if (errors.length > 0 || name.includes("/") || isKnown(name)) return errors;
  return [invalidValue(path, name, "must be a standard resource type or fully qualified")];
}

/** What is wrong with the name of a resource that a container asks for. */
export function containerResourceNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes("/")) {
    const isFine = containerResources.has(name) || isHugePages(name);
    return isFine ? errors : [...errors, invalidValue(path, name, "must be a standard resource for containers")];
  }
  const isFine = isNative(name) || isExtendedResource(name);
  return isFine ? errors : [...errors, invalidValue(path, name, "doesn't follow extended resource name standard")];
}

/** What is wrong with the name of a resource that a pod asks for as a whole. */
export function podResourceNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notEnumerated(path, name, ["cpu", "hugepages-", "memory"])];
}

/** What is wrong with the name of a resource that a quota limits. */
export function quotaResourceNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (name.includes("/") || isQuotaResource(name)) return errors;
  return [...errors, invalidValue(path, name, "must be a standard resource for quota")];
}

/** Whether a quota knows the resource by itself. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

/** What is wrong with an amount of a resource. */
export function resourceAmountErrors(name: string, amount: Quantity, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (amount.sign() < 0) errors.push(invalidValue(path, amount.toString(), "must be greater than or equal to 0"));
  const isWhole = objectCounts.includes(name) || isExtendedResource(name);
  if (isWhole && amount.milliValue() % 1000n !== 0n) errors.push(invalidValue(path, amount.toString(), "must be an integer"));
  return errors;
}

/** Whether more of a resource may be promised than there is, so that a request may be less than its limit. */
export function isOvercommittable(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Whether an amount of huge pages is a whole number of them. */
export function isWholePages(name: string, amount: Quantity): boolean {
  const size = sizeOfPage(name);
  return size !== undefined && size.sign() > 0 && size.milliValue() % 1000n === 0n && amount.value() % size.value() === 0n;
}

function sizeOfPage(name: string): Quantity | undefined {
  try {
    return Quantity.parse(name.slice("hugepages-".length));
  } catch {
    return undefined;
  }
}

function isKnown(name: string): boolean {
  return quotaResources.has(name) || name === "storage" || isQuotaHugePages(name);
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Of Kubernetes itself. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedNameErrors(`requests.${name}`).length === 0;
}
