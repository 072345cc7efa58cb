import { ServiceAccountTokens, createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, Storage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer, userFacingRoles } from "@kaji/cluster";
import type { ClusterServerOptions } from "@kaji/cluster";
import { resource } from "@kaji/core";
import type { Clock, DynamicObject, Random } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Namespace } from "@kaji/types/core/v1";
import { ClusterRole } from "@kaji/types/rbac/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { TestedWebhooks } from "../tested-webhooks.ts";
import { tokenKey } from "../token-key.ts";
import { installOperator } from "../install-operator.ts";
import type { OperatorParts } from "../install-operator.ts";
import { objectId } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";
import { WorldState } from "./world-state.ts";

/** Far from the seeds of runs, which would otherwise give out the same uids again. */
const preparationSeed = 0x5eed0000;

/** The class of claims that name none: their volumes may grow, as in the cluster of a test. */
const standardClass = {
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "simulated.kaji.dev",
  allowVolumeExpansion: true,
} as const;

/** The world of one run: an API server of its own, at its own time. */
export interface ForkedWorld {
  readonly server: ApiServer;
  readonly storage: Storage;
  readonly clock: ManualClock;
  /** What is there from the beginning. */
  readonly objects: readonly DynamicObject[];
  /** What the API server asks of the operator. They read nothing before they are connected. */
  readonly webhooks: TestedWebhooks;
  /** Another API server, on a storage of the same world. */
  readonly replica: (storage: Storage) => ApiServer;
}

/** A world in which an operator is installed and nothing has happened yet. Every run begins with a copy of it. */
export class PreparedWorld {
  readonly #storage: ReturnType<typeof createMemoryStorage>;
  readonly #startMs: number;
  readonly #parts: OperatorParts;
  readonly #objects: readonly DynamicObject[];

  private constructor(storage: ReturnType<typeof createMemoryStorage>, startMs: number, parts: OperatorParts) {
    this.#storage = storage;
    this.#startMs = startMs;
    this.#parts = parts;
    using state = new WorldState(storage);
    this.#objects = [...state.objects.values()];
  }

  /** Installs an operator in an empty world. */
  static async create(parts: OperatorParts, startMs: number): Promise<PreparedWorld> {
    const clock = new ManualClock(startMs);
    const random = seededRandom(preparationSeed);
    const storage = createMemoryStorage({ clock });
    const { targets } = new TestedWebhooks(parts, { clock });
    const server = createWorldServer({ storage, clock, random, ...targets });
    const client = new KubeClient(server.transport(), { clock, random, fieldManager: "kaji", onWarning: () => {} });
    for (const name of ["default", "kube-system"]) await client.create(Namespace, { metadata: { name } });
    await client.create(StorageClass, standardClass);
    for (const role of userFacingRoles()) await client.create(resource<DynamicObject>(ClusterRole), role);
    await installOperator(client, parts);
    for (let turns = 0; turns < 5; turns++) await clock.advance(1000);
    return new PreparedWorld(storage, clock.now(), parts);
  }

  /** What is there from the beginning. */
  get objectIds(): ReadonlySet<ObjectId> {
    return new Set(this.#objects.map(objectId));
  }

  /** A world like this one. `delayMs` lets it begin at another time. */
  fork(seed: number, delayMs = 0): ForkedWorld {
    const clock = new ManualClock(this.#startMs + delayMs);
    const random = seededRandom(seed);
    const storage = this.#storage.fork({ clock, historyMs: 24 * 3600_000 });
    const webhooks = new TestedWebhooks(this.#parts, { clock });
    const { targets } = webhooks;
    const replica = (of: Storage): ApiServer => createWorldServer({ storage: of, clock, random, ...targets });
    const server = replica(storage);
    return { server, storage, clock, objects: this.#objects, replica, webhooks };
  }
}

interface WorldServerOptions extends Pick<ClusterServerOptions, "extensions" | "storage" | "webhooks"> {
  readonly clock: Clock;
  readonly random: Random;
}

/** An API server as a cluster has it: roles decide, and service accounts have tokens. */
function createWorldServer({ clock, random, ...options }: WorldServerOptions): ApiServer {
  const tokens = new ServiceAccountTokens({ key: tokenKey, clock, random });
  return createApiServer({ ...options, clock, random, tokens, authorize: "rbac" });
}
