import { AppsV1Api, CustomObjectsApi, KubeConfig, makeInformer } from "@kubernetes/client-node";

const bars = { group: "samplecontroller.example.com", version: "v1alpha1", plural: "bars" };
const retryMs = 100;

/** Keeps a Deployment for each Bar: a queue without duplicates, so many workers, reads from the informers, writes only where something differs. */
export async function operate(talk, count, concurrency) {
  const config = new KubeConfig();
  config.loadFromDefault();
  const custom = config.makeApiClient(CustomObjectsApi);
  const apps = config.makeApiClient(AppsV1Api);
  const barInformer = makeInformer(config, "/apis/samplecontroller.example.com/v1alpha1/bars", () =>
    custom.listCustomObjectForAllNamespaces({ ...bars, resourcePlural: bars.plural }),
  );
  const deploymentInformer = makeInformer(config, "/apis/apps/v1/deployments", () => apps.listDeploymentForAllNamespaces());
  const settled = new Set();
  let hasStarted = false;

  const queue = new Queue(concurrency, async (key) => {
    const [namespace, name] = key.split("/");
    const bar = barInformer.get(name, namespace);
    if (bar === undefined) return;
    talk.arrived(bar.metadata);
    if (!hasStarted) talk.say("reconciling");
    hasStarted = true;
    const deployment = await ensureDeployment(apps, bar, deploymentInformer.get(bar.spec.deploymentName, namespace));
    await ensureStatus(custom, bar, deployment.status?.availableReplicas ?? 0);
    if (!settled.has(key) && settled.add(key).size === count) talk.say("settled");
  });
  const addOwner = ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === "Bar");
    if (owner !== undefined) queue.add(`${metadata.namespace}/${owner.name}`);
  };
  barInformer.on("change", ({ metadata }) => queue.add(`${metadata.namespace}/${metadata.name}`));
  deploymentInformer.on("change", addOwner);
  for (const informer of [barInformer, deploymentInformer]) {
    informer.on("error", () => setTimeout(() => void informer.start(), retryMs));
  }
  await deploymentInformer.start();
  await barInformer.start();
}

async function ensureDeployment(apps, bar, current) {
  const { name, namespace, uid } = bar.metadata;
  const { deploymentName, replicas } = bar.spec;
  if (current !== undefined) {
    if (current.spec.replicas === replicas) return current;
    return apps.replaceNamespacedDeployment({
      name: deploymentName,
      namespace,
      body: { ...current, spec: { ...current.spec, replicas } },
    });
  }
  const labels = { bar: name };
  const owner = { apiVersion: bar.apiVersion, kind: bar.kind, name, uid, controller: true, blockOwnerDeletion: true };
  const spec = {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] } },
  };
  return apps.createNamespacedDeployment({ namespace, body: { metadata: { name: deploymentName, ownerReferences: [owner] }, spec } });
}

async function ensureStatus(custom, bar, availableReplicas) {
  const { name, namespace, generation } = bar.metadata;
  const isAvailable = availableReplicas >= bar.spec.replicas;
  const ready = { type: "Ready", status: isAvailable ? "True" : "False", reason: isAvailable ? "Available" : "Progressing", message: "" };
  const [former] = bar.status?.conditions ?? [];
  const isSame =
    former?.status === ready.status && former.observedGeneration === generation && bar.status.availableReplicas === availableReplicas;
  if (isSame) return;
  const lastTransitionTime = former?.status === ready.status ? former.lastTransitionTime : new Date().toISOString();
  const status = { availableReplicas, conditions: [{ ...ready, observedGeneration: generation, lastTransitionTime }] };
  await custom.replaceNamespacedCustomObjectStatus({ ...bars, name, namespace, body: { ...bar, status } });
}

/** Keys that wait for one of so many workers; none is worked on twice at once, and a key whose work failed comes again. */
class Queue {
  #waiting = new Set();
  #busy = new Set();
  #limit;
  #work;

  constructor(limit, work) {
    this.#limit = limit;
    this.#work = work;
  }

  add(key) {
    this.#waiting.add(key);
    this.#pump();
  }

  #pump() {
    for (const key of this.#waiting) {
      if (this.#busy.size === this.#limit) return;
      if (!this.#busy.has(key)) void this.#run(key);
    }
  }

  async #run(key) {
    this.#waiting.delete(key);
    this.#busy.add(key);
    try {
      await this.#work(key);
    } catch {
      setTimeout(() => this.add(key), retryMs);
    }
    this.#busy.delete(key);
    this.#pump();
  }
}
