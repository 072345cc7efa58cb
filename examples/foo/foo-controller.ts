import { Informers, WorkQueue, byOwner, controllerOf, errorMessage, isReason, objectKey, setControllerReference } from "kaji";
import type { Clock, DeepReadonly, Draft, Delta, Informer, KubeClient, KubeObject, ObjectKey, Random } from "kaji";
import { Deployment } from "kaji/apps/v1";
import { Foo } from "./foo.ts";

/** What the controller takes from outside: a server to talk to, and where time and chance come from. */
export interface FooControllerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly workers?: number;
  /** Hears of what failed and is tried again. Default: it is printed. */
  readonly onFailure?: (message: string) => void;
}

/**
 * A controller made by hand from its parts, to show what `defineController` puts together: informers mirror two kinds, event handlers
 * turn what happens into keys, a queue holds the keys, and workers bring one object after the other to what is wanted of it.
 */
export class FooController {
  readonly #client: KubeClient;
  readonly #informers: Informers;
  readonly #foos: Informer<Foo>;
  readonly #deployments: Informer<Deployment>;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #workers: number;
  readonly #onFailure: (message: string) => void;
  readonly #synced = Promise.withResolvers<void>();

  constructor({ client, clock, random, workers = 2, onFailure = console.error }: FooControllerOptions) {
    this.#client = client;
    // One set of informers for the program: however many ask for a kind, it is listed and watched once.
    this.#informers = new Informers({ source: client.listerWatcher, clock, random });
    this.#foos = this.#informers.acquire(Foo).informer;
    // The index answers "which Deployments does this Foo own" without looking at all of them.
    this.#deployments = this.#informers.acquire(Deployment, { indexes: [byOwner] }).informer;
    // Keys, not objects or events: ten changes of one Foo that wait are one thing to do.
    this.#queue = new WorkQueue({ clock });
    this.#workers = workers;
    this.#onFailure = onFailure;
  }

  /** Resolves when the mirrors are complete. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** What is left to do, and how long until something is due: for tests that wait until all is done. */
  get load(): { readonly queued: number; readonly inFlight: number; readonly nextDueInMs: number | undefined } {
    const { size, leased, nextDueInMs } = this.#queue;
    return { queued: size, inFlight: leased, nextDueInMs };
  }

  /** Runs until it is aborted, and returns when the last worker is done. */
  async run(signal: AbortSignal): Promise<void> {
    // Informers list, then watch, and go on whatever happens to the connection.
    const mirroring = this.#informers.run(signal);
    // A change of a Foo asks for that Foo; a change of a Deployment asks for the Foo that controls it.
    using foos = this.#foos.subscribe((delta) => this.#enqueue(delta.key));
    using deployments = this.#deployments.subscribe((delta) => this.#enqueueOwner(delta));
    // No worker starts before the mirrors are complete: half a list looks like many deletions.
    const inStep = await Promise.race([Promise.all([foos.synced, deployments.synced]).then(() => true), mirroring.then(() => false)]);
    this.#synced.resolve();
    const working = inStep ? Array.from({ length: this.#workers }, () => this.#work()) : [];
    await mirroring;
    // Closing hands out what is left, and lets the workers end.
    await Promise.all([this.#queue.close(), ...working]);
  }

  #enqueue(key: ObjectKey): void {
    this.#queue.add(key);
  }

  #enqueueOwner({ object }: Delta<DeepReadonly<Deployment>>): void {
    const owner = controllerOf(object);
    if (owner?.kind === Foo.kind) this.#queue.add(objectKey({ namespace: object.metadata.namespace, name: owner.name }));
  }

  /** Takes keys until the queue is closed. The same key is never with two workers: a change meanwhile brings it again afterwards. */
  async #work(): Promise<void> {
    for (;;) {
      using lease = await this.#queue.take();
      if (lease === undefined) return;
      await this.#processItem(lease.key);
    }
  }

  /** Does one item, and sees to it that what failed is tried again, later and later. */
  async #processItem(key: ObjectKey): Promise<void> {
    try {
      await this.#sync(key);
      this.#queue.forget(key);
    } catch (error) {
      // A conflict is no failure: another client wrote first, and its change is on its way to us.
      if (!isReason(error, "Conflict")) this.#onFailure(`foo ${key}: ${errorMessage(error)}; trying again`);
      this.#queue.addRateLimited(key);
    }
  }

  /** Compares what is with what is wanted, and closes the gap. It never asks what happened: only what is there now counts. */
  async #sync(key: ObjectKey): Promise<void> {
    const foo = this.#foos.lister.get(key);
    // It is gone, or going: the garbage collector takes care of its Deployment.
    if (foo === undefined || foo.metadata.deletionTimestamp !== undefined) return;
    const deployment = await this.#ensureDeployment(foo);
    await this.#removeFormer(foo);
    await this.#reportStatus(foo, deployment.status?.availableReplicas ?? 0);
  }

  async #ensureDeployment(foo: DeepReadonly<Foo>): Promise<DeepReadonly<Deployment>> {
    const { deploymentName: name, replicas } = foo.spec;
    const { namespace } = foo.metadata;
    const present = this.#deployments.lister.get({ namespace, name });
    if (present === undefined) return this.#observed(await this.#client.create(Deployment, newDeployment(foo)));
    if (controllerOf(present)?.uid !== foo.metadata.uid) throw new Error(`Deployment "${name}" exists and is not managed by this Foo`);
    if (present.spec?.replicas === replicas) return present;
    return this.#observed(await this.#client.mergePatch(Deployment, { namespace, name }, { spec: { replicas } }));
  }

  /** Deletes Deployments that this Foo managed under another name; each by its uid, so that no newer one of that name is hit. */
  async #removeFormer(foo: DeepReadonly<Foo>): Promise<void> {
    for (const { metadata } of this.#deployments.lister.by(byOwner, foo.metadata.uid ?? "")) {
      if (metadata.name === foo.spec.deploymentName || metadata.deletionTimestamp !== undefined) continue;
      const response = await this.#client.delete(Deployment, metadata, { preconditions: { uid: metadata.uid } });
      this.#informers.observeDeletion(Deployment, metadata, response);
    }
  }

  async #reportStatus(foo: DeepReadonly<Foo>, availableReplicas: number): Promise<void> {
    // Nothing to say, nothing to write: a controller at rest sends no requests.
    if (foo.status?.availableReplicas === availableReplicas) return;
    this.#observed(await this.#client.updateStatus(Foo, { ...foo, status: { availableReplicas } }));
  }

  /** Shows the response to a write to the mirrors at once, so that the next look at them is not older than what was just written. */
  #observed<T extends KubeObject>(written: T): T {
    this.#informers.observeWrite(written);
    return written;
  }
}

function newDeployment(foo: DeepReadonly<Foo>): Draft<Deployment> {
  const labels = { foo: foo.metadata.name };
  return setControllerReference(foo, {
    metadata: { name: foo.spec.deploymentName, namespace: foo.metadata.namespace ?? "" },
    spec: {
      replicas: foo.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] } },
    },
  });
}
