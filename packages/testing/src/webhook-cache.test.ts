import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath, forbiddenField } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, use, webhook } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap, ServiceAccount } from "@kaji/types/core/v1";
import { Experiment } from "./exploration/experiment.ts";
import type { Exploration } from "./exploration/exploration.ts";
import { explore } from "./exploration/explore.ts";
import type { ExploreOptions } from "./exploration/explore-options.ts";
import { formatPlan } from "./exploration/plan-text.ts";
import { singleFaults } from "./exploration/single-faults.ts";
import { simulate } from "./simulate.ts";
import { testCluster } from "./test-cluster.ts";
import { traceHash } from "./simulation/trace.ts";

const Site = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Site", spec: z.object({ host: z.string() }) });
const Domain = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Domain", scope: "Cluster", spec: z.object({}) });

/** A Site is in a domain of ours. */
const ours = webhook(Site, {
  watches: [Domain],
  validate({ spec }, { cache }) {
    const isOurs = cache.list(Domain).some(({ metadata }) => spec.host.endsWith(metadata.name));
    return isOurs ? undefined : forbiddenField(FieldPath.of("spec", "host"), "it is in no domain of ours");
  },
});
const sites = defineController(Site, {
  owns: [ConfigMap],
  async reconcile({ metadata, spec }, { apply }) {
    await apply(ConfigMap, { metadata: { name: metadata.name }, data: { host: spec.host } });
  },
});
const site = (name: string, host = "www.example.com") => ({ metadata: { name, namespace: "default" }, spec: { host } });
const domain = { metadata: { name: "example.com" }, spec: {} };

test("[WH29] in a test cluster a webhook reads from memory, with the operator's account, and from that of the controllers", async () => {
  const domains = defineController(Domain, { reconcile: () => {} });
  await using cluster = await testCluster({ controllers: [domains], webhooks: [ours] });
  const create = (of: typeof cluster, name: string): Promise<unknown> => of.client.create(Site, site(name));
  await assert.rejects(create(cluster, "a"), /spec\.host: Forbidden: it is in no domain of ours/);
  await cluster.client.create(Domain, domain);
  await cluster.settled();
  await create(cluster, "a");
  await using fork = await cluster.fork();
  await cluster.client.delete(Domain, "example.com");
  await cluster.settled();
  await assert.rejects(create(cluster, "b"), /it is in no domain of ours/);
  await create(fork, "b");
});

test("a webhook that reads is not asked about the operator's own account, which is there before it", async () => {
  const judge = webhook(ServiceAccount, {
    watches: [Domain],
    uses: [use(Domain, "list")],
    async validate(_account, { cache, live, warn }) {
      warn(`${[...cache.list(Domain)].length} ${(await live.list(Domain)).items.length}`);
    },
  });
  await using cluster = await testCluster({ webhooks: [judge] });
  await cluster.client.create(ServiceAccount, { metadata: { name: "a", namespace: "default" } });
  assert.deepEqual(cluster.warnings, ["0 0"]);
});

test("in a simulation webhooks mirror what they watch, also while the operator is away", async () => {
  await using simulated = await simulate({ controllers: [sites], webhooks: [ours] });
  const { client } = simulated;
  await assert.rejects(client.create(Site, site("a")), /it is in no domain of ours/);
  await client.create(Domain, domain);
  await simulated.settled();
  await client.create(Site, site("a"));
  simulated.crash();
  await client.delete(Domain, "example.com");
  await simulated.settled();
  await assert.rejects(client.create(Site, site("b")), /it is in no domain of ours/);
});

const options: ExploreOptions = {
  controllers: [sites],
  webhooks: [ours],
  ops: (user) => [
    user.create(Domain, domain),
    user.create(Site, site("a")),
    user.mergePatch(Site, "default/a", { spec: { host: "example.com" } }),
    user.delete(Site, "default/a"),
  ],
};

test("an exploration knows webhooks that mirror: each plan is the same run each time, and what is sound passes", async () => {
  const experiment = await Experiment.create(options);
  const bySort = Map.groupBy(singleFaults(await experiment.run(experiment.plainPlan)), ({ type }) => type);
  for (const [fault] of bySort.values()) {
    const plan = { ...experiment.plainPlan, faults: fault === undefined ? [] : [fault] };
    const [first, second] = [await experiment.run(plan), await experiment.run(plan)];
    assert.equal(traceHash(first.entries), traceHash(second.entries), formatPlan(plan));
  }
  (await explore(options)).expectNoViolations();
});

const Shop = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Shop", spec: z.object({ domain: z.string() }) });

/** A Shop has a Domain of its own, and then a Site in it. `write` is how the Site is written. */
const shops = (write: (site: Promise<unknown>) => Promise<unknown>): Controller =>
  defineController(Shop, {
    uses: [use(Domain, "create", "get")],
    owns: [Site],
    async reconcile({ metadata, spec }, { apply, client, live }) {
      const name = spec.domain;
      if ((await live.get(Domain, name)) === undefined) await client.create(Domain, { metadata: { name }, spec: {} });
      await write(apply(Site, { metadata: { name: metadata.name }, spec: { host: `www.${name}` } }));
    },
  });
const shop = { metadata: { name: "s", namespace: "default" }, spec: { domain: "example.com" } };

test("an operator whose writes are judged by what is read from memory has to try again, since that may be late", async () => {
  const exploring = (write: (site: Promise<unknown>) => Promise<unknown>): PromiseLike<Exploration> =>
    explore({
      controllers: [shops(write)],
      webhooks: [ours],
      ops: (user) => [user.create(Shop, shop)],
      faults: { only: ["LateWebhook"] },
    });
  const sound = await exploring((written) => written);
  sound.expectNoViolations();
  assert.deepEqual(sound.coverage.faults, { LateWebhook: { planned: 1, explored: 1 } });
  const { findings } = await exploring((written) => written.catch(() => {}));
  assert.deepEqual(
    findings.map(({ violation, plan }) => [violation.oracle, plan.faults.map(({ type }) => type)]),
    [["end state", ["LateWebhook"]]],
  );
});
