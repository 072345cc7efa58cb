import { startCluster } from "@kaji/cluster";
import type { ClusterOptions, ClusterSnapshot } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ErrorLog } from "./error-log.ts";
import { tokenKey } from "./token-key.ts";
import { TestedWebhooks } from "./tested-webhooks.ts";
import { installOperator } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";

/** Far from the seeds of tests, which would otherwise give out the same uids again. */
const preparationSeed = 0x5eed0000;
/** So many are kept; whoever makes controllers anew for every test would otherwise fill the memory. */
const mostKept = 16;

/** What a cluster is like before an operator comes to it. */
export interface BareCluster extends Pick<ClusterOptions, "controllers" | "delays" | "nodes" | "scheduler"> {
  /** When its time begins. */
  readonly startMs: number;
}

/** By what they are like; the ones that were asked for last at the end. */
const prepared = new Map<string, Promise<ClusterSnapshot>>();

/** A cluster in which an operator is installed and nothing has happened yet: it is prepared once in a process, and every test has a copy. */
export function preparedCluster(options: BareCluster, operator: OperatorParts): Promise<ClusterSnapshot> {
  const { controllers = [], webhooks = [], conversions = [], apis = [], resources = [], isAlmighty = false } = operator;
  const bare = JSON.stringify(options);
  return once(
    JSON.stringify([bare, isAlmighty, [controllers, webhooks, conversions, apis, resources].map((parts) => parts.map(idOf))]),
    async () => {
      const empty = await once(bare, () => startEmpty(options));
      const clock = new ManualClock(empty.atMs);
      const { targets } = new TestedWebhooks(operator, { clock, log: new ErrorLog() });
      await using cluster = await empty.restore({ clock, random: seededRandom(preparationSeed + 1), ...targets });
      await installOperator(cluster.client, operator);
      return await cluster.snapshot();
    },
  );
}

/** Whoever lets a month go by waits for what is due in it: nodes that say every 10 s that they are alive would be nearly all of that. */
const nodeLease = "24h";

async function startEmpty({ startMs, ...options }: BareCluster): Promise<ClusterSnapshot> {
  await using cluster = await startCluster({
    ...options,
    nodeLease,
    tokenKey,
    clock: new ManualClock(startMs),
    random: seededRandom(preparationSeed),
  });
  return await cluster.snapshot();
}

function once(key: string, prepare: () => Promise<ClusterSnapshot>): Promise<ClusterSnapshot> {
  const snapshot = prepared.get(key) ?? prepare();
  prepared.delete(key);
  prepared.set(key, snapshot);
  const [oldest] = prepared.keys();
  if (prepared.size > mostKept && oldest !== undefined) prepared.delete(oldest);
  return snapshot;
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Tells parts of operators apart that are otherwise alike. */
function idOf(part: object): number {
  const id = ids.get(part) ?? ++lastId;
  ids.set(part, id);
  return id;
}
