import assert from "node:assert/strict";
import { test } from "node:test";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@kaji/types/admissionregistration/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import type { MetricSpec } from "@kaji/types/autoscaling/v2";
import { autoscalerSpec, halfOfCpu, startStage, web } from "./testing/autoscaler-stage.ts";

const active = "ScalingActive True ValidMetricFound";

interface FailureCase {
  readonly metrics?: readonly MetricSpec[];
  readonly requests?: Readonly<Record<string, string>>;
  /** What pods use; undefined if nobody says it. */
  readonly cpu?: string;
  /** What is scaled, where it is not the Deployment. */
  readonly target?: Readonly<Record<string, string>>;
  readonly reason: string;
  /** What the message of the condition ends with, and that of the event is. */
  readonly why: RegExp;
}

const failures: Readonly<Record<string, FailureCase>> = {
  "a target that is not there": {
    target: { name: "nothing" },
    reason: "FailedGetScale",
    why: /^deployments\.apps "nothing" not found$/,
  },
  "a kind that is not there": {
    target: { apiVersion: "example.com/v1", kind: "Nothing" },
    reason: "FailedGetScale",
    why: /^no matches for kind "Nothing" in group "example\.com"$/,
  },
  "a kind without a scale": {
    target: { apiVersion: "apps/v1", kind: "DaemonSet" },
    reason: "FailedGetScale",
    why: /^the server could not find the requested resource$/,
  },
  "pods of which nothing is known": {
    reason: "FailedGetResourceMetric",
    why: /^failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API$/,
  },
  "pods that ask for nothing": {
    cpu: "100m",
    requests: { memory: "1Mi" },
    reason: "FailedGetResourceMetric",
    why: /^failed to get cpu utilization: missing request for cpu in container main of Pod web-\w+-\w+$/,
  },
  "a container that is not there": {
    cpu: "100m",
    metrics: [
      {
        type: "ContainerResource",
        containerResource: { container: "none", name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      },
    ],
    reason: "FailedGetContainerResourceMetric",
    why: /^failed to get cpu utilization: did not receive metrics for targeted pods \(pods might be unready\)$/,
  },
  "a metric of pods without an adapter": {
    metrics: [{ type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "1" } } }],
    reason: "FailedGetPodsMetric",
    why: /^unable to get metric hits: unable to fetch metrics from custom metrics API: no custom metrics API \(custom\.metrics\.k8s\.io\) registered$/,
  },
  "a metric of an object without an adapter": {
    metrics: [
      {
        type: "Object",
        object: {
          describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" },
          metric: { name: "hits" },
          target: { type: "Value", value: "1" },
        },
      },
    ],
    reason: "FailedGetObjectMetric",
    why: /^unable to get metric hits: Ingress on default main\/unable to fetch metrics from custom metrics API: no custom metrics API \(custom\.metrics\.k8s\.io\) registered$/,
  },
  "a metric from outside without an adapter": {
    metrics: [{ type: "External", external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "1" } } }],
    reason: "FailedGetExternalMetric",
    why: /^unable to get external metric default\/queue\/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource \(get queue\.external\.metrics\.k8s\.io\)$/,
  },
};

const prefix = /^the HPA (?:was unable to compute the replica count|controller was unable to get the target's current scale): (.*)$/;

for (const [what, { metrics, requests, cpu, target, reason, why }] of Object.entries(failures)) {
  test(`[HPA8] ${what}: the autoscaler says so in the words of a real one, and nothing is scaled`, async () => {
    const spec = {
      ...(metrics === undefined ? {} : { metrics }),
      ...(target === undefined ? {} : { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web", ...target } }),
    };
    await using stage = await startStage({ spec, ...(requests === undefined ? {} : { requests }), ...(cpu === undefined ? {} : { cpu }) });
    const { status } = await stage.autoscaler();
    const condition = status?.conditions?.find((each) => each.reason === reason) ?? assert.fail(JSON.stringify(status));
    const [, said = ""] = prefix.exec(condition.message ?? "") ?? [];
    assert.equal(condition.status, "False");
    assert.match(said, why);
    assert.ok((await stage.events()).includes(`${reason}: ${said}`));
    assert.equal(await stage.replicas(), 2);
  });
}

test("[HPA8] a metric that says nothing keeps replicas from becoming fewer, not from becoming more", async () => {
  const external: MetricSpec = { type: "External", external: { metric: { name: "queue" }, target: { type: "Value", value: "1" } } };
  await using stage = await startStage({ cpu: "100m", spec: { metrics: [external, halfOfCpu] } });
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[1]], [4, active]);
  stage.cluster.pods.match("app=web").use({ cpu: "1m" });
  await stage.pass(600);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[1]], [4, "ScalingActive False FailedGetExternalMetric"]);
  const summary = (await stage.events()).find((event) => event.startsWith("FailedComputeMetricsReplicas"));
  assert.match(
    summary ?? "",
    /: invalid metrics \(1 invalid out of 2\), first error is: failed to get queue external metric value: failed to get external metric queue: unable/,
  );
});

test("[HPA8] pods that two autoscalers scale are scaled by neither", async () => {
  await using stage = await startStage({ cpu: "50m" });
  await stage.cluster.client.create(HorizontalPodAutoscaler, { metadata: { ...web, name: "other" }, spec: autoscalerSpec() });
  await stage.pass(30);
  const { status } = await stage.autoscaler();
  const { reason, message } = status?.conditions?.find(({ type }) => type === "ScalingActive") ?? {};
  assert.deepEqual(
    [reason, message],
    ["AmbiguousSelector", "pods by selector app=web are controlled by multiple HPAs: [{other default} {web default}]"],
  );
  await stage.cluster.client.delete(HorizontalPodAutoscaler, { ...web, name: "other" });
  await stage.pass(15);
  assert.equal((await stage.conditions())[1], active);
});

test("[HPA8] a target that is refused another scale is tried again", async () => {
  await using stage = await startStage({ cpu: "50m" });
  const { client, pods } = stage.cluster;
  const rule = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments/scale"], operations: ["UPDATE"] } as const;
  await client.create(ValidatingAdmissionPolicy, {
    metadata: { name: "small" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.spec.replicas < 4", message: "no more than 3" }],
    },
  });
  await client.create(ValidatingAdmissionPolicyBinding, {
    metadata: { name: "small" },
    spec: { policyName: "small", validationActions: ["Deny"] },
  });
  pods.match("app=web").use({ cpu: "100m" });
  await stage.pass(15);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[0]], [2, "AbleToScale False FailedUpdateScale"]);
  const failed = /^FailedRescale: New size: 4; reason: cpu resource utilization .* above target; error: .*no more than 3$/;
  assert.ok((await stage.events()).some((event) => failed.test(event)));
  await client.delete(ValidatingAdmissionPolicyBinding, { name: "small" });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 4);
});
