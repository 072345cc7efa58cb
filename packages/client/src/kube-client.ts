import { formatApiVersion, formatKind, systemClock, systemRandom } from "@kaji/core";
import type {
  Clock,
  Draft,
  DraftMeta,
  JsonPatchOperation,
  KubeList,
  KubeObject,
  ListerWatcherSource,
  NamespacedName,
  Random,
  Resource,
  Status,
  Transport,
} from "@kaji/core";
import type { TokenRequest, TokenRequestSpec } from "@kaji/types/authentication/v1";
import type { Scale } from "@kaji/types/autoscaling/v1";
import { Pod, ServiceAccount } from "@kaji/types/core/v1";
import { ApiCaller } from "./request/api-caller.ts";
import type { ApiCall } from "./request/api-caller.ts";
import { deleteBody } from "./request/delete-options.ts";
import type { DeleteCollectionOptions, DeleteOptions } from "./request/delete-options.ts";
import { Discovery } from "./discovery/discovery.ts";
import { KnownKinds } from "./discovery/known-kinds.ts";
import { impersonating } from "./request/impersonating.ts";
import { listerWatcher } from "./lister-watcher.ts";
import { mutateObject } from "./mutate.ts";
import type { MutateOptions, Mutation } from "./mutate.ts";
import { collectionPath, objectPath, parseAddress } from "./request/object-address.ts";
import type { ObjectAddress } from "./request/object-address.ts";
import type { ApplyConfiguration, MergePatch, StrategicPatch } from "./request/partial-object.ts";
import type { AttachOptions } from "./response/container-streams.ts";
import type { AttachResult, ExecOptions, ExecResult } from "./response/pod-command.ts";
import { logLines } from "./response/pod-log.ts";
import type { PodLogOptions } from "./response/pod-log.ts";
import type { Query } from "./request/query.ts";
import { listQuery, watchQuery } from "./request/read-options.ts";
import type { GetOptions, ListOptions, WatchOptions } from "./request/read-options.ts";
import { retrying } from "./retry/retrying.ts";
import { askForObject } from "./response/object-answer.ts";
import { typedList } from "./response/typed-list.ts";
import { failedRequest } from "./transport-error.ts";
import { defaultUserAgent } from "./request/user-agent.ts";
import { warnOnce } from "./response/warn-once.ts";
import type { WarningListener } from "./response/warn-once.ts";
import { waitForObject } from "./wait-for.ts";
import type { WaitOptions } from "./wait-for.ts";
import { parseWatchEvent } from "./response/watch-event.ts";
import type { WatchEvent } from "./response/watch-event.ts";
import { bindingCall, evictionCall } from "./request/pod-action.ts";
import { writeQuery } from "./request/write-options.ts";
import type { ApplyOptions, BindOptions, FieldValidation, ScaleOptions, UpdateOptions, WriteOptions } from "./request/write-options.ts";

/** What holds for all requests of a client, unless one says otherwise. */
export interface KubeClientOptions {
  /** In whose name fields are owned. Applying needs one, here or with the call. */
  readonly fieldManager?: string | undefined;
  /** Lets the server check every write, but store none. Default false. */
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: FieldValidation | undefined;
  /** Default `kaji/VERSION (PLATFORM)`. */
  readonly userAgent?: string | undefined;
  /** How long a response may take, all attempts together; a watch or a log need only have begun. Default 70 s: servers give up after 60. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated when the server asks for it, or the connection of a read broke. Default 10. */
  readonly retries?: number | undefined;
  /** Is told each warning of the server once, with the first request that it was the answer to. Default: Node's own warnings, on standard error. */
  readonly onWarning?: WarningListener | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/**
 * The verbs of the API, for every kind there is a `Resource` of.
 *
 * What a server refuses is thrown as an `ApiError`: `isReason(error, "NotFound")` tells that there is no such object. When there is no
 * response, a `TransportError` is thrown; when a call's signal is aborted, the signal's reason.
 */
export class KubeClient implements AsyncDisposable {
  /** Requests of any method and path, for what has no verb here. */
  readonly api: ApiCaller;
  /** What the server serves, for kinds that are known by name only. */
  readonly discovery: Discovery;
  /** Lists and watches in the bytes of the server, for an informer. */
  readonly listerWatcher: ListerWatcherSource;
  /** Repeats nothing. */
  readonly #once: ApiCaller;
  readonly #transport: Transport & Partial<AsyncDisposable>;
  readonly #outside: { readonly clock: Clock; readonly random: Random };
  readonly #options: KubeClientOptions;

  /** The transport is the client's from now on: it is closed with it, if there is anything to close. */
  constructor(transport: Transport & Partial<AsyncDisposable>, options: KubeClientOptions = {}) {
    const { clock = systemClock, random = systemRandom, userAgent = defaultUserAgent, timeoutMs = 70_000, retries } = options;
    const known = new KnownKinds();
    const common = { clock, userAgent, onWarning: warnOnce(options.onWarning), onNothingAt: (path: string) => known.forgetAt(path) };
    this.api = new ApiCaller(retrying(transport, { retries, clock, random }), { ...common, timeoutMs });
    const unlimited = new ApiCaller(transport, { ...common, timeoutMs: undefined });
    this.listerWatcher = (resource, scope) => listerWatcher(unlimited, resource, scope);
    this.discovery = new Discovery(this.api, known);
    this.#once = new ApiCaller(transport, { ...common, timeoutMs });
    this.#transport = transport;
    this.#outside = { clock, random };
    this.#options = options;
  }

  /**
   * A client that does what it does as another user, such as `system:serviceaccount:shop:deployer`, whose groups the server knows: it may do what that user may, if this one may impersonate it. It is over
   * the transport of this one, and is not disposed of.
   */
  as(username: string): KubeClient {
    return new KubeClient(impersonating(this.#transport, username), this.#options);
  }

  /** Reads an object. */
  async get<T extends KubeObject>(resource: Resource<T>, address: ObjectAddress, options: GetOptions = {}): Promise<T> {
    return this.#read(resource.kind, objectPath(resource, address), options);
  }

  /** Reads a list: all of it, or one page if there is a `limit`. */
  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const call = { method: "GET", path: collectionPath(resource, options.namespace) } as const;
    const response = await this.api.json({ ...call, query: listQuery(options), signal: options.signal });
    return typedList(response, resource, failedRequest(call));
  }

  /**
   * Reads a list of any size object by object, holding one page of it at a time. Default: pages of 500, as all clients have them.
   * All pages are of one version; if the server forgets that version before the last page, it throws with the reason `Expired`.
   */
  async *listAll<T extends KubeObject>(resource: Resource<T>, options: Omit<ListOptions, "continue"> = {}): AsyncGenerator<T> {
    const { limit = 500, resourceVersion, resourceVersionMatch, ...rest } = options;
    const first = { resourceVersion, resourceVersionMatch };
    for (let next: string | undefined = ""; next !== undefined;) {
      const page: KubeList<T> = await this.list(resource, { limit, ...rest, ...(next === "" ? first : { continue: next }) });
      yield* page.items;
      next = page.metadata.continue === "" ? undefined : page.metadata.continue;
    }
  }

  /**
   * Tells what happens, until the server ends the watch, as every server does after a while, or the signal is aborted.
   * It does not go on by itself: that, with all that can go wrong, is what an informer is for.
   */
  async *watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const call = { method: "GET", path: collectionPath(resource, options.namespace) } as const;
    for await (const frames of this.api.lines({ ...call, query: watchQuery(options), signal: options.signal })) {
      for (const frame of frames) yield parseWatchEvent<T>(frame, failedRequest(call));
    }
  }

  /** Waits until an object is there and `isSo`; returns it as it was then. A watch that ends or breaks is gone on with. */
  async waitFor<T extends KubeObject>(
    resource: Resource<T>,
    address: ObjectAddress,
    isSo: (object: T) => boolean,
    options: WaitOptions = {},
  ): Promise<T> {
    return this.#wait(resource, address, (object: T | undefined) => (object !== undefined && isSo(object) ? object : undefined), options);
  }

  /** Waits until an object is not there any more. One of the same name that was made later counts as another. */
  async waitForDeletion(resource: Resource, address: ObjectAddress, options: WaitOptions = {}): Promise<void> {
    let uid: string | undefined;
    const isGone = (object: KubeObject | undefined): true | undefined => {
      uid ??= object?.metadata.uid;
      return object === undefined || object.metadata.uid !== uid ? true : undefined;
    };
    await this.#wait(resource, address, isGone, options);
  }

  /** Creates an object; where it has only a `generateName`, the server completes the name. */
  async create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const { namespace } = metadataOf(resource, object);
    if (resource.scope === "Namespaced" && !namespace)
      throw new TypeError(`${formatKind(resource)}: metadata.namespace is required to create one`);
    return this.#write({ method: "POST", path: collectionPath(resource, namespace), body: typed(object, resource) }, undefined, options);
  }

  /** Replaces an object. With a `resourceVersion` in its metadata only if that is still the newest, otherwise there is a Conflict. */
  async update<T extends KubeObject>(resource: Resource<T>, object: T | Draft<T>, options: UpdateOptions = {}): Promise<T> {
    const path = objectPath(resource, addressOf(resource, object), options.subresource);
    return this.#write({ method: "PUT", path, body: typed(object, resource) }, writtenKind(resource, options), options);
  }

  /** Replaces an object's status, and nothing else of it. */
  async updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(resource, object, { ...options, subresource: "status" });
  }

  /** Changes the fields that are in the patch, and removes those that are null in it. */
  async mergePatch<T extends KubeObject>(
    resource: Resource<T>,
    address: ObjectAddress,
    patch: MergePatch<T>,
    options: UpdateOptions = {},
  ): Promise<T> {
    return this.#patch("merge", resource, address, patch, options);
  }

  /** Changes an object step by step; all steps or none are done. */
  async jsonPatch<T extends KubeObject>(
    resource: Resource<T>,
    address: ObjectAddress,
    patch: readonly JsonPatchOperation[],
    options: UpdateOptions = {},
  ): Promise<T> {
    return this.#patch("json", resource, address, patch, options);
  }

  /** Changes an object as `mergePatch` does, but merges lists by their keys. Custom resources know no such patch. */
  async strategicPatch<T extends KubeObject>(
    resource: Resource<T>,
    address: ObjectAddress,
    patch: StrategicPatch<T>,
    options: UpdateOptions = {},
  ): Promise<T> {
    return this.#patch("strategic-merge", resource, address, patch, options);
  }

  /** Makes the object have these fields, and no longer those that were applied before and are left out now. Creates it where need be. */
  async apply<T extends KubeObject>(resource: Resource<T>, wanted: ApplyConfiguration<T>, options: ApplyOptions = {}): Promise<T> {
    const { fieldManager = this.#options.fieldManager, force, subresource } = options;
    if (!fieldManager) throw new TypeError(`${formatKind(resource)}: applying needs a fieldManager, with the call or with the client`);
    const path = objectPath(resource, addressOf(resource, wanted), subresource);
    const query = { force: force === true ? true : undefined };
    const call = { method: "PATCH", path, query, body: typed(wanted, resource), contentType: "application/apply-patch+yaml" } as const;
    return this.#write(call, writtenKind(resource, options), { ...options, fieldManager });
  }

  /** Applies fields of an object's status, and nothing else of it. The object must exist. */
  async applyStatus<T extends KubeObject>(
    resource: Resource<T>,
    wanted: ApplyConfiguration<T>,
    options: Omit<ApplyOptions, "subresource"> = {},
  ): Promise<T> {
    return this.apply(resource, wanted, { ...options, subresource: "status" });
  }

  /** Changes an object in dependence on what it is: reads it, and writes what `change` makes of it, anew on every Conflict. */
  async mutate<T extends KubeObject>(
    resource: Resource<T>,
    address: ObjectAddress,
    change: Mutation<T>,
    options: MutateOptions & UpdateOptions = {},
  ): Promise<T> {
    const { attempts, signal } = options;
    const target = {
      read: () => this.get(resource, address, { signal }),
      write: (object: T | Draft<T>) => this.update(resource, object, options),
    };
    return mutateObject(target, change, { attempts, signal, ...this.#outside });
  }

  /** Deletes an object. The response is the object if the server gives it back, as it does while finalizers keep it, or a Status. */
  async delete<T extends KubeObject>(resource: Resource<T>, address: ObjectAddress, options: DeleteOptions = {}): Promise<T | Status> {
    return this.#delete(objectPath(resource, address), {}, options);
  }

  /** Deletes all objects of a selection in one namespace, or of a kind that is in none. */
  async deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList<T> | Status> {
    const { namespace, labelSelector, fieldSelector, ...how } = options;
    const path = collectionPath(resource, namespace);
    if (resource.scope === "Namespaced" && !namespace)
      throw new TypeError(`${formatKind(resource)}: a namespace is required to delete a collection`);
    return this.#delete(path, listQuery({ labelSelector, fieldSelector }), how);
  }

  /** How many replicas of an object are wanted and there are. Where none are wanted, `spec.replicas` is absent. */
  async getScale(resource: Resource, address: ObjectAddress, options: GetOptions = {}): Promise<Scale> {
    return this.#read("Scale", objectPath(resource, address, "scale"), options);
  }

  /** Sets how many replicas of an object are wanted. */
  async scale(resource: Resource, address: ObjectAddress, replicas: number, options: ScaleOptions = {}): Promise<Scale> {
    const { resourceVersion, ...how } = options;
    const patch = { ...(resourceVersion === undefined ? {} : { metadata: { resourceVersion } }), spec: { replicas } };
    return this.#patch("merge", resource, address, patch, { ...how, subresource: "scale" });
  }

  /** Makes a token for a service account. */
  async createToken(serviceAccount: ObjectAddress, spec: TokenRequestSpec = {}, options: WriteOptions = {}): Promise<TokenRequest> {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
    return this.#write({ method: "POST", path: objectPath(ServiceAccount, serviceAccount, "token"), body }, "TokenRequest", options);
  }

  /** Assigns a Pod to a node, as a scheduler does; a Pod that is on a node already is a Conflict. */
  async bind(pod: ObjectAddress, node: string, { uid, ...options }: BindOptions = {}): Promise<Status> {
    return this.#write(bindingCall(pod, node, uid), "Status", options);
  }

  /** Deletes a Pod if its disruption budgets allow it, otherwise throws with the reason `TooManyRequests`. */
  async evict(pod: ObjectAddress, options: DeleteOptions = {}): Promise<Status> {
    const { dryRun = this.#options.dryRun, signal, ...how } = options;
    return this.#write(evictionCall(pod, deleteBody({ ...how, dryRun })), "Status", { dryRun, signal });
  }

  /** The lines of a container's log. */
  logs(pod: ObjectAddress, options: PodLogOptions = {}): AsyncGenerator<string> {
    return logLines(this.api, objectPath(Pod, pod, "log"), options);
  }

  /**
   * Runs a command in a container to its end, and says what it wrote and with which code it ended: a code other than 0 is no error. It takes `create` and
   * `get` on `pods/exec`. It is never repeated: when the connection breaks, nobody knows how far it came.
   */
  async exec(pod: ObjectAddress, command: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    // Few programs run commands, and all would load what it takes.
    const { runCommand } = await import("./response/pod-command.ts");
    return runCommand(this.#once, { ...options, ...this.#outside, path: objectPath(Pod, pod, "exec"), command });
  }

  /**
   * Joins what a container itself reads and writes, from now until it ends; how it ended is in the status of its Pod. It takes `create` and `get` on `pods/attach`.
   * Whoever leaves before, aborts the signal: the container goes on.
   */
  async attach(pod: ObjectAddress, options: AttachOptions = {}): Promise<AttachResult> {
    const { attachTo } = await import("./response/pod-command.ts");
    return attachTo(this.#once, { ...options, ...this.#outside, path: objectPath(Pod, pod, "attach") });
  }

  /** Closes the connections; what is under way on them ends first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]?.();
  }

  #read<A>(kind: string, path: string, { resourceVersion, signal }: GetOptions): Promise<A> {
    return askForObject<A>(this.api, { method: "GET", path, query: { resourceVersion }, signal }, kind);
  }

  #write<A>(call: ApiCall, kind: string | undefined, options: WriteOptions): Promise<A> {
    const { readAnswer, signal } = options;
    const query = { ...writeQuery(options, this.#options), ...call.query };
    return askForObject<A>(this.api, { ...call, query, readAnswer, signal }, kind);
  }

  #wait<T extends KubeObject, Found>(
    resource: Resource<T>,
    address: ObjectAddress,
    found: (object: T | undefined) => Found | undefined,
    options: WaitOptions,
  ): Promise<Found> {
    objectPath(resource, address); // Refuses what is not the address of one object.
    const { namespace, name } = parseAddress(address);
    const selection = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: `metadata.name=${name}` };
    const target = {
      list: (signal: AbortSignal) => this.list(resource, { ...selection, signal }),
      watch: (resourceVersion: string | undefined, signal: AbortSignal) =>
        this.watch(resource, { ...selection, resourceVersion, allowWatchBookmarks: true, signal }),
    };
    const context = { ...this.#outside, of: resource, address: { namespace, name } };
    return waitForObject(target, found, { ...options, ...context });
  }

  #patch<A>(
    type: "merge" | "json" | "strategic-merge",
    resource: Resource,
    address: ObjectAddress,
    patch: unknown,
    options: UpdateOptions,
  ): Promise<A> {
    const path = objectPath(resource, address, options.subresource);
    const call = { method: "PATCH", path, body: patch, contentType: `application/${type}-patch+json` } as const;
    return this.#write(call, writtenKind(resource, options), options);
  }

  #delete<A>(path: string, query: Query, { dryRun = this.#options.dryRun, signal, ...how }: DeleteOptions): Promise<A> {
    const body = deleteBody({ ...how, dryRun });
    return askForObject<A>(this.api, { method: "DELETE", path, query, ...(body === undefined ? {} : { body }), signal });
  }
}

/** Of which kind the answer to a write is; undefined where only the server knows, since a subresource may have one of its own. */
function writtenKind({ kind }: Resource, { subresource = "status" }: UpdateOptions): string | undefined {
  return subresource === "status" ? kind : undefined;
}

/** The object with the type that the resource gives it, unless it states its own, which the server checks. */
function typed(object: Partial<Pick<KubeObject, "apiVersion" | "kind">>, resource: Resource): unknown {
  return { ...object, apiVersion: object.apiVersion ?? formatApiVersion(resource), kind: object.kind ?? resource.kind };
}

function addressOf(resource: Resource, object: { readonly metadata: DraftMeta }): NamespacedName {
  const { namespace, name = "" } = metadataOf(resource, object);
  return { namespace, name };
}

/** Checked at run time too: an object may come from a file or from JavaScript. */
function metadataOf(resource: Resource, object: { readonly metadata?: DraftMeta } | undefined): DraftMeta {
  const metadata = object?.metadata;
  if (typeof metadata !== "object" || metadata === null) throw new TypeError(`${formatKind(resource)}: the object has no metadata`);
  return metadata;
}
