import { findCondition, formatTime, parseTime } from "@kaji/core";
import { maskedPrefix, parseIpAddress, parseIpPrefix, prefixContains, widthOf } from "@kaji/core/go";
import type { IpAddress, IpPrefix } from "@kaji/core/go";
import { defineController, recheckAfter } from "@kaji/runtime";
import type { CacheReads, Controller, ObjectChange } from "@kaji/runtime";
import { IPAddress, ServiceCIDR } from "@kaji/types/networking/v1";
import { isManaged } from "../../kinds/core/service-addresses.ts";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";

const finalizer = "networking.k8s.io/service-cidr-finalizer";

/** How long after its deletion a range stays at least, so that everybody who gives out addresses has heard of it. */
const graceMs = 10_000;

const ready = { status: "True", reason: "", message: "Kubernetes Service CIDR is ready" } as const;
const inUse = {
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
} as const;

type Readiness = typeof ready | typeof inUse;

/** Says of each ServiceCIDR that it is ready, and lets it go when no service has an address that is in no other. */
export const serviceCidrController: Controller = defineController(ServiceCIDR, {
  name: "service-cidr-controller",
  watches: [IPAddress, ServiceCIDR],
  predicates: [needsWork],
  selfVerbs: ["update", "patch/status"],
  async reconcile(range, { cache, client, clock }) {
    const { deletionTimestamp, finalizers = [] } = range.metadata;
    const isProtected = finalizers.includes(finalizer);
    const say = async (condition: Readiness): Promise<void> => {
      if (says(range, condition)) return;
      const conditions = [{ type: "Ready", ...condition, lastTransitionTime: formatTime(clock.now()) }];
      const wanted = { metadata: { name: range.metadata.name }, status: { conditions } };
      await client.applyStatus(ServiceCIDR, wanted, { fieldManager: "service-cidr-controller", force: true });
    };
    const keep = async (next: readonly string[]): Promise<void> => {
      await client.update(ServiceCIDR, { ...range, metadata: { ...range.metadata, finalizers: next } });
    };
    if (deletionTimestamp === undefined) {
      if (!isProtected) await keep([...finalizers, finalizer]);
      return say(ready);
    }
    if (isNeeded(range, cache)) return say(inUse);
    const leftMs = parseTime(deletionTimestamp) + graceMs - clock.now();
    if (leftMs > 0) return recheckAfter(leftMs);
    if (isProtected) await keep(finalizers.filter((each) => each !== finalizer));
  },
});

/** What concerns it. Addresses come and go with services, and matter to nobody but a range that is to go. */
export const serviceCidrKinds: ConcernedKinds = { own: ServiceCIDR, others: [IPAddress], counts: needsWork };

/** Whether a range is not as it should be, or waits for its end. */
function needsWork({ object: range }: ObjectChange<ServiceCIDR>): boolean {
  if (range === undefined) return false;
  return range.metadata.deletionTimestamp !== undefined || range.metadata.finalizers?.includes(finalizer) !== true || !says(range, ready);
}

function says(range: ServiceCIDR, { status, reason, message }: Readiness): boolean {
  const present = findCondition(range.status?.conditions, "Ready");
  return present?.status === status && present.reason === reason && present.message === message;
}

/** Whether a service has an address of this range that is in no other. */
function isNeeded(range: ServiceCIDR, cache: CacheReads<IPAddress | ServiceCIDR>): boolean {
  const others = [...cache.list(ServiceCIDR)].filter(({ metadata }) => metadata.name !== range.metadata.name).flatMap(prefixesOf);
  const own = prefixesOf(range);
  if (own.every((prefix) => others.some((other) => other.length <= prefix.length && prefixContains(other, prefix.address)))) return false;
  return cache.list(IPAddress).some((address) => {
    if (!isManaged(address)) return false;
    const ip = parseIpAddress(address.metadata.name);
    return own.some((prefix) => gives(prefix, ip)) && !others.some((other) => gives(other, ip));
  });
}

function prefixesOf({ spec }: ServiceCIDR): readonly IpPrefix[] {
  return (spec?.cidrs ?? []).map(parseIpPrefix);
}

/** Whether an address is one that services get from a range: not its own, nor that of broadcasts. */
function gives(prefix: IpPrefix, ip: IpAddress): boolean {
  if (!prefixContains(prefix, ip)) return false;
  const first = maskedPrefix(prefix).address.bits;
  const last = first + (1n << BigInt(widthOf(ip) - prefix.length)) - 1n;
  return ip.bits !== first && (ip.family === 6 || ip.bits !== last);
}
