import type { Scenario } from "../../exchange.ts";
import { container, pod, pods, tried, triedContainer } from "./pod-calls.ts";

const windows = { os: { name: "windows" } };
const seccomp = "seccomp.security.alpha.kubernetes.io/";
const annotation = "container.apparmor.security.beta.kubernetes.io/";

/** What pods may say about the system that they run on. */
export const podOsScenarios: readonly Scenario[] = [
  {
    name: "C14 pods for Windows",
    steps: [
      pods.create(pod("glass", windows)),
      tried({
        ...windows,
        hostPID: true,
        hostIPC: true,
        hostUsers: false,
        shareProcessNamespace: true,
        resources: { limits: { cpu: "1" } },
        securityContext: {
          appArmorProfile: { type: "Unconfined" },
          seLinuxOptions: {},
          seccompProfile: { type: "Unconfined" },
          fsGroup: 1,
          fsGroupChangePolicy: "Always",
          sysctls: [{ name: "kernel.x", value: "1" }],
          runAsUser: 1,
          runAsGroup: 1,
          supplementalGroups: [1],
          supplementalGroupsPolicy: "Merge",
          seLinuxChangePolicy: "Recursive",
        },
        containers: [
          {
            ...container,
            securityContext: {
              appArmorProfile: { type: "Unconfined" },
              seLinuxOptions: {},
              seccompProfile: { type: "Unconfined" },
              capabilities: {},
              readOnlyRootFilesystem: false,
              privileged: false,
              allowPrivilegeEscalation: true,
              procMount: "Default",
              runAsUser: 1,
              runAsGroup: 1,
            },
          },
        ],
      }),
      tried({
        os: { name: "linux" },
        securityContext: { windowsOptions: {} },
        initContainers: [{ name: "first", image: "a", securityContext: { windowsOptions: {} } }],
      }),
      tried({ os: {} }),
      tried({ os: { name: "plan9" } }),
      tried({ securityContext: { windowsOptions: { gmsaCredentialSpecName: "Not_A_Name", gmsaCredentialSpec: "", runAsUserName: "" } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: "a\\b\\c", gmsaCredentialSpec: "{}" } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: "tab\there" } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: ".dot:\\" } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: "NT AUTHORITY\\... " } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: `domain\\${"u".repeat(105)}@x` } } }),
      triedContainer({ securityContext: { windowsOptions: { runAsUserName: "domain.example\\user" } } }),
    ],
  },
  {
    name: "C15 AppArmor annotations become fields",
    steps: [
      pods.create(pod("confined", {}, { annotations: { [`${annotation}main`]: "runtime/default" } })),
      tried({}, { annotations: { [`${annotation}main`]: "localhost/mine" } }),
      tried({}, { annotations: { [`${annotation}main`]: "unconfined", [`${annotation}other`]: "unconfined" } }),
      tried({}, { annotations: { [`${annotation}main`]: "localhost/ " } }),
      tried({}, { annotations: { [`${annotation}main`]: "localhost/" } }),
      tried({}, { annotations: { [`${annotation}main`]: "odd" } }),
      tried({ securityContext: { appArmorProfile: { type: "Unconfined" } } }, { annotations: { [`${annotation}main`]: "unconfined" } }),
      tried(
        { securityContext: { appArmorProfile: { type: "Unconfined" } } },
        { annotations: { [`${annotation}main`]: "runtime/default" } },
      ),
      tried(
        { containers: [{ ...container, securityContext: { appArmorProfile: { type: "Unconfined" } } }] },
        { annotations: { [`${annotation}main`]: "runtime/default" } },
      ),
      tried(
        { securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "mine" } } },
        { annotations: { [`${annotation}main`]: "localhost/yours" } },
      ),
      tried(
        {
          securityContext: { seccompProfile: { type: "Unconfined" } },
          containers: [{ ...container, securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "a" } } }],
        },
        { annotations: { [`${seccomp}pod`]: "docker/default", [`container.${seccomp}main`]: "localhost/b" } },
      ),
      tried(
        { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
        { annotations: { [`${seccomp}pod`]: "docker/default", [`container.${seccomp}main`]: "odd" } },
      ),
      tried({ ...windows }, { annotations: { [`${annotation}main`]: "runtime/default" } }),
    ],
  },
];
