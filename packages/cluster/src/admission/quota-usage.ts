import type { AdmissionRequest } from "@kaji/apiserver";
import { Quantity, withGroup } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { podTotals, isHugePages } from "../kinds/core/pod-resources.ts";
import { isExtendedResource } from "../kinds/core/resource-name.ts";
import { resourceList } from "../kinds/core/resource-list.ts";
import type { ResourceList } from "../kinds/core/resource-list.ts";
import { field, numberField, objectField, objectsField, optionalObject, stringField } from "../kinds/json-fields.ts";

/** How one kind of objects counts against quotas. */
export interface QuotaUsage {
  /** Whether a write can change what is used. */
  concerns(request: AdmissionRequest): boolean;
  /** Whether a quota's resource, such as `requests.cpu`, is one that such objects use. */
  counts(resource: string): boolean;
  /** What an object uses. */
  of(object: DynamicObject, nowMs: number): ResourceList;
  /** What an object should say, and does not, of the resources that a quota limits; undefined when nothing is missing. */
  readonly omission?: (object: DynamicObject, resources: readonly string[]) => string | undefined;
}

/** Reviews, which are not stored, and events are never counted. */
const uncounted = new Set([
  "bindings",
  "componentstatuses",
  "events",
  "events.events.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "tokenreviews.authentication.k8s.io",
]);

/** Kinds that were counted by their bare name before there was `count/`. */
const bareNames = new Set(["configmaps", "replicationcontrollers", "resourcequotas", "secrets"]);

/** How the objects of a kind count; undefined when they do not. */
export function quotaUsage({ group, plural }: { readonly group: string; readonly plural: string }): QuotaUsage | undefined {
  const name = withGroup(plural, group);
  if (uncounted.has(name)) return undefined;
  const ownUsage = measuredKinds.get(name);
  if (ownUsage !== undefined) return ownUsage;
  const names = [`count/${name}`, ...(bareNames.has(name) ? [name] : [])];
  return {
    concerns: ({ operation, target }) => operation === "CREATE" && target.subresource === undefined,
    counts: (resource) => names.includes(resource),
    of: () => new Map(names.map((each) => [each, Quantity.of(1)])),
  };
}

/** The name of the kind whose objects use a quota's resource, such as `pods` for `requests.cpu`; undefined when none do. */
export function countedKind(resource: string): string | undefined {
  if (bareNames.has(resource)) return resource;
  const [measuredKind] = measuredKinds.entries().find(([, usage]) => usage.counts(resource)) ?? [];
  return measuredKind ?? resource.match(/^count\/(.+)/)?.[1];
}

/** Whether nothing of an object matters to quotas but that it is there. */
export function isCountedByNumber(kind: string): boolean {
  return !measuredKinds.has(kind);
}

const measured = ["cpu", "memory", "ephemeral-storage"];
/** If a quota limits one of these, every container must say what it wants of it. */
const mandatory = new Set(["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"]);
const podResources = new Set(["pods", "count/pods", ...measured.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])]);

const podUsage: QuotaUsage = {
  concerns: ({ operation, target, object, oldObject }) => {
    if (target.subresource === "resize") return operation === "UPDATE";
    if (target.subresource !== undefined) return false;
    return operation === "CREATE" || (operation === "UPDATE" && isTerminating(object) !== isTerminating(oldObject));
  },
  counts: (resource) => podResources.has(resource) || isHugePages(resource.replace(/^requests\./, "")) || isExtendedRequest(resource),
  of: (pod, nowMs) => {
    const one: ResourceList = new Map([["count/pods", Quantity.of(1)]]);
    if (hasEnded(pod, nowMs)) return one;
    const spec = objectField(pod, "spec");
    return new Map([...one, ...computeUsage(withOverhead(spec, "requests"), withOverhead(spec, "limits"))]);
  },
  omission: (pod, resources) => {
    const spec = objectField(pod, "spec");
    if (optionalObject(spec, "resources") !== undefined) return undefined;
    const missing = new Map<string, Set<string>>();
    for (const container of [...objectsField(spec, "containers"), ...objectsField(spec, "initContainers")]) {
      const own = objectField(container, "resources");
      const given = computeUsage(resourceList(optionalObject(own, "requests")), resourceList(optionalObject(own, "limits")));
      for (const resource of resources.filter((each) => mandatory.has(each) && !given.has(each))) {
        missing.set(resource, (missing.get(resource) ?? new Set()).add(stringField(container, "name")));
      }
    }
    if (missing.size === 0) return undefined;
    const sorted = [...missing].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `must specify ${sorted.map(([resource, names]) => `${resource} for: ${[...names].toSorted().join(",")}`).join("; ")}`;
  },
};

/** Whether a pod has a deadline by which it ends. */
export function isTerminating(pod: DynamicObject | undefined): boolean {
  return (numberField(objectField(pod, "spec"), "activeDeadlineSeconds") ?? -1) >= 0;
}

/** A pod that has ended uses nothing; nor does one whose grace period has passed. */
function hasEnded({ metadata, ...pod }: DynamicObject, nowMs: number): boolean {
  const phase = stringField(objectField(pod, "status"), "phase");
  if (phase === "Failed" || phase === "Succeeded") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata;
  return deletionTimestamp !== undefined && grace !== undefined && nowMs > Date.parse(deletionTimestamp) + grace * 1000;
}

function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map<string, Quantity>([["pods", Quantity.of(1)]]);
  for (const [name, amount] of requests) {
    if (measured.includes(name) || isHugePages(name)) usage.set(name, amount).set(`requests.${name}`, amount);
    else if (isExtendedResource(name)) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (measured.includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

/** Overhead adds to requests always, to limits only of resources that a container limits. */
function withOverhead(spec: JsonObject, of: "limits" | "requests"): ResourceList {
  const totals = new Map(podTotals(spec, of));
  for (const [name, amount] of resourceList(optionalObject(spec, "overhead"))) {
    const present = totals.get(name);
    if (present !== undefined || of === "requests") totals.set(name, present?.add(amount) ?? amount);
  }
  return totals;
}

function isExtendedRequest(resource: string): boolean {
  return resource.startsWith("requests.") && isExtendedResource(resource.slice("requests.".length));
}

const serviceResources = ["count/services", "services", "services.nodeports", "services.loadbalancers"];

const serviceUsage: QuotaUsage = {
  concerns: ({ operation, target }) => operation !== "DELETE" && target.subresource === undefined,
  counts: (resource) => serviceResources.includes(resource),
  of: (service) => {
    const spec = objectField(service, "spec");
    const [type, ports] = [stringField(spec, "type"), objectsField(spec, "ports")];
    const isBalanced = type === "LoadBalancer";
    const takesFew = isBalanced && field(spec, "allocateLoadBalancerNodePorts") === false;
    const given = takesFew ? ports.filter((port) => (numberField(port, "nodePort") ?? 0) !== 0) : ports;
    return new Map([
      ["count/services", Quantity.of(1)],
      ["services", Quantity.of(1)],
      ["services.nodeports", Quantity.of(isBalanced || type === "NodePort" ? given.length : 0)],
      ["services.loadbalancers", Quantity.of(isBalanced ? 1 : 0)],
    ]);
  },
};

const claimResources = ["persistentvolumeclaims", "requests.storage"];
const ofClass = ".storageclass.storage.k8s.io/";

const claimUsage: QuotaUsage = {
  concerns: ({ operation, target }) => operation !== "DELETE" && (target.subresource === undefined || target.subresource === "status"),
  counts: (resource) =>
    resource === "count/persistentvolumeclaims" || claimResources.some((name) => resource === name || resource.endsWith(ofClass + name)),
  of: (claim) => {
    const spec = objectField(claim, "spec");
    const className = claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? stringField(spec, "storageClassName");
    const usage = new Map<string, Quantity>([["count/persistentvolumeclaims", Quantity.of(1)]]);
    const add = (name: string, amount: Quantity): void => {
      usage.set(name, amount);
      if (className !== "") usage.set(className + ofClass + name, amount);
    };
    add("persistentvolumeclaims", Quantity.of(1));
    const storage = largest(
      resourceList(optionalObject(objectField(spec, "resources"), "requests")).get("storage"),
      resourceList(optionalObject(objectField(claim, "status"), "allocatedResources")).get("storage"),
    );
    if (storage !== undefined) add("requests.storage", storage);
    return usage;
  },
};

/** What is requested, or what has been allocated if that is more; in whole bytes. */
function largest(requested: Quantity | undefined, allocated: Quantity | undefined): Quantity | undefined {
  if (requested === undefined) return undefined;
  const amount = allocated !== undefined && allocated.compare(requested) > 0 ? allocated : requested;
  const whole = Quantity.of(amount.value(), amount.format);
  return whole.equals(amount) ? amount : whole;
}

/** The kinds of which quotas limit more than how many there are. */
const measuredKinds: ReadonlyMap<string, QuotaUsage> = new Map([
  ["pods", podUsage],
  ["services", serviceUsage],
  ["persistentvolumeclaims", claimUsage],
]);
