import assert from "node:assert/strict";
import type { KubeClient } from "@kaji/client";
import { isReason, systemClock } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@kaji/types/admissionregistration/v1";
import { Namespace, Node, PersistentVolumeClaim, Pod, ServiceAccount } from "@kaji/types/core/v1";
import type { NodeSpec, PodSpec } from "@kaji/types/core/v1";

interface NodeDraft {
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly spec?: NodeSpec;
}

/** A namespace and nodes of a scenario's own. */
export class SchedulingBench implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #nodes: string[] = [];
  readonly #policies: string[] = [];

  private constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  static async open(client: KubeClient, title: string): Promise<SchedulingBench> {
    const namespace = title
      .replaceAll(/[^a-z]+/g, "-")
      .slice(0, 40)
      .replace(/-$/, "");
    await client.create(Namespace, { metadata: { name: namespace } });
    try {
      await client.create(ServiceAccount, { metadata: { name: "default", namespace } });
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
    }
    return new SchedulingBench(client, namespace);
  }

  async node(name: string, { labels, allocatable, spec = {} }: NodeDraft = {}): Promise<void> {
    this.#nodes.push(name);
    await this.#client.create(Node, { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec });
    const resources = { cpu: "4", memory: "8Gi", pods: "110", ...allocatable };
    const now = new Date(systemClock.now()).toISOString();
    const ready = { type: "Ready", status: "True", reason: "KubeletReady", lastHeartbeatTime: now, lastTransitionTime: now };
    const status = { capacity: resources, allocatable: resources, conditions: [ready] };
    await this.#client.mergePatch(Node, { name }, { status }, { subresource: "status" });
    await this.#client.mergePatch(Node, { name }, { spec: { taints: spec.taints ?? null } });
    await this.#untilKnown(name, spec);
  }

  /** Waits until the scheduler has heard of a node: it binds a pod that is for this one only. Of a pod that it hears of first it would say that there is one node less. */
  async #untilKnown(node: string, { taints = [], unschedulable = false }: NodeSpec): Promise<void> {
    const cordon = { key: "node.kubernetes.io/unschedulable", operator: "Exists" } as const;
    const tolerations = [
      ...taints.map(({ key, effect }) => ({ key, operator: "Exists" as const, effect })),
      ...(unschedulable ? [cordon] : []),
    ];
    const pod = `${node}-is-known`;
    await this.pod(pod, { nodeSelector: { "kubernetes.io/hostname": node }, tolerations });
    await this.isOn(pod, node);
    await this.delete(pod);
  }

  async pod(name: string, spec: Partial<PodSpec> = {}, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const containers = [{ name: "main", image: "nginx" }];
    await this.#client.create(Pod, { metadata: { name, namespace: this.#namespace, labels }, spec: { containers, ...spec } });
  }

  async claim(name: string): Promise<void> {
    await this.#client.create(PersistentVolumeClaim, {
      metadata: { name, namespace: this.#namespace },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "absent", resources: { requests: { storage: "1Gi" } } },
    });
  }

  /** Has a policy refuse every binding of a pod to a node; returns when it is in force. */
  async refuseBindings(pod: string, message: string): Promise<void> {
    const name = `${this.#namespace}.example.com`;
    const rule = { operations: ["CREATE" as const], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/binding"] };
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": this.#namespace } };
    const matchConstraints = { resourceRules: [rule], namespaceSelector };
    const spec = { matchConstraints, validations: [{ expression: `request.name != "${pod}"`, message, reason: "Forbidden" }] };
    await this.#client.create(ValidatingAdmissionPolicy, { metadata: { name }, spec });
    await this.#client.create(ValidatingAdmissionPolicyBinding, {
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    });
    this.#policies.push(name);
    const path = `/api/v1/namespaces/${this.#namespace}/pods/${pod}/binding?dryRun=All`;
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name: pod }, target: { kind: "Node", name: "kaji-node" } };
    const isRefused = (): Promise<boolean> =>
      this.#client.api.json({ method: "POST", path, body }).then(
        () => false,
        (error: unknown) => String(error).includes(message),
      );
    await eventually(`the policy refuses the binding of ${pod}`, isRefused);
  }

  async delete(name: string): Promise<void> {
    await this.#client.delete(Pod, { namespace: this.#namespace, name }, { gracePeriodSeconds: 0 });
  }

  isOn(pod: string, node: string): Promise<void> {
    return this.until(pod, ({ spec }) => spec?.nodeName, node);
  }

  says(pod: string, message: string): Promise<void> {
    return this.until(pod, ({ status }) => status?.conditions?.find(({ type }) => type === "PodScheduled")?.message, message);
  }

  /** Asks until the answer is as expected, and fails with the last one if it never is. */
  async until<T>(pod: string, read: (pod: Pod) => T, expected: T): Promise<void> {
    let found: T | undefined;
    for (let tries = 0; tries < 1200; tries++) {
      found = read(await this.#client.get(Pod, { namespace: this.#namespace, name: pod }));
      if (found === expected) return;
      await systemClock.sleep(50);
    }
    assert.equal(found, expected);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.deleteCollection(Pod, { namespace: this.#namespace, gracePeriodSeconds: 0 });
    for (const name of this.#nodes) await this.#client.delete(Node, { name });
    for (const name of this.#policies) await this.#client.delete(ValidatingAdmissionPolicyBinding, { name });
  }
}
