import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import fc from "fast-check";
import { checkedPod } from "./checked-pod.ts";
import type { Level } from "./policy.ts";
import { violationDetails, violations } from "./violations.ts";

const container = fc.record({
  name: fc.constantFrom("a", "b"),
  securityContext: fc.option(
    fc.record(
      {
        allowPrivilegeEscalation: fc.boolean(),
        privileged: fc.boolean(),
        runAsNonRoot: fc.boolean(),
        runAsUser: fc.constantFrom(0, 1),
        procMount: fc.constantFrom("Default", "Unmasked"),
        capabilities: fc.record(
          { add: fc.subarray(["NET_BIND_SERVICE", "CHOWN", "SYS_TIME"]), drop: fc.subarray(["ALL", "KILL"]) },
          { requiredKeys: [] },
        ),
        seccompProfile: fc.record({ type: fc.constantFrom("RuntimeDefault", "Localhost", "Unconfined") }),
        seLinuxOptions: fc.record({ type: fc.constantFrom("", "container_t", "spc_t"), role: fc.constantFrom("", "r") }),
      },
      { requiredKeys: [] },
    ),
    { nil: null },
  ),
  ports: fc.subarray([{ containerPort: 1 }, { containerPort: 2, hostPort: 2 }]),
});

const spec = fc.record({
  hostPID: fc.boolean(),
  hostUsers: fc.boolean(),
  volumes: fc.subarray([
    { name: "a", emptyDir: {} },
    { name: "b", hostPath: { path: "/" } },
    { name: "c", nfs: { server: "a", path: "/" } },
  ]),
  securityContext: fc.record(
    { runAsNonRoot: fc.boolean(), runAsUser: fc.constantFrom(0, 1), seccompProfile: fc.constant({ type: "RuntimeDefault" }) },
    { requiredKeys: [] },
  ),
  containers: fc.array(container, { minLength: 1, maxLength: 2 }),
  initContainers: fc.array(container, { maxLength: 1 }),
});

function found(pod: JsonObject, level: Level, version = "latest"): string {
  return violationDetails(violations(checkedPod(pod), { level, version }));
}

test("[ADM31] what meets restricted on Linux meets baseline of the same version, and everything meets privileged", () => {
  fc.assert(
    fc.property(spec, fc.nat(40), (of, minor) => {
      const pod = { metadata: {}, spec: of };
      const version = `v1.${minor}`;
      if (found(pod, "restricted", version) === "") assert.equal(found(pod, "baseline", version), "");
      assert.equal(found(pod, "privileged", version), "");
    }),
    { numRuns: 500 },
  );
});

test("[ADM31] a version that is not known yet asks what the latest does", () => {
  fc.assert(
    fc.property(spec, fc.integer({ min: 35, max: 1000 }), fc.constantFrom<Level>("baseline", "restricted"), (of, minor, level) => {
      const pod = { metadata: {}, spec: of };
      assert.equal(found(pod, level, `v1.${minor}`), found(pod, level));
    }),
  );
});

test("[ADM31] all that is wrong is said, and where: what baseline forbids first", () => {
  const containers = [{ name: "a", securityContext: { privileged: true } }, { name: "b" }];
  const pod = { metadata: {}, spec: { hostPID: true, containers } };
  assert.equal(
    found(pod, "restricted"),
    [
      "host namespaces (hostPID=true)",
      'privileged (container "a" must not set securityContext.privileged=true)',
      'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ].join(", "),
  );
});

test("[ADM31] what is not a pod is not fallen over", () => {
  for (const pod of [{}, { spec: null }, { metadata: { annotations: null }, spec: { containers: [null, 1, {}], volumes: {} } }]) {
    assert.equal(typeof found(pod, "restricted"), "string");
  }
});
