import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const namespace = "service-accounts";
const accounts = callsTo(`/api/v1/namespaces/${namespace}/serviceaccounts`);
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);
const container = (name = "a", more: JsonObject = {}): JsonObject => ({ name, image: "a", ...more });
const pod = (name: string, spec: JsonObject = {}): JsonObject => ({ metadata: { name }, spec: { containers: [container()], ...spec } });
/** A real server learns of an account in its own time. */
const noticed = (account: string): Step => ({
  ...pods.create(pod("probe", { serviceAccountName: account }), "?dryRun=All"),
  until: '"Pod"',
});

/** What service accounts do to pods. */
export const serviceAccountScenarios: readonly Scenario[] = [
  {
    name: "S1 accounts and their tokens",
    steps: [
      pods.create(pod("nobody", { serviceAccountName: "absent" })),
      accounts.create({ metadata: { name: "default" } }),
      accounts.create({ metadata: { name: "robot" }, imagePullSecrets: [{ name: "pull" }] }),
      noticed("robot"),
      pods.create(pod("plain")),
      pods.create(pod("own", { serviceAccountName: "robot" })),
      pods.create(pod("old", { serviceAccount: "robot" })),
      pods.create(pod("secretive", { serviceAccountName: "robot", imagePullSecrets: [{ name: "mine" }] })),
      pods.create(pod("tokenless", { automountServiceAccountToken: false })),
      pods.create(
        pod("several", {
          initContainers: [container("i")],
          containers: [
            container("a"),
            container("b", { volumeMounts: [{ name: "x", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }] }),
          ],
          volumes: [{ name: "x", emptyDir: {} }],
        }),
      ),
      pods.patch("plain", { metadata: { labels: { a: "b" } } }),
    ],
  },
  {
    name: "S2 accounts that mount nothing",
    steps: [
      accounts.create({ metadata: { name: "quiet" }, automountServiceAccountToken: false }),
      noticed("quiet"),
      pods.create(pod("a", { serviceAccountName: "quiet" })),
      pods.create(pod("b", { serviceAccountName: "quiet", automountServiceAccountToken: true })),
    ],
  },
  {
    name: "S3 accounts that limit secrets",
    steps: [
      accounts.create({
        metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        secrets: [{ name: "known" }],
        imagePullSecrets: [{ name: "pull" }],
      }),
      noticed("strict"),
      pods.create(pod("known", { serviceAccountName: "strict", volumes: [{ name: "s", secret: { secretName: "known" } }] })),
      pods.create(pod("unknown", { serviceAccountName: "strict", volumes: [{ name: "s", secret: { secretName: "unknown" } }] })),
      pods.create(
        pod("env", {
          serviceAccountName: "strict",
          containers: [container("a", { env: [{ name: "E", valueFrom: { secretKeyRef: { name: "unknown", key: "k" } } }] })],
        }),
      ),
      pods.create(
        pod("from", { serviceAccountName: "strict", containers: [container("a", { envFrom: [{ secretRef: { name: "unknown" } }] })] }),
      ),
      pods.create(pod("pull", { serviceAccountName: "strict", imagePullSecrets: [{ name: "other" }] })),
    ],
  },
  {
    name: "S4 mirror pods",
    steps: [
      pods.create({
        metadata: { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } },
        spec: { containers: [container()], serviceAccountName: "robot", nodeName: "n" },
      }),
      pods.create({
        metadata: { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } },
        spec: { containers: [container()], nodeName: "n", volumes: [{ name: "s", secret: { secretName: "x" } }] },
      }),
      pods.create({
        metadata: { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } },
        spec: { containers: [container()], nodeName: "n" },
      }),
    ],
  },
];
