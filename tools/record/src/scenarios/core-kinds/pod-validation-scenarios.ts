import type { Scenario } from "../../exchange.ts";
import { container, pod, pods, podsPath, tried, triedContainer } from "./pod-calls.ts";

/** What is wrong with pods. */
export const podValidationScenarios: readonly Scenario[] = [
  {
    name: "C14 pod names and metadata",
    steps: [
      pods.create({ spec: { containers: [container] } }),
      pods.create(pod("Upper")),
      pods.create({ metadata: { generateName: "made-" }, spec: { containers: [container] } }),
      pods.create(
        pod("labels", {}, { labels: { "a b": "not ok!" }, annotations: { "x/y/z": "" }, finalizers: ["mine", "example.com/ok"] }),
      ),
      pods.create(pod("with.dots"), "?dryRun=All"),
      pods.create({ metadata: { name: "no-spec" } }),
      pods.create({ metadata: { name: "empty" }, spec: { containers: [] } }),
      tried({}, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "+1", "kubernetes.io/config.mirror": "x" } }),
    ],
  },
  {
    name: "C14 pod fields",
    steps: [
      tried({ restartPolicy: "Sometimes", dnsPolicy: "Wrong", preemptionPolicy: "No" }),
      tried({
        nodeName: "Node",
        serviceAccountName: "Robot",
        hostname: "a.b",
        subdomain: "-",
        priorityClassName: "P",
        runtimeClassName: "R",
      }),
      tried({ activeDeadlineSeconds: 0, nodeSelector: { "a b": "e f" }, os: { name: "plan9" } }),
      tried({ dnsPolicy: "None" }),
      tried({ dnsPolicy: "None", dnsConfig: { searches: ["ok.example", "Not_Ok!", "."], options: [{ value: "x" }] } }),
      tried({ dnsConfig: { nameservers: ["10.1.1.1", "10.1.1.2", "10.1.1.3", "nonsense"] } }),
      tried({ hostAliases: [{ ip: "1.2.3", hostnames: ["ok", "Not ok"] }] }),
      tried({ readinessGates: [{ conditionType: "a b" }], schedulingGates: [{ name: "x" }, { name: "x" }, { name: "a b" }] }),
      tried({ nodeName: "n", schedulingGates: [{ name: "example.com/x" }] }),
      tried({ ephemeralContainers: [{ name: "debug", image: "busybox" }] }),
      tried({ hostPID: true, shareProcessNamespace: true, hostUsers: false }),
      tried({ hostnameOverride: "Not.A.Host", setHostnameAsFQDN: true }),
      tried({ overhead: { cpu: "-1" } }),
      tried({ resourceClaims: [{ name: "a" }, { name: "a", resourceClaimName: "x", resourceClaimTemplateName: "y" }] }),
    ],
  },
  {
    name: "C14 containers",
    steps: [
      tried({ containers: [{}, { name: "Upper", image: " x " }, { name: "a", image: "x" }, { name: "a", image: "x" }] }),
      tried({ initContainers: [container, { name: "b" }], containers: [container] }),
      tried({ initContainers: [{ name: "i", image: "x", livenessProbe: { exec: { command: ["a"] } }, restartPolicy: "Sometimes" }] }),
      triedContainer({ imagePullPolicy: "Perhaps", terminationMessagePolicy: "Nowhere", restartPolicy: "Never" }),
      triedContainer({ restartPolicyRules: [{ action: "Explode" }] }),
      triedContainer({
        ports: [
          { containerPort: 0 },
          { name: "UPPER", containerPort: 80 },
          { name: "a-very-long-port-name", containerPort: 70000, protocol: "ICMP" },
          { name: "web", containerPort: 80, hostPort: 8080 },
          { name: "web", containerPort: 81, hostPort: 8080 },
        ],
      }),
      triedContainer({
        securityContext: { runAsUser: -1, runAsGroup: 2147483648, procMount: "Other", seccompProfile: { type: "Localhost" } },
      }),
      triedContainer({
        securityContext: { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" }, appArmorProfile: { type: "Odd" } },
      }),
      triedContainer({ securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } } }),
      triedContainer({
        resizePolicy: [
          { resourceName: "cpu", restartPolicy: "NotRequired" },
          { resourceName: "cpu", restartPolicy: "Never" },
        ],
      }),
    ],
  },
  {
    name: "C14 environment",
    steps: [
      triedContainer({
        env: [{ name: "" }, { name: "a=b" }, { name: "ok", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
      }),
      triedContainer({
        env: [
          { name: "A", valueFrom: {} },
          { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } },
        ],
      }),
      triedContainer({
        env: [
          { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
          { name: "B", valueFrom: { fieldRef: { fieldPath: "status.nothing" } } },
          { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.name['x']" } } },
          { name: "D", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" } } },
        ],
      }),
      triedContainer({ env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } }] }),
      triedContainer({ env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "3" } } }] }),
      triedContainer({
        env: [{ name: "A", valueFrom: { secretKeyRef: { name: "", key: "" }, configMapKeyRef: { name: "ok", key: "a/b" } } }],
      }),
      triedContainer({ envFrom: [{}, { prefix: "a=", configMapRef: { name: "" }, secretRef: { name: "X" } }] }),
    ],
  },
  {
    name: "C14 resources",
    steps: [
      triedContainer({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
      triedContainer({ resources: { requests: { cpu: "-1" } } }),
      triedContainer({ resources: { limits: { gpu: "1" } } }),
      triedContainer({ resources: { limits: { "example.com/gpu": "1500m" } } }),
      triedContainer({ resources: { requests: { "example.com/gpu": "1" } } }),
      triedContainer({ resources: { limits: { "hugepages-2Mi": "3Mi" } } }),
      triedContainer({ resources: { claims: [{ name: "gpu" }] } }),
      triedContainer({ resources: { limits: { memory: "1GG" } } }),
      tried({ resources: { limits: { "example.com/gpu": "1" } } }),
      tried({ resources: { requests: { cpu: "100m" } }, containers: [{ ...container, resources: { requests: { cpu: "1" } } }] }),
    ],
  },
  {
    name: "C14 volumes and mounts",
    steps: [
      tried({ volumes: [{ name: "" }, { name: "Upper" }, { name: "a" }, { name: "a" }] }),
      tried({ volumes: [{ name: "a", emptyDir: {}, hostPath: { path: "/x" } }] }),
      tried({
        volumes: [
          { name: "a", hostPath: { path: "" } },
          { name: "b", hostPath: { path: "/a/../b", type: "Odd" } },
        ],
      }),
      tried({
        volumes: [
          {
            name: "a",
            secret: {
              defaultMode: 512,
              items: [
                { key: "", path: "" },
                { key: "a", path: "/abs" },
                { key: "b", path: "..x" },
              ],
            },
          },
        ],
      }),
      tried({
        volumes: [
          { name: "a", configMap: {} },
          { name: "b", persistentVolumeClaim: { claimName: "" } },
          { name: "c", nfs: { server: "", path: "p" } },
        ],
      }),
      tried({
        volumes: [
          { name: "a", projected: { sources: [{ secret: { name: "" } }, { serviceAccountToken: { path: "", expirationSeconds: 1 } }] } },
        ],
      }),
      tried({
        volumes: [{ name: "a", downwardAPI: { items: [{ path: "x" }, { path: "y", resourceFieldRef: { resource: "limits.cpu" } }] } }],
      }),
      tried({
        volumes: [
          { name: "a", csi: { driver: "Not A Driver" } },
          { name: "b", ephemeral: {} },
          { name: "c", image: {} },
        ],
      }),
      tried({ volumes: [{ name: "a", ephemeral: { volumeClaimTemplate: { metadata: { name: "x" }, spec: {} } } }] }),
      tried({
        volumes: [
          { name: "a", iscsi: { iqn: "odd", lun: 300 } },
          { name: "b", azureDisk: { kind: "Odd" } },
          { name: "c", rbd: {} },
        ],
      }),
      triedContainer({
        volumeMounts: [
          { name: "none", mountPath: "/a" },
          { name: "", mountPath: "" },
        ],
      }),
      tried({
        volumes: [{ name: "v" }],
        containers: [
          {
            ...container,
            volumeMounts: [
              { name: "v", mountPath: "/a" },
              { name: "v", mountPath: "/a", subPath: "../x" },
              { name: "v", mountPath: "/b", subPath: "a", subPathExpr: "/b" },
              { name: "v", mountPath: "/c", mountPropagation: "Bidirectional", recursiveReadOnly: "Enabled" },
            ],
            volumeDevices: [{ name: "v", devicePath: "/dev/../x" }],
          },
        ],
      }),
    ],
  },
  {
    name: "C14 probes",
    steps: [
      triedContainer({ livenessProbe: {} }),
      triedContainer({ livenessProbe: { exec: { command: [] }, tcpSocket: { port: 1 }, successThreshold: 2 } }),
      triedContainer({
        readinessProbe: {
          httpGet: { port: 0, scheme: "GOPHER", httpHeaders: [{ name: "A B", value: "" }] },
          terminationGracePeriodSeconds: 1,
        },
      }),
      triedContainer({
        startupProbe: { httpGet: { port: "" }, periodSeconds: -1, failureThreshold: -1, terminationGracePeriodSeconds: 0 },
      }),
      triedContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } }, postStart: {} } }),
    ],
  },
  {
    name: "C14 scheduling",
    steps: [
      tried({
        tolerations: [
          {},
          { key: "a b", operator: "Exists", value: "x" },
          { key: "a", operator: "Odd" },
          { key: "a", operator: "Lt", value: "1" },
        ],
      }),
      tried({ tolerations: [{ key: "a", value: "b c", effect: "Odd", tolerationSeconds: 1 }] }),
      tried({
        topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Odd", minDomains: 0, nodeTaintsPolicy: "Odd" }],
      }),
      tried({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway", matchLabelKeys: ["x"], minDomains: 1 },
          {
            maxSkew: 1,
            topologyKey: "a",
            whenUnsatisfiable: "ScheduleAnyway",
            labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
          },
        ],
      }),
      tried({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: "a b", operator: "In" },
                    { key: "a", operator: "Exists", values: ["x"] },
                    { key: "a", operator: "Gt", values: [] },
                    { key: "a", operator: "Odd" },
                  ],
                  matchFields: [{ key: "spec.x", operator: "Exists" }],
                },
              ],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
          },
        },
      }),
      tried({
        affinity: {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "", namespaces: ["Not Ok"], matchLabelKeys: ["a"] }],
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, podAffinityTerm: { topologyKey: "a", labelSelector: { matchLabels: { a: "b c" } } } },
            ],
          },
        },
      }),
    ],
  },
  {
    name: "C11 pod strict decoding",
    steps: [
      pods.create(
        { ...pod("strict", { unknown: 1, containers: [{ ...container, imagePolicy: "x" }] }), extra: true },
        "?fieldValidation=Strict",
      ),
      pods.create(pod("strict", { containers: [{ ...container, imagePolicy: "x" }] }), "?dryRun=All"),
      {
        method: "POST",
        path: `${podsPath}?fieldValidation=Strict`,
        body: '{"metadata":{"name":"twice","name":"twice"},"spec":{"containers":[{"name":"a","image":"b","image":"c"}]}}',
      },
      pods.create({ metadata: { name: "types" }, spec: { containers: "none" } }),
      pods.create({ metadata: { name: "types" }, spec: { containers: [{ name: 1 }] } }),
      pods.create({ metadata: { name: "types" }, spec: { terminationGracePeriodSeconds: "30" } }),
      pods.create({ kind: "Service", apiVersion: "v1", metadata: { name: "types" } }),
    ],
  },
];
