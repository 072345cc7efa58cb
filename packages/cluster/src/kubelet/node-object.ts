import { formatTime } from "@kaji/core";
import type { Draft } from "@kaji/core";
import type { Node, NodeCondition, NodeStatus, Taint } from "@kaji/types/core/v1";

/** What a simulated node is like. */
export interface NodeOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Default 8 CPUs, 16 Gi of memory, 100 Gi of storage and 110 pods. What is stated is added or takes their place. */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** Where a node is reached, and what addresses its pods have. */
export interface NodeNetwork {
  readonly ip: string;
  readonly podCidr: string;
}

const defaultCapacity = { cpu: "8", memory: "16Gi", "ephemeral-storage": "100Gi", "hugepages-1Gi": "0", "hugepages-2Mi": "0", pods: "110" };

/** The object that a node registers itself with. */
export function nodeObject(options: NodeOptions, network: NodeNetwork, nowMs: number): Draft<Node> & { readonly status: NodeStatus } {
  const { name, labels = {}, taints = [] } = options;
  return {
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...labels,
      },
      annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true" },
    },
    spec: { podCIDR: network.podCidr, podCIDRs: [network.podCidr], ...(taints.length === 0 ? {} : { taints }) },
    status: nodeStatus(options, network, nowMs, undefined),
  };
}

/** The status that a node posts; its conditions are always healthy. */
export function nodeStatus(
  { name, capacity = {} }: NodeOptions,
  { ip }: NodeNetwork,
  nowMs: number,
  before: NodeStatus | undefined,
): NodeStatus {
  const all = { ...extendedResources(before?.capacity ?? {}), ...defaultCapacity, ...capacity };
  return {
    ...before,
    capacity: all,
    allocatable: all,
    conditions: conditions(nowMs, before?.conditions ?? []),
    addresses: [
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: "6.12.0",
      osImage: "kaji (simulated)",
      containerRuntimeVersion: "containerd://2.2.0",
      kubeletVersion: "v1.36.3",
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

/** The extended resources, such as `example.com/dongle`, that other clients put into a node's capacity: kept, and allocatable in full. */
function extendedResources(capacity: NonNullable<NodeStatus["capacity"]>): NonNullable<NodeStatus["capacity"]> {
  return Object.fromEntries(Object.entries(capacity).filter(([name]) => name.includes("/")));
}

const healthy: readonly Pick<NodeCondition, "type" | "status" | "reason" | "message">[] = [
  { type: "MemoryPressure", status: "False", reason: "KubeletHasSufficientMemory", message: "kubelet has sufficient memory available" },
  { type: "DiskPressure", status: "False", reason: "KubeletHasNoDiskPressure", message: "kubelet has no disk pressure" },
  { type: "PIDPressure", status: "False", reason: "KubeletHasSufficientPID", message: "kubelet has sufficient PID available" },
  { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" },
];

function conditions(nowMs: number, before: readonly NodeCondition[]): readonly NodeCondition[] {
  const now = formatTime(nowMs);
  const others = before.filter(({ type }) => !healthy.some((own) => own.type === type));
  const own = healthy.map((condition) => {
    const known = before.find(({ type }) => type === condition.type);
    const kept = known?.status === condition.status ? known.lastTransitionTime : undefined;
    return { ...condition, lastHeartbeatTime: now, lastTransitionTime: kept ?? now };
  });
  return [...others, ...own];
}
