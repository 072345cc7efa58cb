import type { JsonObject } from "@kaji/core";

/** A valid object, for malformed requests to start from. */
export interface Sample {
  /** The collection it belongs to. */
  readonly path: string;
  readonly name: string;
  readonly object: JsonObject;
}

const space = "/api/v1/namespaces/default";
const metadata = {
  name: "a",
  labels: { app: "web" },
  annotations: { "example.com/note": "text" },
  finalizers: ["example.com/hold"],
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "1", controller: true }],
};
const pod = {
  containers: [
    {
      name: "main",
      image: "nginx",
      ports: [{ containerPort: 80, protocol: "TCP", name: "http" }],
      env: [
        { name: "A", value: "1" },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ],
      resources: { limits: { cpu: "100m", memory: "1Gi" }, requests: { cpu: 0.1 } },
      livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
      volumeMounts: [{ name: "data", mountPath: "/data" }],
    },
  ],
  volumes: [{ name: "data", emptyDir: { sizeLimit: "1Gi" } }],
  tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
      },
    },
  },
  securityContext: { runAsUser: 1000, sysctls: [{ name: "net.x", value: "1" }] },
};
const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "NotIn", values: ["x"] }] };
const template = { metadata: { labels: { app: "web" } }, spec: pod };

/** The definition of the custom kind among the samples. */
export const shirtDefinition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shirts.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "shirts", kind: "Shirt" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["color"],
                properties: {
                  color: { type: "string", enum: ["red", "blue"], pattern: "^[a-z]+$", maxLength: 10 },
                  size: { type: "integer", minimum: 0, maximum: 100, default: 1 },
                  tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
                  parts: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" }, port: { "x-kubernetes-int-or-string": true } },
                    },
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                  },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  template: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
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

/** Kinds of every sort: with and without status, cluster-wide, custom, questions. */
export const samples: readonly Sample[] = [
  {
    path: `${space}/configmaps`,
    name: "a",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { k: "v" }, binaryData: { b: "AAEC" } },
  },
  { path: `${space}/secrets`, name: "a", object: { apiVersion: "v1", kind: "Secret", metadata, stringData: { k: "v" }, type: "Opaque" } },
  { path: `${space}/pods`, name: "a", object: { apiVersion: "v1", kind: "Pod", metadata, spec: pod } },
  {
    path: `${space}/services`,
    name: "a",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }], type: "NodePort" },
    },
  },
  {
    path: "/apis/apps/v1/namespaces/default/deployments",
    name: "a",
    object: { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 1, selector, template } },
  },
  {
    path: "/apis/apps/v1/namespaces/default/statefulsets",
    name: "a",
    object: {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata,
      spec: { serviceName: "a", selector, template, updateStrategy: { type: "OnDelete" } },
    },
  },
  {
    path: "/apis/batch/v1/namespaces/default/jobs",
    name: "a",
    object: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { parallelism: 1, template: { spec: { ...pod, restartPolicy: "Never" } } },
    },
  },
  {
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    name: "a",
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata,
      spec: { holderIdentity: "me", renewTime: "2026-01-01T00:00:00.000000Z" },
    },
  },
  {
    path: "/api/v1/namespaces",
    name: "a",
    object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" }, spec: { finalizers: ["kubernetes"] } },
  },
  {
    path: "/api/v1/nodes",
    name: "a",
    object: {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "a" },
      spec: { taints: [{ key: "a", effect: "NoSchedule" }] },
      status: { capacity: { cpu: "4" } },
    },
  },
  {
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    name: "a",
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "a" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["*"] }],
    },
  },
  {
    path: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    name: "a",
    object: {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata,
      spec: {
        scaleTargetRef: { kind: "Deployment", name: "a" },
        maxReplicas: 3,
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
      },
    },
  },
  {
    path: "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
    name: "a",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata,
      spec: {
        rules: [
          {
            host: "a.example.com",
            http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { number: 80 } } } }] },
          },
        ],
      },
    },
  },
  {
    path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    name: "a",
    object: { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailable: "50%", selector } },
  },
  {
    path: "/apis/events.k8s.io/v1/namespaces/default/events",
    name: "a",
    object: {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata,
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "a/b",
      reportingInstance: "x",
      action: "y",
      reason: "z",
      type: "Normal",
      regarding: { kind: "Pod", namespace: "default" },
    },
  },
  {
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    name: "",
    object: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    },
  },
  {
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    name: "hats.example.com",
    object: { ...shirtDefinition, metadata: { name: "hats.example.com" } },
  },
  {
    path: "/apis/example.com/v1/namespaces/default/shirts",
    name: "a",
    object: {
      apiVersion: "example.com/v1",
      kind: "Shirt",
      metadata,
      spec: {
        color: "red",
        size: 3,
        tags: ["x"],
        parts: [{ name: "p", port: 80 }],
        free: { any: ["thing"] },
        template: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } },
      },
    },
  },
  { path: "/openapi/v3", name: "apis", object: {} },
  { path: "/apis", name: "apps/v1", object: {} },
  { path: "/healthz", name: "ping", object: {} },
];
