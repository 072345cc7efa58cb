import type { Scenario } from "../../exchange.ts";
import { container, pod, pods, tried, triedContainer } from "./pod-calls.ts";

/** What pods are defaulted to. */
export const podDefaultScenarios: readonly Scenario[] = [
  {
    name: "C13 pod defaults",
    steps: [
      pods.create(pod("least")),
      triedContainer({ image: "nginx:1.27" }),
      triedContainer({ image: "registry.example.com:5000/team/app" }),
      triedContainer({ image: "nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000" }),
      triedContainer({ image: "nginx:latest@sha256:0000000000000000000000000000000000000000000000000000000000000000" }),
      triedContainer({ image: "Not A Valid Image" }),
      triedContainer({ image: "nginx:1.27", imagePullPolicy: "Always" }),
      tried({
        restartPolicy: "Never",
        terminationGracePeriodSeconds: -5,
        dnsPolicy: "Default",
        schedulerName: "mine",
        enableServiceLinks: false,
      }),
      tried({ serviceAccount: "robot", hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] }),
      tried({
        initContainers: [
          { name: "first", image: "busybox:1" },
          { name: "aside", image: "busybox:1", restartPolicy: "Always" },
        ],
      }),
    ],
  },
  {
    name: "C13 container defaults",
    steps: [
      triedContainer({
        ports: [{ containerPort: 80 }, { name: "dns", containerPort: 53, protocol: "UDP" }],
        env: [
          { name: "PLAIN", value: "x" },
          { name: "EMPTY" },
          { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
          { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
          { name: "KEY", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        ],
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { tcpSocket: { port: "dns" }, periodSeconds: 3 },
        startupProbe: { grpc: { port: 9000 } },
        lifecycle: { postStart: { httpGet: { port: 80, scheme: "HTTPS" } }, preStop: { exec: { command: ["true"] } } },
      }),
      triedContainer({ resources: { limits: { cpu: "500m", memory: "64Mi" } } }),
      triedContainer({ resources: { limits: { cpu: "1", memory: "64Mi" }, requests: { cpu: "0.1001", memory: "1.5Mi" } } }),
      triedContainer({ resources: { limits: { cpu: 2, memory: 1000000 }, requests: { cpu: "2" } } }),
      tried({
        resources: { limits: { cpu: "1" } },
        containers: [{ ...container, resources: { requests: { cpu: "250m", memory: "1Gi" } } }],
      }),
      tried({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
    ],
  },
  {
    name: "C13 volume defaults",
    steps: [
      tried({
        serviceAccountName: "robot",
        volumes: [
          { name: "nothing" },
          { name: "empty", emptyDir: { medium: "Memory", sizeLimit: "1.5Gi" } },
          { name: "host", hostPath: { path: "/data" } },
          { name: "secret", secret: { secretName: "s", items: [{ key: "a", path: "b", mode: 256 }] } },
          { name: "config", configMap: { name: "c", defaultMode: 256 } },
          { name: "down", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
          {
            name: "projected",
            projected: {
              sources: [
                { serviceAccountToken: { path: "token" } },
                { configMap: { name: "c" } },
                { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
              ],
            },
          },
          { name: "claim", persistentVolumeClaim: { claimName: "c" } },
          {
            name: "eph",
            ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } } },
          },
          { name: "iscsi", iscsi: { targetPortal: "10.1.1.1", iqn: "iqn.2001-04.com.example:disk", lun: 0 } },
          { name: "rbd", rbd: { monitors: ["m"], image: "i" } },
          { name: "azure", azureDisk: { diskName: "d", diskURI: "https://a.blob.core.windows.net/c/d.vhd" } },
          { name: "scaleio", scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } } },
          { name: "csi", csi: { driver: "csi.example.com" } },
          { name: "image", image: { reference: "app:1" } },
          { name: "nfs", nfs: { server: "s", path: "/p" } },
        ],
      }),
    ],
  },
  {
    name: "C13 pod scheduling defaults",
    steps: [
      tried(
        {
          schedulingGates: [{ name: "example.com/wait" }],
          tolerations: [{ key: "a", operator: "Exists" }],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "zone",
              whenUnsatisfiable: "DoNotSchedule",
              labelSelector: { matchLabels: { app: "a" } },
              matchLabelKeys: ["revision", "absent"],
            },
          ],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  topologyKey: "host",
                  labelSelector: { matchLabels: { app: "a" } },
                  matchLabelKeys: ["revision"],
                  mismatchLabelKeys: ["app"],
                },
              ],
            },
          },
        },
        { labels: { app: "a", revision: "7" } },
      ),
      tried({ schedulingGroup: { podGroupName: "g" }, containers: [{ ...container, lifecycle: { stopSignal: "SIGTERM" } }] }),
    ],
  },
];
