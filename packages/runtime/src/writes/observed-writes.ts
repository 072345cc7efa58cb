import { isReason, parseObjectKey, thrownError } from "@kaji/core";
import type { DraftMeta, KubeObject, NamespacedName, ObjectKey, Resource, Status } from "@kaji/core";
import type { DeleteOptions, ObjectAddress, WriteOptions } from "@kaji/client";
import { Pod } from "@kaji/types/core/v1";
import type { DeclaredAccess } from "../declare/access.ts";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Verb } from "../declare/declarations.ts";
import { verbCheck } from "../declare/declared-verbs.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import type { LiveReads, Writes } from "../reconcile/reconcile-context.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";

/** Is told of each write before it is sent, and then of the response. */
export type WriteListener = (attempt: ReconcileAttempt, resource: Resource, address: NamespacedName) => (response: KubeObject) => void;

/** Which object is written: by its name, and where it is known, by its uid. */
interface WriteAddress extends NamespacedName {
  readonly uid?: string | undefined;
}

/** What is written, and how. */
interface WriteTarget<C extends KubeObject, O extends WriteOptions> {
  readonly resource: Resource<C>;
  readonly address: WriteAddress;
  readonly options: O | undefined;
}

/**
 * The client of a controller. Whatever it writes passes the fence, is declared, carries the controller's field manager, and is seen by the next read of the
 * cache, with the reconcile as its writer.
 */
export class ObservedWrites {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #isDeclared: (verb: Verb, resource: Resource) => boolean;
  readonly #onWrite: WriteListener;

  constructor(controller: Controller, environment: ControllerEnvironment, onWrite: WriteListener) {
    this.#controller = controller;
    this.#environment = environment;
    this.#isDeclared = verbCheck(controller);
    this.#onWrite = onWrite;
  }

  /** The writes of one reconcile. */
  for(attempt: ReconcileAttempt): Writes<DeclaredAccess> {
    const { client } = this.#environment;
    const { signal } = attempt;
    const write = <C extends KubeObject, O extends WriteOptions>(
      action: Action,
      to: WriteTarget<C, O>,
      send: (all: O) => Promise<C>,
    ): Promise<C> => this.#write(attempt, action, to, send);
    return {
      create: (resource, object, options) =>
        write("create", { resource, address: addressOf(object), options }, (all) => client.create(resource, object, all)),
      update: (resource, object, options) =>
        write(on("update", options), { resource, address: addressOf(object), options }, (all) => client.update(resource, object, all)),
      updateStatus: (resource, object, options) =>
        write("update/status", { resource, address: addressOf(object), options }, (all) => client.updateStatus(resource, object, all)),
      mergePatch: (resource, address, patch, options) =>
        write(on("patch", options), { resource, address: parsed(address), options }, (all) =>
          client.mergePatch(resource, address, patch, all),
        ),
      apply: (resource, wanted, options) =>
        write(on("apply", options), { resource, address: addressOf(wanted), options }, (all) => client.apply(resource, wanted, all)),
      applyStatus: (resource, wanted, options) =>
        write("apply/status", { resource, address: addressOf(wanted), options }, (all) => client.applyStatus(resource, wanted, all)),
      delete: (resource, object, options) => this.#delete(attempt, resource, object, options),
      deleteCollection: async (resource, options) => {
        this.#permit(attempt, "deletecollection", resource);
        return client.deleteCollection(resource, { signal, ...options });
      },
      evict: async (pod, options) => {
        this.#permit(attempt, "create/eviction", Pod);
        return client.evict(pod, { signal, ...options });
      },
    };
  }

  /** The live reads of one reconcile. */
  readsFor({ signal }: ReconcileAttempt): LiveReads<KubeObject> {
    const { client } = this.#environment;
    return {
      get: async (resource, address) => {
        this.#declared("get", resource);
        try {
          return await client.get(resource, address, { signal });
        } catch (error) {
          if (isReason(error, "NotFound")) return undefined;
          throw error;
        }
      },
      list: async (resource, options = {}) => {
        this.#declared("list", resource);
        return client.list(resource, { ...options, signal });
      },
    };
  }

  async #write<C extends KubeObject, O extends WriteOptions>(
    attempt: ReconcileAttempt,
    action: Action,
    { resource, address, options: given }: WriteTarget<C, O>,
    send: (options: O) => Promise<C>,
  ): Promise<C> {
    this.#permit(attempt, verbOf(action), resource);
    let bytes: Uint8Array | undefined;
    const onResponseBytes = (response: Uint8Array): void => {
      bytes = response;
      given?.onResponseBytes?.(response);
    };
    // Every field of `O` is optional, so that absent options are an empty `O`.
    const options = { fieldManager: this.#controller.fieldManager, signal: attempt.signal, ...(given as O), onResponseBytes };
    if (options.dryRun === true) return send(options);
    const { informers } = this.#environment;
    const onResponse = this.#onWrite(attempt, resource, address);
    const note = attempt.notes?.write(action, resource, address);
    // With `generateName` the name is known only from the response. Not `using`, which takes far longer than this.
    const write = address.name === "" ? undefined : informers.beginWrite(resource, address);
    try {
      const response = await send(options);
      note?.(response);
      onResponse(response);
      informers.observeWrite(response, { writer: attempt.writer, bytes });
      return response;
    } catch (error) {
      note?.(thrownError(error));
      // Hides the object before its watch event comes: otherwise each child that the garbage collector deletes would requeue an owner that is gone.
      if (isReason(error, "NotFound") && error.details?.name === address.name) this.observeAbsence(resource, address);
      throw error;
    } finally {
      write?.[Symbol.dispose]();
    }
  }

  async #delete<C extends KubeObject>(
    attempt: ReconcileAttempt,
    resource: Resource<C>,
    { metadata }: Pick<KubeObject, "metadata">,
    options: DeleteOptions = {},
  ): Promise<C | Status | undefined> {
    this.#permit(attempt, "delete", resource);
    const { client, informers } = this.#environment;
    const { name, namespace, uid } = metadata;
    const address = { name, namespace };
    using _write = informers.beginWrite(resource, address);
    const note = attempt.notes?.write("delete", resource, address);
    try {
      const preconditions = { uid, ...options.preconditions };
      const response = await client.delete(resource, address, { signal: attempt.signal, ...options, preconditions });
      informers.observeDeletion(resource, address, response, { writer: attempt.writer });
      note?.("Gone");
      return response;
    } catch (error) {
      note?.(isReason(error, "NotFound") ? "Gone" : thrownError(error));
      if (!isReason(error, "NotFound")) throw error;
      this.observeAbsence(resource, metadata);
      return undefined;
    }
  }

  /** Hides the object from cache reads before the watch event of its deletion comes. */
  observeAbsence(resource: Resource, address: WriteAddress): void {
    this.#environment.informers.observeDeletion(resource, address, { apiVersion: "", kind: resource.kind, metadata: gone(address) });
  }

  #permit(attempt: ReconcileAttempt, verb: Verb, resource: Resource): void {
    attempt.throwIfOver();
    if (this.#controller.needsLeader) this.#fence(attempt.key);
    this.#declared(verb, resource);
  }

  #fence(key: ObjectKey): void {
    const { shards, fence } = this.#environment;
    if (shards === undefined) fence?.();
    else shards.fence(key);
  }

  #declared(verb: Verb, resource: Resource): void {
    if (!this.#isDeclared(verb, resource)) throw new UndeclaredError(this.#controller, verb, resource);
  }
}

/** What is done, as the context calls it: an apply is a patch to the server. */
type Action = Verb | "apply" | `apply/${string}`;

function on(action: "apply" | "update" | "patch", options: { readonly subresource?: string | undefined } | undefined): Action {
  return options?.subresource === undefined ? action : `${action}/${options.subresource}`;
}

function verbOf(action: Action): Verb {
  if (isVerb(action)) return action;
  return action === "apply" ? "patch" : `patch/${action.slice("apply/".length)}`;
}

function isVerb(action: Action): action is Verb {
  return !action.startsWith("apply");
}

function addressOf({ metadata }: { readonly metadata: DraftMeta }): WriteAddress {
  return { name: metadata.name ?? "", namespace: metadata.namespace, uid: metadata.uid };
}

function parsed(address: ObjectAddress): WriteAddress {
  return typeof address === "string" ? parseObjectKey(address) : address;
}

function gone({ name, namespace, uid }: WriteAddress): KubeObject["metadata"] {
  return { name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
}
