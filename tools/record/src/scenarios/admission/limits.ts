import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const namespace = "limits";
const ranges = callsTo(`/api/v1/namespaces/${namespace}/limitranges`);
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);
const claims = callsTo(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`);

const range = (name: string, ...limits: readonly JsonObject[]): JsonObject => ({ metadata: { name }, spec: { limits } });
const container = (name: string, resources?: JsonObject): JsonObject => ({
  name,
  image: "a",
  ...(resources === undefined ? {} : { resources }),
});
const pod = (name: string, containers: readonly JsonObject[], spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers, ...spec },
});
const claim = (name: string, storage: string): JsonObject => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
/** Asks again, without consequences, until a real server has noticed the range. */
const noticed = (text: string, containers = [container("a")]): Step => ({
  ...pods.create(pod("probe", containers), "?dryRun=All"),
  until: text,
});

/** What LimitRanges do to pods and claims. */
export const limitScenarios: readonly Scenario[] = [
  {
    name: "L1 defaults of containers",
    steps: [
      ranges.create(
        range("defaults", {
          type: "Container",
          default: { cpu: "500m", memory: "64Mi" },
          defaultRequest: { cpu: "100m" },
          max: { cpu: "1", "ephemeral-storage": "1Gi" },
        }),
      ),
      noticed("LimitRanger plugin set"),
      pods.create(
        pod("bare", [
          container("a"),
          container("b", { requests: { cpu: "200m" } }),
          container("c", { limits: { cpu: "300m", memory: "1Mi" } }),
        ]),
      ),
      pods.create(
        pod("init", [container("a", { limits: { cpu: "1", memory: "1Mi", "ephemeral-storage": "1Mi" }, requests: { cpu: "1m" } })], {
          initContainers: [container("i")],
        }),
      ),
      pods.create(pod("annotated", [container("a")], {})),
    ],
  },
  {
    name: "L2 least and most of containers",
    steps: [
      ranges.create(
        range("bounds", {
          type: "Container",
          // One resource alone: of several a real server complains in no order.
          min: { cpu: "100m" },
          max: { cpu: "1" },
          maxLimitRequestRatio: { cpu: "1500m" },
        }),
      ),
      noticed("minimum cpu usage", [container("a", { requests: { cpu: "1m" }, limits: { cpu: "1m" } })]),
      pods.create(pod("defaulted", [container("a")])),
      pods.create(pod("little", [container("a", { requests: { cpu: "50m", memory: "1Mi" }, limits: { cpu: "50m", memory: "1Mi" } })])),
      pods.create(pod("much", [container("a", { requests: { cpu: "2", memory: "1Gi" }, limits: { cpu: "2", memory: "1Gi" } })])),
      pods.create(pod("uneven", [container("a", { requests: { cpu: "100m", memory: "20Mi" }, limits: { cpu: "500m", memory: "90Mi" } })])),
      pods.create(pod("two", [container("a", { requests: { cpu: "50m" } }), container("b", { limits: { cpu: "5" } })])),
      pods.create(pod("fits", [container("a", { requests: { cpu: "500m", memory: "20Mi" }, limits: { cpu: "1", memory: "30Mi" } })])),
      pods.patch("fits", { metadata: { labels: { a: "b" } } }),
    ],
  },
  {
    name: "L3 least and most of pods",
    steps: [
      ranges.create(range("whole", { type: "Pod", min: { cpu: "200m" }, max: { cpu: "1" }, maxLimitRequestRatio: { cpu: "3" } })),
      noticed("usage per Pod"),
      pods.create(pod("nothing", [container("a")])),
      pods.create(pod("no-limit", [container("a", { requests: { cpu: "300m" } })])),
      pods.create(
        pod("together", [
          container("a", { requests: { cpu: "600m" }, limits: { cpu: "600m" } }),
          container("b", { requests: { cpu: "600m" }, limits: { cpu: "600m" } }),
        ]),
      ),
      pods.create(
        pod("init", [container("a", { limits: { cpu: "300m", memory: "1Mi" } })], {
          initContainers: [container("i", { limits: { cpu: "2", memory: "1Mi" } })],
        }),
      ),
      pods.create(pod("uneven", [container("a", { requests: { cpu: "200m" }, limits: { cpu: "900m", memory: "1Mi" } })])),
      pods.create(pod("fits", [container("a", { requests: { cpu: "300m" }, limits: { cpu: "600m", memory: "60Mi" } })])),
    ],
  },
  {
    name: "L4 claims",
    steps: [
      ranges.create(range("claims", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } })),
      { ...claims.create(claim("probe", "1Mi"), "?dryRun=All"), until: "minimum storage usage" },
      claims.create(claim("small", "1Mi")),
      claims.create(claim("large", "50Gi")),
      claims.create(claim("fits", "2Gi")),
    ],
  },
];
