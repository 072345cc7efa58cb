import type { Scenario } from "../../exchange.ts";
import { container, pod, pods, podsPath, status } from "./pod-calls.ts";

const node = { nodeName: "far-away" };

/** How pods change and end. */
export const podLifeScenarios: readonly Scenario[] = [
  {
    name: "C6 C15 pod updates",
    steps: [
      pods.create(pod("web", { activeDeadlineSeconds: 100 })),
      pods.patch("web", { metadata: { labels: { a: "b" } } }),
      pods.patch("web", { spec: { containers: [{ name: "main", image: "nginx:1.28" }] } }, "strategic"),
      pods.patch("web", { spec: { containers: [{ name: "main", image: " nginx" }] } }, "strategic"),
      pods.patch("web", { spec: { containers: [{ name: "second", image: "nginx" }] } }, "strategic"),
      pods.patch("web", { spec: { activeDeadlineSeconds: 50 } }),
      pods.patch("web", { spec: { activeDeadlineSeconds: 60 } }),
      pods.patch("web", { spec: { activeDeadlineSeconds: null } }),
      pods.patch("web", { spec: { tolerations: [{ key: "new", operator: "Exists" }] } }, "strategic"),
      pods.patch("web", { spec: { tolerations: [] } }),
      pods.patch("web", { spec: { hostname: "other" } }),
      pods.patch("web", { metadata: { labels: { "a b": "c" }, finalizers: ["odd"] } }),
      pods.patch("web", { metadata: { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } } }),
      pods.patch("web", { spec: { ephemeralContainers: [{ name: "debug", image: "busybox" }] } }),
      pods.patch("web", { status: { phase: "Running" } }),
    ],
  },
  {
    name: "C15 scheduling gates",
    steps: [
      pods.create(pod("gated", { schedulingGates: [{ name: "example.com/a" }, { name: "example.com/b" }], nodeSelector: { a: "b" } })),
      pods.table("gated"),
      pods.patch("gated", { spec: { nodeSelector: { c: "d" } } }),
      pods.patch("gated", { spec: { nodeSelector: { a: "x" } } }),
      pods.patch("gated", { spec: { schedulingGates: [{ name: "example.com/a" }] } }),
      pods.patch("gated", { spec: { schedulingGates: [{ name: "example.com/new" }] } }),
      { method: "POST", path: `${podsPath}/gated/binding`, body: { metadata: { name: "gated" }, target: { kind: "Node", name: "n" } } },
      pods.patch("gated", { spec: { schedulingGates: [] } }),
    ],
  },
  {
    name: "C7 pod status",
    steps: [
      pods.create(pod("web", { ...node, restartPolicy: "Never" }, { labels: { a: "b" } })),
      pods.patch("web/status", {
        metadata: { labels: { c: "d" }, annotations: { e: "f" } },
        spec: { nodeName: "elsewhere" },
        status: {
          phase: "Running",
          podIP: "10.244.0.7",
          hostIP: "10.1.1.1",
          conditions: [{ type: "Ready", status: "True", observedGeneration: 1 }],
          containerStatuses: [{ name: "main", ready: true, restartCount: 0, image: "i", imageID: "id", state: { running: {} } }],
        },
      }),
      status("web", {
        conditions: [
          { type: "Ready", status: "False" },
          { type: "a b", status: "True" },
        ],
      }),
      status("web", { conditions: [{ type: "Ready", status: "False" }], observedGeneration: 1 }),
      status("web", { qosClass: "Guaranteed", observedGeneration: -1, nominatedNodeName: "x" }),
      status("web", { podIPs: [{ ip: "1.2.3" }], podIP: null, hostIPs: [{ ip: "10.1.1.2" }] }),
      status("web", { podIPs: [{ ip: "10.244.0.8" }, { ip: "10.244.0.9" }], podIP: null }),
      status("web", { podIPs: [{ ip: "10.244.0.8" }, { ip: "fd00::9" }], podIP: null }),
      status("web", {
        containerStatuses: [
          { name: "main", ready: false, restartCount: 0, image: "i", imageID: "id", state: { terminated: { exitCode: 1 } } },
        ],
      }),
      status("web", {
        containerStatuses: [{ name: "main", ready: false, restartCount: 1, image: "i", imageID: "id", state: { running: {} } }],
      }),
      pods.get("web/status"),
      pods.list("?fieldSelector=status.phase=Running,spec.nodeName=far-away,spec.restartPolicy!=Always"),
      pods.list("?fieldSelector=spec.hostname=x"),
      pods.list("?fieldSelector=status.phase"),
    ],
  },
  {
    name: "X2 pod table",
    steps: [
      pods.create(pod("web", { ...node, readinessGates: [{ conditionType: "example.com/ok" }] })),
      pods.table("web"),
      status("web", {
        phase: "Pending",
        containerStatuses: [
          { name: "main", ready: false, restartCount: 0, image: "i", imageID: "", state: { waiting: { reason: "ImagePullBackOff" } } },
        ],
      }),
      pods.table("web"),
      status("web", {
        phase: "Running",
        podIP: "10.244.0.7",
        conditions: [
          { type: "Ready", status: "True" },
          { type: "example.com/ok", status: "True" },
        ],
        containerStatuses: [{ name: "main", ready: true, restartCount: 2, image: "i", imageID: "id", state: { running: {} } }],
      }),
      pods.table("web"),
      status("web", {
        phase: "Succeeded",
        containerStatuses: [
          {
            name: "main",
            ready: false,
            restartCount: 0,
            image: "i",
            imageID: "id",
            state: { terminated: { exitCode: 0, reason: "Completed" } },
          },
        ],
      }),
      pods.table("web"),
      status("web", {
        phase: "Failed",
        containerStatuses: [
          { name: "main", ready: false, restartCount: 0, image: "i", imageID: "id", state: { terminated: { exitCode: 2 } } },
        ],
      }),
      pods.table(),
      pods.create(
        pod("init", {
          initContainers: [
            { name: "one", image: "i" },
            { name: "side", image: "i", restartPolicy: "Always" },
          ],
        }),
      ),
      pods.table("init"),
      status("init", {
        initContainerStatuses: [{ name: "one", ready: false, restartCount: 3, image: "i", imageID: "id", state: { running: {} } }],
      }),
      pods.table("init"),
      status("init", {
        initContainerStatuses: [
          { name: "one", ready: false, restartCount: 3, image: "i", imageID: "id", state: { terminated: { exitCode: 5 } } },
        ],
      }),
      pods.table("init"),
    ],
  },
  {
    name: "D5 pod deletion",
    steps: [
      pods.create(pod("free")),
      pods.remove("free"),
      pods.get("free"),
      pods.create(pod("bound", node)),
      pods.remove("bound"),
      pods.table("bound"),
      pods.remove("bound", { gracePeriodSeconds: 60 }),
      pods.remove("bound", { gracePeriodSeconds: 5 }),
      pods.remove("bound", { gracePeriodSeconds: 0 }),
      pods.get("bound"),
      pods.create(pod("held", { ...node, terminationGracePeriodSeconds: 0 }, { finalizers: ["example.com/held"] })),
      pods.remove("held"),
      pods.patch("held", { metadata: { finalizers: null } }),
      pods.create(pod("over", node)),
      status("over", { phase: "Succeeded" }),
      pods.remove("over"),
    ],
  },
  {
    name: "C15 pod binding",
    steps: [
      pods.create(pod("web")),
      { method: "POST", path: `${podsPath}/web/binding`, body: { metadata: { name: "other" }, target: { name: "n" } } },
      { method: "POST", path: `${podsPath}/web/binding`, body: { metadata: { name: "web" }, target: { kind: "Pod" } } },
      {
        method: "POST",
        path: `${podsPath}/web/binding`,
        body: { metadata: { name: "web", annotations: { a: "b" }, labels: { c: "d" } }, target: { kind: "Node", name: "n" } },
      },
      pods.get("web"),
      {
        method: "POST",
        path: "/api/v1/namespaces/core-kinds/bindings",
        body: { metadata: { name: "web" }, target: { kind: "Node", name: "n" } },
      },
      {
        method: "POST",
        path: "/api/v1/namespaces/core-kinds/bindings",
        body: { metadata: { name: "absent" }, target: { kind: "Node", name: "n" } },
      },
      { method: "GET", path: "/api/v1/namespaces/core-kinds/bindings" },
    ],
  },
  {
    name: "B7 pod eviction",
    steps: [
      pods.create(pod("web", node)),
      {
        method: "POST",
        path: `${podsPath}/web/eviction`,
        body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "other" } },
      },
      {
        method: "POST",
        path: `${podsPath}/web/eviction`,
        body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "web" }, deleteOptions: { preconditions: { uid: "no" } } },
      },
      { method: "POST", path: `${podsPath}/web/eviction`, body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "web" } } },
      pods.get("web"),
      {
        method: "POST",
        path: `${podsPath}/web/eviction`,
        body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "web" }, deleteOptions: { gracePeriodSeconds: 0 } },
      },
      pods.get("web"),
      { method: "POST", path: `${podsPath}/web/eviction`, body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "web" } } },
    ],
  },
  {
    name: "C15 ephemeral containers and resize",
    steps: [
      pods.create(pod("web", { containers: [{ ...container, resources: { requests: { cpu: "100m" }, limits: { cpu: "200m" } } }] })),
      pods.patch(
        "web/ephemeralcontainers",
        {
          metadata: { labels: { a: "b" } },
          spec: { ephemeralContainers: [{ name: "debug", image: "busybox", targetContainerName: "main" }] },
        },
        "strategic",
      ),
      pods.patch(
        "web/ephemeralcontainers",
        { spec: { ephemeralContainers: [{ name: "main", image: "", ports: [{ containerPort: 1 }], targetContainerName: "none" }] } },
        "strategic",
      ),
      pods.patch("web/ephemeralcontainers", { spec: { ephemeralContainers: null } }),
      pods.patch(
        "web/resize",
        {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "main", image: "other", resources: { requests: { cpu: "150m" } } }] },
        },
        "strategic",
      ),
      pods.patch(
        "web/resize",
        { spec: { containers: [{ name: "main", resources: { requests: { cpu: "200m", memory: "1Gi" }, limits: { memory: "1Gi" } } }] } },
        "strategic",
      ),
      pods.patch("web/resize", { spec: { containers: [{ name: "main", resources: { requests: null } }] } }, "strategic"),
      pods.patch("web/resize", { spec: { containers: [{ name: "second", image: "x" }] } }, "strategic"),
      pods.get("web/resize"),
    ],
  },
];
