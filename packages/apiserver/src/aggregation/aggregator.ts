import { bodyText } from "@kaji/core";
import type { ApiServer, PathHandler } from "../api-server.ts";
import type { ApiResource } from "../discovery/api-resources.ts";
import type { RemoteVersion, RemoteVersions } from "../discovery/remote-versions.ts";
import type { RemoteDocument } from "../openapi/merged-v2.ts";
import type { StorageEvent } from "../storage/storage.ts";
import { apiServicePrefix, readApiService } from "./api-service.ts";
import type { ApiService, ApiServiceCondition, RemoteService } from "./api-service.ts";
import { AvailabilityController } from "./availability-controller.ts";
import type { ServiceCheck, Verdict } from "./availability.ts";
import { ExtensionCaller } from "./extension-caller.ts";
import type { ExtensionTargets } from "./extension-caller.ts";
import { proxy } from "./proxy.ts";
import { RemoteDocuments } from "./remote-documents.ts";

/** What it takes to pass requests on to extension servers. */
export interface AggregationOptions extends ExtensionTargets {
  readonly checkService: ServiceCheck;
  /** Where services and their endpoints are kept: a change there is a reason to look again. */
  readonly servicePrefixes: readonly string[];
}

/**
 * Lets a server pass on what it does not serve itself: requests for a version of a group that an APIService says is another server's. It tells
 * discovery what they serve, and keeps the conditions of the APIServices.
 */
export class Aggregator implements AsyncDisposable, RemoteVersions {
  readonly #caller: ExtensionCaller;
  readonly #availability: AvailabilityController;
  readonly #documents: RemoteDocuments;
  readonly #subscriptions = new DisposableStack();
  /** All APIServices, by name. */
  readonly #services = new Map<string, ApiService>();
  /** Those of other servers, by `/apis/GROUP/VERSION`. */
  readonly #byPath = new Map<string, ApiService & { readonly remote: RemoteService }>();
  /** What extension servers said at the last check that went well, by the name of the APIService. */
  readonly #served = new Map<string, Extract<Verdict, { readonly type: "Available" }>>();
  /** Those whose last check did not go well. */
  readonly #stale = new Set<string>();

  constructor(server: ApiServer, options: AggregationOptions) {
    this.#caller = new ExtensionCaller(options);
    this.#documents = new RemoteDocuments(this.#caller, server.clock);
    this.#availability = new AvailabilityController({
      caller: this.#caller,
      clock: server.clock,
      checkService: options.checkService,
      find: (name) => remoteOf(this.#services.get(name)),
      onVerdict: (name, verdict) => this.#note(name, verdict),
      writeConditions: (name, conditions) => writeConditions(server, name, conditions),
      tell: (trouble) => server.tell(trouble),
    });
    const { storage } = server.registry;
    for (const { bytes } of storage.list(apiServicePrefix).entries) this.#set(readApiService(bytes));
    const { currentRevision } = storage;
    this.#subscriptions.use(storage.subscribe(apiServicePrefix, currentRevision, (event) => this.#onApiService(event)));
    for (const prefix of options.servicePrefixes) {
      this.#subscriptions.use(storage.subscribe(prefix, currentRevision, ({ key }) => this.#onService(key.slice(prefix.length))));
    }
    for (const { name } of this.#byPath.values()) this.#availability.check(name);
  }

  /** Who answers for a path, if another server does. */
  readonly find = (path: string): PathHandler | undefined => {
    if (this.#byPath.size === 0) return undefined;
    const service = this.#serviceAt(path);
    return service && ((context) => proxy(this.#caller, service, context));
  };

  /** Every version of a group that another server serves, as APIServices have it. */
  versions(): readonly RemoteVersion[] {
    return Array.from(this.#byPath.values(), ({ name, group, version, groupPriority, versionPriority }) => {
      const resources: readonly ApiResource[] = this.#served.get(name)?.resources ?? [];
      return { group, version, groupPriority, versionPriority, resources, isStale: this.#stale.has(name) || !this.#served.has(name) };
    });
  }

  /** The highest priority that an APIService gives to a group. */
  groupPriority(group: string): number | undefined {
    const priorities = this.#services
      .values()
      .filter((service) => service.group === group)
      .map(({ groupPriority }) => groupPriority);
    return [...priorities].toSorted((left, right) => right - left)[0];
  }

  /** Where extension servers keep their documents of OpenAPI v3, by path. */
  documents(): ReadonlyMap<string, string> {
    return new Map(this.#served.values().flatMap(({ documents }) => documents));
  }

  /** What extension servers that are there say in OpenAPI v2 of the versions that are theirs. */
  v2Documents(): Promise<readonly RemoteDocument[]> {
    const sources = [...this.#byPath].flatMap(([path, { name, remote }]) => {
      const served = this.#stale.has(name) ? undefined : this.#served.get(name);
      return served === undefined ? [] : [{ name, remote, path, state: [...served.documents.values()].join() }];
    });
    return this.#documents.all(sources);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscriptions.dispose();
    await this.#availability[Symbol.asyncDispose]();
    this.#caller[Symbol.dispose]();
  }

  #serviceAt(path: string): (ApiService & { readonly remote: RemoteService }) | undefined {
    const [, root, ...rest] = path.replace(/^\/openapi\/v3/, "").split("/");
    if (root === "api") return this.#byPath.get(`/api/${rest[0]}`);
    return root === "apis" ? this.#byPath.get(`/apis/${rest[0]}/${rest[1]}`) : undefined;
  }

  #set(service: ApiService): void {
    this.#services.set(service.name, service);
    const remote = remoteOf(service);
    if (remote === undefined) this.#forget(service);
    else this.#byPath.set(pathOf(service), remote);
  }

  #forget(service: ApiService): void {
    this.#byPath.delete(pathOf(service));
    this.#served.delete(service.name);
    this.#stale.delete(service.name);
  }

  #onApiService(event: StorageEvent): void {
    const name = event.key.slice(apiServicePrefix.length);
    const old = this.#services.get(name);
    if (event.type === "Delete") {
      this.#services.delete(name);
      if (old !== undefined) this.#forget(old);
      this.#availability.check(name);
      return;
    }
    const service = readApiService(event.entry.bytes);
    this.#set(service);
    const isOther = old === undefined || JSON.stringify(old.remote) !== JSON.stringify(service.remote);
    if (service.remote !== undefined && (isOther || service.conditions.length === 0)) this.#availability.check(name);
  }

  /** Which service endpoints belong to is only in their labels, so that some are looked at in vain. */
  #onService(path: string): void {
    const [namespace] = path.split("/");
    for (const { name, remote } of this.#byPath.values()) {
      if (remote.namespace === namespace) this.#availability.check(name);
    }
  }

  #note(name: string, verdict: Verdict): void {
    if (verdict.type === "Unavailable") {
      this.#stale.add(name);
      return;
    }
    this.#stale.delete(name);
    this.#served.set(name, verdict);
  }
}

function pathOf({ group, version }: ApiService): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function remoteOf(service: ApiService | undefined): (ApiService & { readonly remote: RemoteService }) | undefined {
  return service?.remote === undefined ? undefined : { ...service, remote: service.remote };
}

async function writeConditions(server: ApiServer, name: string, conditions: readonly ApiServiceCondition[]): Promise<void> {
  const { status, body } = await server.transport()({
    method: "PATCH",
    path: `/apis/apiregistration.k8s.io/v1/apiservices/${name}/status`,
    headers: { "content-type": "application/merge-patch+json", "user-agent": "kube-apiserver" },
    body: Buffer.from(JSON.stringify({ status: { conditions } })),
  });
  if (status < 400 || status === 404) return;
  throw new Error(`the conditions of APIService ${name} could not be written: ${await bodyText(body)}`);
}
