import { after, before, describe, test } from "node:test";
import type { KubeClient } from "@kaji/client";
import { Node } from "@kaji/types/core/v1";
import { PriorityClass } from "@kaji/types/scheduling/v1";
import { SchedulingBench } from "./scheduling-bench.ts";
import { schedulingScenarios } from "./scheduling-scenarios.ts";

/** A cluster with a scheduler, and with nodes that run nothing. */
export interface SchedulingSubject extends AsyncDisposable {
  readonly client: KubeClient;
}

/** What every scheduler decides and says. */
export function schedulingContract(name: string, start: () => Promise<SchedulingSubject>): void {
  describe(`scheduling: ${name}`, () => {
    let subject: SchedulingSubject;

    before(async () => {
      subject = await start();
      await subject.client.mergePatch(Node, { name: "kaji-node" }, { spec: { unschedulable: true } });
      await subject.client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
      await subject.client.create(PriorityClass, { metadata: { name: "polite" }, value: 1000, preemptionPolicy: "Never" });
    });
    after(() => subject[Symbol.asyncDispose]());

    for (const [title, run] of Object.entries(schedulingScenarios)) {
      test(title, async () => {
        await using bench = await SchedulingBench.open(subject.client, title);
        await run(bench);
      });
    }
  });
}
