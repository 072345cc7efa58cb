import { thrownError } from "@kaji/core";
import type { KubeObject, NamespacedName, ObjectKey, Resource, Status } from "@kaji/core";
import type {
  Answer,
  ApplyConfiguration,
  ApplyOptions,
  DeleteOptions,
  MergePatch,
  ObjectAddress,
  UpdateOptions,
  WriteOptions,
} from "@kaji/client";
import { parseAddress, selectionText } from "@kaji/client";
import { MalformedJsonError } from "@kaji/informer";
import { Pod, ServiceAccount } from "@kaji/types/core/v1";
import type { DeclaredAccess } from "../declare/access.ts";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Verb } from "../declare/declarations.ts";
import { declaredOnly } from "../declare/undeclared-error.ts";
import { withMissingGrant } from "../declare/ungranted-error.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import { whileBoth } from "../reconcile/while-both.ts";
import type { Annotation } from "../reconcile/own-annotations.ts";
import type { FinalizerChange } from "../reconcile/reconcile-report.ts";
import type { Writes } from "../declare/reconcile-context.ts";
import { isAbsence, observeAbsence, unlessAbsent } from "./absence.ts";
import { mayBeDone } from "./may-be-done.ts";
import type { UnconfirmedObject } from "./unconfirmed-objects.ts";
import { addressOf } from "./write-address.ts";
import type { WriteAddress } from "./write-address.ts";
import { Written } from "./written.ts";

/** What is told of writes. */
export interface WriteListener {
  /** A write is about to be sent; what it returns is told of the response. */
  readonly onWrite: (attempt: ReconcileAttempt, resource: Resource, address: NamespacedName) => (written: Written<KubeObject>) => void;
  /** A write to the object has failed, and may have been done all the same. */
  readonly onUnanswered: (key: ObjectKey, object: UnconfirmedObject) => void;
}

/** What is written, and how. */
interface WriteTarget<O extends WriteOptions> {
  readonly resource: Resource;
  readonly address: WriteAddress;
  readonly options: O | undefined;
  readonly finalizer?: FinalizerChange;
  /** The one annotation that is written. */
  readonly annotation?: string;
  /** The field for which it is written. */
  readonly field?: string | undefined;
  /** What is sent of it. */
  readonly content: object;
}

/** What holds for whatever is asked. */
interface AskOptions {
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is asked, of which objects. */
interface AskTarget<O> {
  /** What is declared for it. */
  readonly verb: Verb;
  readonly resource: Resource;
  readonly address: NamespacedName;
  /** Which of those that are called `*`. */
  readonly selector?: string | undefined;
  readonly options: O | undefined;
}

/**
 * The writes of a controller. Each passes the fence, is declared, carries the controller's field manager, and is seen by the next read of the
 * cache, with the reconcile as its writer.
 */
export class ObservedWrites {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #requireDeclared: (verb: Verb, resource: Resource) => void;
  readonly #listener: WriteListener;
  /** As whom it is written; undefined if as the operator itself. */
  readonly #username: string | undefined;

  constructor(controller: Controller, environment: ControllerEnvironment, listener: WriteListener, username?: string) {
    this.#controller = controller;
    this.#environment = environment;
    // What another user may do is for the server to say, and in no declaration.
    this.#requireDeclared = username === undefined ? declaredOnly(controller) : () => {};
    this.#listener = listener;
    this.#username = username;
  }

  /** The same writes as another user. */
  as(username: string): ObservedWrites {
    const environment = { ...this.#environment, client: this.#environment.client.as(username) };
    return new ObservedWrites(this.#controller, environment, this.#listener, username);
  }

  /** The writes of one reconcile. */
  for(attempt: ReconcileAttempt): Writes<DeclaredAccess> {
    const { client } = this.#environment;
    const write = async <C extends KubeObject, O extends WriteOptions>(
      action: Action,
      to: WriteTarget<O>,
      send: (all: O) => Promise<unknown>,
    ): Promise<C> => (await this.#write<C, O>(attempt, action, to, send)).object;
    return {
      create: (resource, object, options) =>
        write("create", { resource, address: addressOf(object), options, content: object }, (all) => client.create(resource, object, all)),
      update: (resource, object, options) =>
        write(on("update", options), { resource, address: addressOf(object), options, content: object }, (all) =>
          client.update(resource, object, all),
        ),
      updateStatus: (resource, object, options) =>
        write("update/status", { resource, address: addressOf(object), options, content: object }, (all) =>
          client.updateStatus(resource, object, all),
        ),
      mergePatch: async (resource, address, patch, options) => (await this.mergePatch(attempt, resource, address, patch, options)).object,
      apply: async (resource, wanted, options) => (await this.apply(attempt, resource, wanted, options)).object,
      applyStatus: (resource, wanted, options) =>
        write("apply/status", { resource, address: addressOf(wanted), options, content: wanted }, (all) =>
          client.applyStatus(resource, wanted, all),
        ),
      scale: (resource, address, replicas, options) =>
        write("patch/scale", { resource, address: parseAddress(address), options, content: {} }, (all) =>
          client.scale(resource, address, replicas, all),
        ),
      bind: async ({ metadata }, node, options) => {
        const to = { resource: Pod, address: metadata, options, content: {} };
        await write("create/binding", to, (all) => client.bind(metadata, node, { ...all, uid: metadata.uid }));
      },
      delete: (resource, object, options) => this.#delete(attempt, resource, object, options),
      deleteCollection: async (resource, options = {}) => {
        const of = { address: { namespace: options.namespace, name: "*" }, selector: selectionText(options) };
        const to = { verb: "deletecollection", resource, ...of, options } as const;
        return this.#ask(attempt, "deletecollection", to, (all) => client.deleteCollection(resource, all));
      },
      evict: (pod, options = {}) => {
        const address: WriteAddress = parseAddress(pod);
        const preconditions = { uid: address.uid, ...options.preconditions };
        const to = { verb: "create/eviction", resource: Pod, address, options: { ...options, preconditions } } as const;
        return this.#ask(attempt, "evict", to, (all) => unlessAbsent(address, client.evict(address, all)));
      },
      exec: (pod, command, options) => {
        const to = { verb: "create/exec", resource: Pod, address: parseAddress(pod), options } as const;
        return this.#ask(attempt, "exec", to, (all) => client.exec(pod, command, all));
      },
      createToken: (serviceAccount, spec, options) => {
        const to = { verb: "create/token", resource: ServiceAccount, address: parseAddress(serviceAccount), options } as const;
        return this.#ask(attempt, "create/token", to, (all) => client.createToken(serviceAccount, spec, all));
      },
    };
  }

  /** Applies as the client of a reconcile does, without a look at the object in the answer. `field`: for which it is applied, where that is known. */
  apply<C extends KubeObject>(
    attempt: ReconcileAttempt,
    resource: Resource<C>,
    wanted: ApplyConfiguration<C>,
    options?: ApplyOptions,
    field?: string,
  ): Promise<Written<C>> {
    const to = { resource, address: addressOf(wanted), options, field, content: wanted };
    return this.#write(attempt, on("apply", options), to, (all) => this.#environment.client.apply(resource, wanted, all));
  }

  /** Patches as the client of a reconcile does, without a look at the object in the answer. */
  mergePatch<C extends KubeObject>(
    attempt: ReconcileAttempt,
    resource: Resource<C>,
    address: ObjectAddress,
    patch: MergePatch<C>,
    options?: UpdateOptions,
  ): Promise<Written<C>> {
    const to = { resource, address: parseAddress(address), options, content: patch };
    return this.#write(attempt, on("patch", options), to, (all) => this.#environment.client.mergePatch(resource, address, patch, all));
  }

  /** Gives the object the finalizers that it has here, if it is otherwise as it is here. */
  async patchFinalizers<C extends KubeObject>(
    attempt: ReconcileAttempt,
    resource: Resource<C>,
    { metadata }: KubeObject,
    finalizer: FinalizerChange,
  ): Promise<C> {
    const { finalizers = [], resourceVersion } = metadata;
    // A merge patch replaces the list: the resourceVersion keeps it from removing a finalizer that another client added.
    const patch = { metadata: { finalizers, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
    const to = { resource, address: metadata, options: undefined, finalizer, content: patch };
    const { client, informers } = this.#environment;
    const sent = (all: WriteOptions): Promise<unknown> => client.mergePatch<KubeObject>(resource, metadata, patch, all);
    const { object } = await this.#write<C, WriteOptions>(attempt, "patch", to, sent);
    // With its last finalizer an object goes that was being deleted; the answer shows it in the version that it had.
    if (object.metadata.deletionTimestamp !== undefined) informers.observeDeletion(resource, metadata, object, { writer: attempt.writer });
    return object;
  }

  /** Writes an annotation of the object, if it is still the same one, and of this version if one is given. */
  async annotate<C extends KubeObject>(
    attempt: ReconcileAttempt,
    resource: Resource<C>,
    { metadata }: KubeObject,
    { name, text }: Annotation,
    resourceVersion?: string,
  ): Promise<C> {
    const { uid } = metadata;
    const identity = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    const patch = { metadata: { ...identity, annotations: { [name]: text } } };
    const to = { resource, address: metadata, options: undefined, annotation: name, content: patch };
    const { client } = this.#environment;
    const sent = (all: WriteOptions): Promise<unknown> => client.mergePatch<KubeObject>(resource, metadata, patch, all);
    return (await this.#write<C, WriteOptions>(attempt, "patch", to, sent)).object;
  }

  async #write<C extends KubeObject, O extends WriteOptions>(
    attempt: ReconcileAttempt,
    action: Action,
    { resource, address, options: given, finalizer, annotation, field, content }: WriteTarget<O>,
    send: (options: O) => Promise<unknown>,
  ): Promise<Written<C>> {
    this.#permit(attempt, verbOf(action), resource);
    // Every field of `O` is optional, so that absent options are an empty `O`.
    const signal = whileBoth(attempt.signal, given?.signal);
    const options = { fieldManager: this.#controller.fieldManager, ...(given as O), signal, readAnswer };
    if (options.dryRun === true) return new Written((await send(options)) as Answer<C>, undefined);
    const { informers } = this.#environment;
    const onResponse = this.#listener.onWrite(attempt, resource, address);
    const note = attempt.notes?.write(action, resource, address, { finalizer, annotation, field, as: this.#username });
    // With `generateName` the name is known only from the response. Not `using`, which takes far longer than this.
    const write = address.name === "" ? undefined : informers.beginWrite(resource, address);
    attempt.beginWrite();
    try {
      const answer = (await send(options)) as Answer<C>;
      const written = new Written(answer, this.#observe(attempt, resource, answer));
      note?.(written.object);
      onResponse(written);
      return written;
    } catch (refused) {
      const error = this.#username === undefined ? withMissingGrant(refused, this.#controller, resource, content) : refused;
      note?.(thrownError(error));
      // Hides the object before its watch event comes: otherwise each child that the garbage collector deletes would requeue an owner that is gone.
      if (isAbsence(error, address) && !isOnSubresource(action)) observeAbsence(informers, resource, address);
      else if (mayBeDone(refused)) this.#listener.onUnanswered(attempt.key, { resource, address });
      throw error;
    } finally {
      write?.[Symbol.dispose]();
      attempt.endWrite();
    }
  }

  /** Shows the answer to the mirrors; the version in it, if there is one of the kind. */
  #observe(attempt: ReconcileAttempt, resource: Resource, answer: Answer): string | undefined {
    try {
      return this.#environment.informers.observeWrite({ resource, bytes: answer.bytes }, { writer: attempt.writer });
    } catch (error) {
      if (!(error instanceof MalformedJsonError)) throw error;
      // It says which request was answered in that way.
      return void answer.value;
    }
  }

  /** Asks for what is no write of one object: what comes of it, the mirrors hear from the server. */
  async #ask<A, O extends AskOptions>(
    attempt: ReconcileAttempt,
    called: string,
    { verb, resource, address, selector, options }: AskTarget<O>,
    send: (options: O & AskOptions) => Promise<A>,
  ): Promise<A> {
    this.#permit(attempt, verb, resource);
    const note = options?.dryRun === true ? undefined : attempt.notes?.write(called, resource, address, { selector, as: this.#username });
    attempt.beginWrite();
    try {
      // Every field of `O` is optional, so that absent options are an empty `O`.
      const answer = await send({ ...(options as O), signal: whileBoth(attempt.signal, options?.signal) });
      note?.("Done");
      return answer;
    } catch (error) {
      note?.(thrownError(error));
      throw error;
    } finally {
      attempt.endWrite();
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
    const how = { ...options, signal: whileBoth(attempt.signal, options.signal), preconditions: { uid, ...options.preconditions } };
    if (options.dryRun === true) return unlessAbsent(address, client.delete(resource, address, how));
    using _write = informers.beginWrite(resource, address);
    const note = attempt.notes?.write("delete", resource, address, { as: this.#username });
    attempt.beginWrite();
    try {
      const response = await client.delete(resource, address, how);
      informers.observeDeletion(resource, address, response, { writer: attempt.writer });
      note?.("Done");
      return response;
    } catch (error) {
      note?.(isAbsence(error, address) ? "Done" : thrownError(error));
      if (mayBeDone(error)) this.#listener.onUnanswered(attempt.key, { resource, address: { ...address, uid } });
      if (!isAbsence(error, address)) throw error;
      observeAbsence(informers, resource, metadata);
      return undefined;
    } finally {
      attempt.endWrite();
    }
  }

  #permit(attempt: ReconcileAttempt, verb: Verb, resource: Resource): void {
    attempt.throwIfOver();
    if (this.#controller.needsLeader) this.#fence(attempt.key);
    this.#requireDeclared(verb, resource);
  }

  #fence(key: ObjectKey): void {
    const { shards, fence } = this.#environment;
    if (shards === undefined) fence?.();
    else shards.fence(key);
  }
}

/** What is done, as the context calls it: an apply is a patch to the server. */
type Action = Verb | "apply" | `apply/${string}`;

/** As it came. */
function readAnswer(answer: Answer): Answer {
  return answer;
}

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

function isOnSubresource(action: Action): boolean {
  return action.includes("/");
}
