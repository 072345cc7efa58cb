import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import type { KubeObject, Random, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import type { EventRecorder, Log, RecordedEvent } from "@kaji/runtime";
import { Namespace, Node, Pod } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { createApiServer } from "../../create-api-server.ts";
import { silentLog } from "../../loops/silent-log.ts";
import { startScheduler } from "../start-scheduler.ts";

/** A server in memory with a scheduler on it, and a clock that stands still. */
export interface SchedulerRig extends AsyncDisposable {
  readonly client: KubeClient;
  /** The way to the server. */
  readonly transport: Transport;
  readonly clock: ManualClock;
  readonly random: Random;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  readonly log: Log;
  /** Everything that was said, as `REASON NAME: MESSAGE`. */
  readonly events: string[];
  /** Resolves when nothing is left to do before the clock goes on. */
  settle(): Promise<void>;
  addNode(name: string, options?: NodeDraft): Promise<void>;
  addPod(name: string, spec?: Partial<PodSpec>, labels?: Readonly<Record<string, string>>): Promise<Pod>;
  /** On which node a pod is; undefined if on none. */
  nodeOf(pod: string): Promise<string | undefined>;
  /** What the condition `PodScheduled` says. */
  messageOf(pod: string): Promise<string | undefined>;
}

/** What is worth stating of a node. */
export interface NodeDraft {
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly spec?: Node["spec"];
}

/** Starts the rig; `schedules: false` leaves the scheduler out. */
export async function startRig({ schedules = true }: { readonly schedules?: boolean } = {}): Promise<SchedulerRig> {
  await using starting = new AsyncDisposableStack();
  const clock = new ManualClock();
  const random = seededRandom(7);
  const server = starting.use(createApiServer({ storage: createMemoryStorage({ clock }), clock, random }));
  const transport = server.transport();
  const client = new KubeClient(transport, { clock, random, onWarning: () => {} });
  const informers = new Informers({ source: client.listerWatcher, clock, random });
  const end = new AbortController();
  const running = informers.run(end.signal);
  starting.defer(async () => {
    end.abort();
    await running;
  });
  for (const name of ["default", "kube-node-lease"]) await client.create(Namespace, { metadata: { name } });
  const { recorder, events } = collectingRecorder();
  const tools = { client, transport, clock, random, informers, recorder, events, log: silentLog };
  if (schedules) starting.use(await startScheduler(tools));
  const all = starting.move();
  return { ...tools, ...cluster(client), settle, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}

type ClusterVerbs = Pick<SchedulerRig, "addNode" | "addPod" | "nodeOf" | "messageOf">;

function cluster(client: KubeClient): ClusterVerbs {
  const get = (name: string): Promise<Pod> => client.get(Pod, { namespace: "default", name });
  return {
    addNode: async (name, { labels, allocatable, spec = {} } = {}) => {
      const common = { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec };
      const created = await client.create(Node, common);
      // There is no controller here that would see that the node is ready.
      const ready = await client.update(Node, { ...created, spec });
      await client.updateStatus(Node, { ...ready, status: { allocatable: { cpu: "4", memory: "8Gi", pods: "110", ...allocatable } } });
    },
    addPod: (name, spec = {}, labels = {}) =>
      client.create(Pod, {
        metadata: { name, namespace: "default", labels },
        spec: { containers: [{ name: "main", image: "nginx" }], ...spec },
      }),
    nodeOf: async (name) => (await get(name)).spec?.nodeName,
    messageOf: async (name) => (await get(name)).status?.conditions?.find(({ type }) => type === "PodScheduled")?.message,
  };
}

function collectingRecorder(): { readonly recorder: EventRecorder; readonly events: string[] } {
  const events: string[] = [];
  const event = ({ metadata }: KubeObject, { reason, message }: RecordedEvent): number =>
    events.push(`${reason} ${metadata.name}: ${message}`);
  return { recorder: { event }, events };
}

/** In one process everything that can happen without the clock has happened after a few turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
