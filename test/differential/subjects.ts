import type { JsonObject } from "@kaji/core";

/** A kind to make requests about. */
export interface Subject {
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly isCustom: boolean;
  path(namespace: string): string;
  readonly subresources: readonly string[];
  /** What an object may hold besides its type and metadata. */
  readonly object: readonly JsonObject[];
  /** What a patch may change. */
  readonly parts: readonly JsonObject[];
  readonly pointers: readonly string[];
}

const template = (...images: readonly string[]): JsonObject => ({
  metadata: { labels: { app: "web" } },
  spec: {
    containers: images.map((image, index) => ({ name: `c${index}`, image, ...(index === 0 ? { ports: [{ containerPort: 80 }] } : {}) })),
  },
});
const selector = { matchLabels: { app: "web" } };

/** The definition of the custom kind among the subjects. */
export const shirtDefinition: JsonObject = {
  metadata: { name: "shirts.differential.example.com" },
  spec: {
    group: "differential.example.com",
    scope: "Namespaced",
    names: { plural: "shirts", kind: "Shirt" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["color"],
                properties: {
                  color: { type: "string", enum: ["red", "blue"] },
                  size: { type: "integer", minimum: 0, maximum: 100, default: 1 },
                  tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
                  parts: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" }, note: { type: "string", nullable: true } },
                    },
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                  },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

/** Kinds that differ in how they are written: plain, with status and scale, with a revision that must be given, custom. */
export const subjects: readonly Subject[] = [
  {
    type: { apiVersion: "v1", kind: "ConfigMap" },
    isCustom: false,
    path: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
    subresources: ["status"],
    object: [
      {},
      { data: { k: "v" } },
      { data: { k: "w", l: "v" } },
      { data: { k: "v" }, binaryData: { b: "AAEC" } },
      { data: { k: "v" }, immutable: true },
    ],
    parts: [
      { data: { k: "x" } },
      { data: { k: null } },
      { data: null },
      { data: { m: "n" }, immutable: true },
      { binaryData: { b: "AA==" } },
    ],
    pointers: ["/data", "/data/k", "/data/l", "/immutable", "/binaryData/b"],
  },
  {
    type: { apiVersion: "apps/v1", kind: "Deployment" },
    isCustom: false,
    path: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
    subresources: ["status", "scale"],
    object: [
      { spec: { selector, template: template("nginx") } },
      { spec: { replicas: 3, selector, template: template("nginx", "busybox") } },
      { spec: { replicas: 2, selector, template: template("nginx:2"), strategy: { type: "Recreate" }, paused: true } },
      { spec: { selector: { matchLabels: { app: "other" } }, template: template("nginx") } },
    ],
    parts: [
      { spec: { replicas: 5 } },
      { spec: { replicas: null, paused: true } },
      { spec: { template: { spec: { containers: [{ name: "c0", image: "new" }] } } } },
      { spec: { template: { spec: { containers: [{ name: "c1", image: "side" }] } } } },
      { spec: { strategy: { type: "Recreate", rollingUpdate: null } } },
      { spec: { selector: { matchLabels: { tier: "x" } } } },
      { status: { replicas: 4 } },
    ],
    pointers: [
      "/spec/replicas",
      "/spec/template/spec/containers/0/image",
      "/spec/template/spec/containers",
      "/spec/paused",
      "/status/replicas",
    ],
  },
  {
    type: { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
    isCustom: false,
    path: (namespace) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    subresources: ["status"],
    object: [
      {},
      { spec: { holderIdentity: "me", leaseDurationSeconds: 15 } },
      { spec: { holderIdentity: "you", renewTime: "2026-01-01T00:00:00.000000Z" } },
    ],
    parts: [
      { spec: { holderIdentity: "she" } },
      { spec: { leaseDurationSeconds: 0 } },
      { spec: null },
      { spec: { acquireTime: "2026-01-01T00:00:00.000000Z" } },
    ],
    pointers: ["/spec/holderIdentity", "/spec/leaseDurationSeconds", "/spec"],
  },
  {
    type: { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
    isCustom: false,
    path: (namespace) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
    subresources: ["status"],
    object: [
      { spec: { podSelector: {} } },
      { spec: { podSelector: selector, policyTypes: ["Egress"], egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }] } },
      {
        spec: {
          podSelector: {},
          ingress: [{ from: [{ podSelector: selector }], ports: [{ port: 80 }, { port: "web", protocol: "UDP" }] }],
        },
      },
    ],
    parts: [
      { spec: { ingress: [] } },
      { spec: { egress: null, policyTypes: ["Ingress"] } },
      { spec: { podSelector: { matchLabels: { app: "x" } } } },
      { spec: { ingress: [{ ports: [{ port: 8080, endPort: 80 }] }] } },
    ],
    pointers: ["/spec/ingress", "/spec/policyTypes/0", "/spec/podSelector", "/spec/ingress/0/ports/0/port"],
  },
  {
    type: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role" },
    isCustom: false,
    path: (namespace) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
    subresources: ["status"],
    object: [
      {},
      { rules: [] },
      { rules: [{ apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get"] }] },
      { rules: [{ apiGroups: ["apps"], resources: ["*"], verbs: ["*"], resourceNames: ["a"] }] },
    ],
    parts: [{ rules: null }, { rules: [{ apiGroups: [], resources: ["pods"], verbs: ["get"] }] }, { rules: [{ verbs: [] }] }],
    pointers: ["/rules", "/rules/0/verbs", "/rules/0/verbs/0"],
  },
  {
    type: { apiVersion: "differential.example.com/v1", kind: "Shirt" },
    isCustom: true,
    path: (namespace) => `/apis/differential.example.com/v1/namespaces/${namespace}/shirts`,
    subresources: ["status", "scale"],
    object: [
      { spec: { color: "red" } },
      { spec: { color: "blue", size: 3, tags: ["x", "y"] } },
      { spec: { color: "red", parts: [{ name: "p" }, { name: "q", note: null }], free: { any: { thing: [1] } } } },
      { spec: { color: "green" } },
    ],
    parts: [
      { spec: { size: 7 } },
      { spec: { size: 700 } },
      { spec: { color: "blue", tags: ["z"] } },
      { spec: { tags: ["x", "x"] } },
      { spec: { parts: [{ name: "r", note: "n" }] } },
      { spec: { free: { more: true, any: null } } },
      { status: { size: 2 } },
    ],
    pointers: ["/spec/size", "/spec/color", "/spec/tags/0", "/spec/parts/0/note", "/spec/free", "/status"],
  },
];
