import { parseTime } from "@kaji/core";
import { pods } from "@kaji/testing";
import type { ExploreOptions, Operation } from "@kaji/testing";
import { CronJob, Job } from "@kaji/types/batch/v1";
import { Node, Pod } from "@kaji/types/core/v1";
import { exploreAll, failing, finishing, loopOf, metadata, named } from "./builtin-exploration.ts";

const at = "default/web";
const containers = [{ name: "web", image: "web" }];

/** Lets a CronJob run twice, one and two minutes from when it was made, and then not for a day. */
const schedule: Operation = {
  text: `schedule CronJob ${at} one and two minutes after it was made`,
  resource: CronJob,
  run: async (client) => {
    const { metadata: made } = await client.get(CronJob, at);
    const madeMs = parseTime(made.creationTimestamp ?? "");
    const [first, second] = [1, 2].map((minutes) => new Date(madeMs + minutes * 60_000));
    const hours = new Set([first?.getUTCHours(), second?.getUTCHours()]);
    await client.mergePatch(CronJob, at, {
      spec: { suspend: false, schedule: `${first?.getUTCMinutes()},${second?.getUTCMinutes()} ${[...hours].join(",")} * * *` },
    });
  },
};

const disrupt: Operation = {
  text: `say of Pod ${at} that it is to be disrupted`,
  resource: Pod,
  run: (client) =>
    client.mergePatch(
      Pod,
      at,
      { status: { conditions: [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }] } },
      { subresource: "status" },
    ),
};

const explorations: Readonly<Record<string, ExploreOptions>> = {
  "a CronJob": {
    controllers: named("cronjob-controller", "job-controller"),
    world: [pods, finishing],
    faults: { exclude: ["DeleteChild"] },
    ops: (user) => [
      user.create(CronJob, {
        metadata,
        spec: {
          schedule: "0 0 1 1 *",
          suspend: true,
          concurrencyPolicy: "Forbid",
          successfulJobsHistoryLimit: 1,
          jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers } } } },
        },
      }),
      schedule,
    ],
    // The names of Jobs tell the time, so that no two runs are compared by them.
    eventually: {
      "the last Job is left, and it is complete": (world) => world.list(Job).length === 1 && world.list(Job)[0]?.status?.succeeded === 1,
      "no Job is said to be active": (world) => world.get(CronJob, at)?.status?.active === undefined,
      "it was scheduled for the second time": (world) => {
        const { metadata: made, status } = world.get(CronJob, at) ?? {};
        return parseTime(status?.lastScheduleTime ?? "") - parseTime(made?.creationTimestamp ?? "") > 60_000;
      },
    },
  },
  "a node that is never heard of": {
    controllers: named("node-lifecycle-controller"),
    loops: loopOf("taint-eviction-controller", Pod),
    world: [pods],
    ops: (user) => [user.create(Node, { metadata: { name: "node-1" } }), user.create(Pod, { metadata, spec: { containers } })],
    eventually: { "its pods are driven off": (world) => world.get(Pod, at) === undefined },
  },
  "a pod whose node is gone": {
    controllers: [],
    loops: loopOf("pod-garbage-collector-controller", Pod, Node),
    world: [pods],
    ops: (user) => [
      user.create(Node, { metadata: { name: "node-1" } }),
      user.create(Pod, { metadata, spec: { containers } }),
      user.delete(Node, "node-1"),
    ],
    eventually: { "the pod goes, too": (world) => world.get(Pod, at) === undefined },
  },
  "a pod that was to be disrupted": {
    controllers: named("disruption-controller"),
    world: [pods],
    // What a user says in a status is not what he wants for good.
    mask: [{ resource: Pod, path: "status.conditions" }],
    ops: (user) => [user.create(Pod, { metadata, spec: { containers } }), disrupt],
    eventually: {
      "what was not done is no longer said": (world) =>
        world.get(Pod, at)?.status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status !== "True",
    },
  },
  "a Job that fails": {
    controllers: named("job-controller"),
    world: [pods, failing],
    // A Job that has failed does not make its pods again.
    faults: { exclude: ["DeleteChild"] },
    ops: (user) => [user.create(Job, { metadata, spec: { backoffLimit: 1, template: { spec: { restartPolicy: "Never", containers } } } })],
    eventually: {
      "it has failed, after two pods": (world) => {
        const { status } = world.get(Job, at) ?? {};
        return status?.failed === 2 && status.conditions?.some(({ type, status: value }) => type === "Failed" && value === "True") === true;
      },
    },
  },
};

exploreAll(explorations);
