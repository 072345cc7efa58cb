import type { JsonObject } from "@kaji/core";

const soundSecurity: JsonObject = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
const soundContainerSecurity: JsonObject = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

/** A container that meets all standards, with some of its fields otherwise, and of those in its security context. */
export function container(name: string, security: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { name, image: "a", securityContext: { ...soundContainerSecurity, ...security }, ...more };
}

/** A pod that meets all standards, with some of its fields otherwise, and of those in its security context. */
export function podSpec(security: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { securityContext: { ...soundSecurity, ...security }, containers: [container("c")], ...more };
}

const volumes = (...sources: readonly JsonObject[]): JsonObject => ({
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const sysctl = (...names: readonly string[]): JsonObject => podSpec({ sysctls: names.map((name) => ({ name, value: "1" })) });
const windows = { os: { name: "windows" } };
const hostProcess = { windowsOptions: { hostProcess: true } };
const bare = { name: "c", image: "a" };

/** Pods that say of themselves what some standard forbids, or what looks like it. */
export const triedSpecs: readonly JsonObject[] = [
  podSpec(),
  { containers: [bare] },
  podSpec({}, { hostNetwork: true }),
  podSpec({}, { hostPID: true }),
  podSpec({}, { hostIPC: true, hostPID: true }),
  podSpec({}, volumes({ hostPath: { path: "/a" } })),
  podSpec({}, volumes({ nfs: { server: "a", path: "/" } }, { hostPath: { path: "/a" } }, { emptyDir: {} })),
  podSpec(
    {},
    volumes(
      { gcePersistentDisk: { pdName: "a" } },
      { awsElasticBlockStore: { volumeID: "a" } },
      { gitRepo: { repository: "a" } },
      { iscsi: { targetPortal: "a", iqn: "iqn.2001-04.com.example:storage.kube.sys1.xyz", lun: 1 } },
      { glusterfs: { endpoints: "a", path: "a" } },
      { rbd: { monitors: ["a"], image: "a" } },
      { flexVolume: { driver: "a/b" } },
      { cinder: { volumeID: "a" } },
      { cephfs: { monitors: ["a"] } },
      { flocker: { datasetName: "a" } },
      { fc: { targetWWNs: ["a"], lun: 1 } },
      { azureFile: { secretName: "a", shareName: "a" } },
      { vsphereVolume: { volumePath: "a" } },
      { quobyte: { registry: "a:1", volume: "a" } },
      { azureDisk: { diskName: "a", diskURI: "https://a/b" } },
      { photonPersistentDisk: { pdID: "a" } },
      { portworxVolume: { volumeID: "a" } },
      { scaleIO: { gateway: "a", system: "a", secretRef: { name: "a" }, volumeName: "a" } },
      { storageos: { volumeName: "a" } },
    ),
  ),
  podSpec(
    {},
    volumes(
      { configMap: { name: "a" } },
      { csi: { driver: "a.example.com" } },
      { downwardAPI: {} },
      { emptyDir: {} },
      { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } } } },
      { image: { reference: "a" } },
      { persistentVolumeClaim: { claimName: "a" } },
      { projected: { sources: [] } },
      { secret: { secretName: "a" } },
      {},
    ),
  ),
  podSpec({ seLinuxOptions: { type: "spc_t" } }),
  podSpec({ seLinuxOptions: { type: "container_kvm_t" } }),
  podSpec({ seLinuxOptions: { type: "container_engine_t" } }),
  podSpec({ seLinuxOptions: { user: "a", role: "b", type: "" } }),
  podSpec({ seLinuxOptions: { type: "b" } }, { containers: [container("c", { seLinuxOptions: { type: "a", role: "r" } })] }),
  sysctl("kernel.shm_rmid_forced", "net.ipv4.tcp_syncookies"),
  sysctl("kernel.msgmax", "kernel.shmall", "net.ipv4.ping_group_range"),
  sysctl("net.ipv4.ip_local_reserved_ports"),
  sysctl("net.ipv4.tcp_fin_timeout"),
  sysctl("net.ipv4.tcp_wmem"),
  podSpec({ seccompProfile: { type: "Unconfined" } }),
  podSpec({ seccompProfile: { type: "Localhost", localhostProfile: "a" } }),
  { ...podSpec(), securityContext: { runAsNonRoot: true } },
  podSpec({ seccompProfile: { type: "Unconfined" } }, { containers: [container("c", { seccompProfile: { type: "RuntimeDefault" } })] }),
  podSpec({ appArmorProfile: { type: "Unconfined" } }),
  podSpec({ appArmorProfile: { type: "RuntimeDefault" } }),
  podSpec({ runAsNonRoot: false }),
  podSpec({ runAsNonRoot: false }, { containers: [container("c", { runAsNonRoot: true })] }),
  { ...podSpec(), securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
  podSpec({ runAsUser: 0 }),
  podSpec({ runAsUser: 1 }),
  podSpec({}, { hostUsers: false, containers: [container("c", { procMount: "Unmasked" })] }),
  podSpec({ runAsNonRoot: false, runAsUser: 0 }, { hostUsers: false }),
  { ...windows, securityContext: { runAsNonRoot: true }, containers: [bare] },
  { ...windows, containers: [bare] },
  { ...windows, hostNetwork: true, securityContext: { ...hostProcess, runAsNonRoot: true }, containers: [bare] },
  { ...windows, hostNetwork: true, containers: [{ ...bare, securityContext: hostProcess }] },
];

/** What a container may say that some standard forbids, or what looks like it: in its security context, and besides. */
export const triedContainers: readonly (readonly [security: JsonObject, more?: JsonObject])[] = [
  [{ privileged: true, allowPrivilegeEscalation: true }],
  [{ allowPrivilegeEscalation: true }],
  [{}, { securityContext: { capabilities: { drop: ["ALL"] } } }],
  [{ capabilities: {} }],
  [{ capabilities: { drop: ["NET_RAW"] } }],
  [{ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } }],
  [{ capabilities: { drop: ["ALL"], add: ["CHOWN"] } }],
  [{ capabilities: { drop: ["ALL"], add: ["NET_RAW", "CHOWN", "CAP_A"] } }],
  [{ capabilities: { add: ["SYS_TIME"] } }],
  [{}, { ports: [{ containerPort: 1 }] }],
  [{}, { ports: [{ containerPort: 1, hostPort: 80 }] }],
  [{ seLinuxOptions: { type: "spc_t" } }],
  [{ seLinuxOptions: { level: "s0:c1" } }],
  [{ seLinuxOptions: { user: "u" } }],
  [{ seLinuxOptions: { role: "r", type: "container_engine_t" } }],
  [{ seccompProfile: { type: "Unconfined" } }],
  [{ seccompProfile: { type: "RuntimeDefault" } }],
  [{ appArmorProfile: { type: "Unconfined" } }],
  [{ appArmorProfile: { type: "Localhost", localhostProfile: "a" } }],
  [{ runAsNonRoot: false }],
  [{ runAsUser: 0 }],
  [{ procMount: "Default" }],
];

const call = (action: "httpGet" | "tcpSocket", host?: string): JsonObject => ({
  [action]: { port: 80, ...(host === undefined ? {} : { host }) },
});

/** What only a container that goes on running may say. */
export const triedCalls: readonly JsonObject[] = [
  { livenessProbe: call("httpGet", "a.example.com") },
  { readinessProbe: call("tcpSocket", "b.example.com") },
  { startupProbe: call("httpGet", "127.0.0.1") },
  { lifecycle: { postStart: call("httpGet", "a.example.com") } },
  { lifecycle: { preStop: call("tcpSocket", "a.example.com") }, livenessProbe: call("tcpSocket", "b.example.com") },
  { livenessProbe: call("httpGet"), lifecycle: { preStop: call("httpGet", "") } },
];

const appArmor = "container.apparmor.security.beta.kubernetes.io/";
const seccomp = "container.seccomp.security.alpha.kubernetes.io/";
const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";

/** What annotations may say that some standard forbids, or what looks like it. */
export const triedAnnotations: readonly JsonObject[] = [
  { [`${appArmor}c`]: "unconfined" },
  { [`${appArmor}c`]: "runtime/default" },
  { [`${appArmor}c`]: "unconfined", [`${appArmor}d`]: "unconfined" },
  { [seccompOfPod]: "unconfined" },
  { [seccompOfPod]: "localhost/a", [`${seccomp}d`]: "docker/default" },
  { [`${seccomp}c`]: "unconfined", [`${seccomp}d`]: "unconfined", [`${seccomp}e`]: "unconfined" },
];
