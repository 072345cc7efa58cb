import { errorMessage, formatDuration, withGroup } from "@kaji/core";
import type { Clock, Resource } from "@kaji/core";
import type { MirroredKind } from "../controller/running-controller.ts";
import type { Health, HealthCheck } from "./health-checks.ts";

/** A synced kind stays healthy while its watch fails for less than this: a short outage of the API server is no reason for an alarm. */
const longestFailureMs = 60_000;

/** A mirrored kind, as far as it is checked. */
interface CheckedKind extends Omit<MirroredKind, "stats"> {
  readonly stats: Pick<MirroredKind["stats"], "heardMs">;
}

/**
 * A check for each kind that controllers mirror: whether it is complete, followed, and when the server was last heard. Of a kind that the operator converts itself it only tells: the server
 * cannot list it before the operator is ready to be asked.
 */
export function watchChecks(
  controllers: Iterable<{ readonly mirrored: readonly CheckedKind[] }>,
  clock: Clock,
  converted: readonly Resource[] = [],
): HealthCheck[] {
  const nameOf = ({ resource }: { readonly resource: Resource }): string => withGroup(resource.plural, resource.group);
  const selfMade = new Set(converted.map((resource) => nameOf({ resource })));
  const mirrors = [...controllers].flatMap(({ mirrored }) => mirrored);
  return [...Map.groupBy(mirrors, nameOf)].map(([kind, ofKind]) => ({
    name: `watch/${kind}`,
    check: () => {
      const health = worst(ofKind.map((mirror) => healthOf(mirror, clock.monotonic())));
      return health.ok || !selfMade.has(kind) ? health : { ok: true, note: `converted here, ${health.reason}` };
    },
  }));
}

/** Of several mirrors of one kind, one that is not well is told. */
function worst(all: readonly Health[]): Health {
  return all.find(({ ok }) => !ok) ?? all[0] ?? { ok: true };
}

function healthOf({ state, stats: { heardMs }, isSynced, isAbsent, isAdded }: CheckedKind, nowMs: number): Health {
  if (isAbsent) return { ok: true, note: "optional, and not served by the cluster" };
  const heard = heardMs === undefined ? "never heard" : `heard ${age(nowMs - heardMs)} ago`;
  switch (state.type) {
    case "Synced":
      return { ok: true, note: heard };
    case "Stopped":
      return { ok: false, reason: "informer is not running" };
    case "Syncing":
      if (isAdded) return { ok: true, note: `not synced yet, ${heard}` };
      return { ok: false, reason: `not synced yet, ${heard}` };
    case "Failing": {
      const failedMs = nowMs - state.sinceMs;
      const why = `failing for ${age(failedMs)}, ${heard}: ${errorMessage(state.error)}`;
      return isSynced && failedMs < longestFailureMs ? { ok: true, note: why } : { ok: false, reason: why };
    }
    default:
      return state satisfies never;
  }
}

function age(ms: number): string {
  return formatDuration(BigInt(Math.max(0, Math.round(ms / 1000))) * 1_000_000_000n);
}
