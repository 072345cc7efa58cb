import { formatTime } from "@kaji/core";
import type { DynamicObject, ObjectMeta } from "@kaji/core";
import type { ApiServer } from "../api-server.ts";
import { KeyedJobs } from "../custom/keyed-jobs.ts";
import type { Kind } from "../kind.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import { apiServicePrefix, managedLabel, readApiService } from "./api-service.ts";
import type { ApiServiceCondition } from "./api-service.ts";

/** Which groups and versions clients should prefer: those of a higher number. */
export interface ApiPriority {
  readonly group: number;
  readonly version: number;
}

const customPriority: ApiPriority = { group: 1000, version: 100 };

/**
 * Keeps an APIService for every version of a group that the server serves itself: for its own kinds it is made at the start, for custom ones it
 * comes and goes with them. One that a user has made is left alone.
 */
export class LocalApiServices implements AsyncDisposable {
  readonly #server: ApiServer;
  readonly #jobs: KeyedJobs;
  readonly #subscriptions = new DisposableStack();
  readonly #kind: Kind;
  readonly #store: ObjectStore;
  /** Who owns which fields, by whether there is a group: otherwise they all have the same. */
  readonly #managers = new Map<boolean, Promise<ObjectMeta["managedFields"]>>();
  /** The versions of custom kinds, by the names of their APIServices. */
  #custom: ReadonlyMap<string, GroupVersion> = new Map();

  private constructor(server: ApiServer) {
    const kind = server.kinds.get("apiregistration.k8s.io", "apiservices");
    const [version] = kind?.versions ?? [];
    if (kind === undefined || version === undefined) throw new TypeError("a server that has APIServices serves their kind");
    this.#server = server;
    this.#kind = kind;
    this.#store = server.registry.store(kind, version);
    const { clock } = server;
    this.#jobs = new KeyedJobs({ clock, kind: kind.kind, tell: (trouble) => server.tell(trouble) }, (name) => this.#reconcile(name));
  }

  /**
   * Makes those of the server's own kinds, as far as they have a priority, and from then on looks after those of custom kinds. Where all is at rest, nothing has
   * to be made, and nothing is left of kinds that are gone.
   */
  static async start(
    server: ApiServer,
    priorities: Readonly<Record<string, ApiPriority>>,
    { isAtRest = false }: { readonly isAtRest?: boolean } = {},
  ): Promise<LocalApiServices> {
    const services = new LocalApiServices(server);
    if (!isAtRest) await services.#ensureOwn(priorities);
    services.#watch();
    if (!isAtRest) for (const name of services.#storedCustom()) services.#jobs.add(name);
    return services;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscriptions.dispose();
    await this.#jobs[Symbol.asyncDispose]();
  }

  #watch(): void {
    const { kinds, registry } = this.#server;
    this.#refresh();
    this.#subscriptions.use(kinds.subscribe(() => this.#refresh()));
    this.#subscriptions.use(
      registry.storage.subscribe(apiServicePrefix, registry.storage.currentRevision, ({ type, key }) => {
        const name = key.slice(apiServicePrefix.length);
        if (type === "Delete" && this.#custom.has(name)) this.#jobs.add(name);
      }),
    );
  }

  #refresh(): void {
    const before = this.#custom;
    this.#custom = groupVersions(this.#server, "custom");
    for (const name of before.keys()) if (!this.#custom.has(name)) this.#jobs.add(name);
    for (const name of this.#custom.keys()) if (!before.has(name)) this.#jobs.add(name);
  }

  /** What an earlier run has left behind may be of kinds that are gone. */
  #storedCustom(): readonly string[] {
    const { entries } = this.#server.registry.storage.list(apiServicePrefix);
    return entries.filter(({ bytes }) => readApiService(bytes).isManaged).map(({ key }) => key.slice(apiServicePrefix.length));
  }

  async #reconcile(name: string): Promise<void> {
    const wanted = this.#custom.get(name);
    if (wanted !== undefined) return this.#ensure(wanted, customPriority, "true");
    const live = this.#store.get(undefined, name);
    if (live?.object.metadata.labels?.[managedLabel] === "true") await this.#store.remove(undefined, live);
  }

  async #ensureOwn(priorities: Readonly<Record<string, ApiPriority>>): Promise<void> {
    await Promise.all(
      groupVersions(this.#server, "own")
        .values()
        .map(async (version) => {
          const priority = priorities[version.group === "" ? version.version : `${version.group}/${version.version}`];
          if (priority !== undefined) await this.#ensure(version, priority, "onstart");
        }),
    );
  }

  /** Written past admission, which could only refuse the server itself. One that is there is left as it is. */
  async #ensure({ group, version }: GroupVersion, priority: ApiPriority, managed: string): Promise<void> {
    const name = `${version}.${group}`;
    if (this.#store.has(undefined, name)) return;
    const now = formatTime(this.#server.clock.now());
    const service: DynamicObject = {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name, uid: this.#server.random.uuid(), creationTimestamp: now, labels: { [managedLabel]: managed } },
      spec: { ...(group === "" ? {} : { group }), version, groupPriorityMinimum: priority.group, versionPriority: priority.version },
    };
    const managedFields = await this.#managedFields(service, group !== "", now);
    const status = { conditions: [localCondition(now)] };
    const metadata = { ...service.metadata, ...(managedFields === undefined ? {} : { managedFields }) };
    await this.#store.create(undefined, { ...service, metadata, status });
  }

  async #managedFields(next: DynamicObject, hasGroup: boolean, now: string): Promise<ObjectMeta["managedFields"]> {
    const write = { next, manager: "kube-apiserver", apiVersion: next.apiVersion, now };
    const found =
      this.#managers.get(hasGroup) ??
      this.#server.registry.fieldManagers.run(this.#kind, (fields) => fields.update(write)).then(({ metadata }) => metadata.managedFields);
    this.#managers.set(hasGroup, found);
    return (await found)?.map((each) => ({ ...each, time: now }));
  }
}

/** What is served here is there as long as the server is. */
export function localCondition(now: string): ApiServiceCondition {
  return { type: "Available", status: "True", lastTransitionTime: now, reason: "Local", message: "Local APIServices are always available" };
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function groupVersions({ kinds }: ApiServer, which: "own" | "custom"): ReadonlyMap<string, GroupVersion> {
  const found = kinds.kinds.filter(({ isCustom }) => isCustom === (which === "custom"));
  const versions = found.flatMap(({ group, versions: each }) => each.map(({ version }) => ({ group, version })));
  return new Map(versions.map((each) => [`${each.version}.${each.group}`, each]));
}
