import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { Quantity, isReason } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { resourceList } from "../kinds/core/resource-list.ts";
import type { ResourceList } from "../kinds/core/resource-list.ts";
import { objectField, optionalObject } from "../kinds/json-fields.ts";
import type { LocalApi } from "../upkeep/local-api.ts";
import { isInScopes } from "./quota-scopes.ts";
import { quotaUsage } from "./quota-usage.ts";
import type { QuotaUsage } from "./quota-usage.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";

/**
 * Refuses what would exceed a quota of its namespace, and charges the quotas for what it lets pass. What passes here and then fails all the same
 * stays charged until a controller counts anew.
 */
export function resourceQuota(objects: StoredObjects, api: LocalApi): AdmissionPlugin {
  /** The last charge of each namespace: quotas are charged one request after the other. */
  const charges = new Map<string, Promise<void>>();
  return {
    name: "ResourceQuota",
    validate: (request) => {
      const { target, object } = request;
      const { namespace } = target;
      if (namespace === undefined || object === undefined) return undefined;
      const usage = quotaUsage(target.kind);
      if (usage?.concerns(request) !== true || objects.list(quotasOf(namespace)).length === 0) return undefined;
      const charge = (charges.get(namespace) ?? Promise.resolve())
        .catch(() => {}) // The write before has been told.
        .then(() => chargeAll(objects, api, { request, object, usage, namespace }))
        .finally(() => {
          if (charges.get(namespace) === charge) charges.delete(namespace);
        });
      charges.set(namespace, charge);
      return charge;
    },
  };
}

function quotasOf(namespace: string): string {
  return `/registry/resourcequotas/${namespace}/`;
}

interface Charge {
  readonly request: AdmissionRequest;
  readonly object: DynamicObject;
  readonly usage: QuotaUsage;
  readonly namespace: string;
}

/** Charges every quota, or none if one would be exceeded; starts over after a conflict with another write to a quota. */
async function chargeAll(objects: StoredObjects, api: LocalApi, charge: Charge): Promise<void> {
  const { request, namespace } = charge;
  const charged = new Set<string>();
  for (;;) {
    const quotas = objects.list(quotasOf(namespace)).filter(({ metadata }) => !charged.has(metadata.name));
    const next = quotas.flatMap((quota) => {
      const used = usedAfter(quota, charge);
      return used === undefined ? [] : [{ quota, used }];
    });
    if (request.dryRun) return;
    try {
      for (const { quota, used } of next) {
        await writeUsed(api, namespace, quota, used);
        charged.add(quota.metadata.name);
      }
      return;
    } catch (error) {
      if (!isReason(error, "Conflict", "NotFound")) throw error;
    }
  }
}

async function writeUsed(api: LocalApi, namespace: string, quota: DynamicObject, used: ResourceList): Promise<void> {
  const shown = Object.fromEntries([...used].map(([name, amount]) => [name, amount.toString()]));
  const status = { ...objectField(quota, "status"), used: shown };
  await api.send("PUT", `/api/v1/namespaces/${namespace}/resourcequotas/${quota.metadata.name}/status`, { ...quota, status });
}

/** What a quota has in use with a request; undefined when it is as before. Throws when that would be too much, or cannot be told. */
function usedAfter(quota: DynamicObject, charge: Charge): ResourceList | undefined {
  const { request, object, usage } = charge;
  const { plural } = request.target.kind;
  const status = objectField(quota, "status");
  const [hard, used] = [resourceList(optionalObject(status, "hard")), resourceList(optionalObject(status, "used"))];
  const limited = [...hard.keys()].filter((resource) => usage.counts(resource)).toSorted();
  if (limited.length === 0 || !isInScopes(quota, plural, object)) return undefined;
  const { name } = quota.metadata;
  const omission = usage.omission?.(object, limited);
  if (omission !== undefined) throw refusedObject(request, `failed quota: ${name}: ${omission}`);
  if (!limited.every((resource) => used.has(resource))) {
    throw refusedObject(request, `status unknown for quota: ${name}, resources: ${limited.join(",")}`);
  }
  const asked = new Map([...added(quota, charge)].filter(([resource, amount]) => hard.has(resource) && !amount.isZero()));
  if (asked.size === 0) return undefined;
  const after = new Map([
    ...used,
    ...[...asked].map(([resource, amount]): [string, Quantity] => [resource, used.get(resource)?.add(amount) ?? amount]),
  ]);
  const exceeded = [...asked.keys()]
    .filter((resource) => (after.get(resource) ?? Quantity.zero).compare(hard.get(resource) ?? Quantity.zero) > 0)
    .toSorted();
  if (exceeded.length > 0 && request.target.subresource !== "status") {
    const show = (amounts: ResourceList): string =>
      exceeded.flatMap((resource) => (amounts.has(resource) ? [`${resource}=${amounts.get(resource)}`] : [])).join(",");
    throw refusedObject(request, `exceeded quota: ${name}, requested: ${show(asked)}, used: ${show(used)}, limited: ${show(hard)}`);
  }
  return after;
}

/** What an object uses more than before: all of it, if the quota did not count it before. */
function added(quota: DynamicObject, { request, object, usage }: Charge): ResourceList {
  const nowMs = request.context.clock.now();
  const now = usage.of(object, nowMs);
  const { operation, oldObject, target } = request;
  if (operation !== "UPDATE" || oldObject === undefined || !isInScopes(quota, target.kind.plural, oldObject)) return now;
  const before = usage.of(oldObject, nowMs);
  return new Map(
    [...now].map(([name, amount]) => {
      const more = amount.sub(before.get(name) ?? Quantity.zero);
      return [name, more.sign() < 0 ? Quantity.zero : more];
    }),
  );
}
