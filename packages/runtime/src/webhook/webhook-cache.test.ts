import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { FieldPath, errorMessage, invalidValue } from "@kaji/core";
import type { FieldError, KubeObject, ListerWatcherSource, ObjectOf, Transport } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { seededRandom } from "@kaji/core/testing";
import { Informers, fieldIndex, metadataOf } from "@kaji/informer";
import { ConfigMap } from "@kaji/types/core/v1";
import { z } from "zod";
import type { NotDeclared } from "../declare/access.ts";
import { anyKind } from "../declare/any-kind.ts";
import { watch } from "../declare/declarations.ts";
import type { Watched } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { permissionsOf } from "../declare/permissions.ts";
import { generationChanged } from "../declare/predicate.ts";
import { StartupError } from "../manager/startup-error.ts";
import { TestWorld } from "../testing/test-world.ts";
import type { AdmissionReview } from "./admission-review.ts";
import { barRequest, reviewOf } from "./testing/bar.ts";
import type { CachedBy } from "./webhook-cache.ts";
import { webhookHandler } from "./webhook-handler.ts";
import { WebhookMirrors } from "./webhook-mirrors.ts";
import { webhook } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const Policy = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Policy",
  plural: "policies",
  spec: z.object({ prefix: z.string(), team: z.string().optional() }),
});
const Team = defineResource({ group: "example.com", version: "v1", kind: "Team", spec: z.object({}) });
const Part = defineResource({ group: "example.com", version: "v1", kind: "Part", spec: z.object({}) });
const byTeam = fieldIndex(Policy, "spec.team");
const deploymentName = FieldPath.of("spec", "deploymentName");

/** The name of a Deployment begins as each Policy asks for. */
const obedient = webhook(Bar, {
  watches: [watch(Policy, { indexes: [byTeam] })],
  validate({ spec }, { cache }) {
    const wrong = (why: string): FieldError => invalidValue(deploymentName, spec.deploymentName, why);
    const broken = cache.list(Policy).find(({ spec: { prefix } }) => !spec.deploymentName.startsWith(prefix));
    if (broken !== undefined) return wrong(`${broken.metadata.name} forbids it`);
    if (cache.by(Policy, byTeam, "b").some(() => true)) return wrong("team b has a say");
    if (cache.get(Policy, "default/frozen") !== undefined) return wrong("all is frozen");
  },
});

async function ask(handler: Transport, signal?: AbortSignal): Promise<NonNullable<AdmissionReview["response"]>> {
  const body = Buffer.from(JSON.stringify(reviewOf(barRequest())));
  const request = { method: "POST", path: "/validate-example-com-v1-bar", headers: { "content-type": "application/json" }, body } as const;
  const { body: answer } = await handler({ ...request, ...(signal === undefined ? {} : { signal }) });
  return ((await json(answer)) as AdmissionReview).response ?? assert.fail();
}

/** A server with Bars and Policies, and the webhooks of an operator there. */
class Rig implements AsyncDisposable {
  readonly world: TestWorld = new TestWorld();
  readonly informers: Informers;
  readonly mirrors: WebhookMirrors;
  /** Whether the server cannot be reached. */
  isCut = false;
  readonly #hook: Webhook;
  readonly #end = new AbortController();
  readonly #over: Promise<unknown>[] = [];

  constructor(hook: Webhook, namespaces?: readonly string[]) {
    const { client, clock } = this.world;
    this.#hook = hook;
    const source: ListerWatcherSource = (of, scope) => {
      const inner = client.listerWatcher(of, scope);
      const unlessCut = async <R>(act: () => Promise<R>): Promise<R> =>
        this.isCut ? Promise.reject(new Error("connection reset")) : act();
      return { list: (options) => unlessCut(() => inner.list(options)), watch: (options) => unlessCut(() => inner.watch(options)) };
    };
    this.informers = new Informers({ source, clock, random: seededRandom(4), onFailure: () => {} });
    this.mirrors = new WebhookMirrors({ parts: [hook], informers: this.informers, clock, namespaces });
  }

  mirror(): Promise<void> {
    this.#over.push(this.informers.run(this.#end.signal));
    const mirroring = this.mirrors.run(this.#end.signal);
    this.#over.push(mirroring.catch(() => {}));
    return mirroring;
  }

  async addPolicy(name: string, spec: { readonly prefix: string; readonly team?: string }, namespace = "default"): Promise<void> {
    await this.world.client.create(Policy, { metadata: { name, namespace }, spec });
    await this.world.settle();
  }

  /** What becomes of a Bar whose Deployment is named `web`. */
  ask(signal?: AbortSignal): Promise<NonNullable<AdmissionReview["response"]>> {
    return ask(webhookHandler({ webhooks: [this.#hook], mirrors: () => this.mirrors, clock: this.world.clock }), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#over);
    await this.world[Symbol.asyncDispose]();
  }
}

test("[WH29] a handler reads from memory the kinds that it watches, as far as the watch has come", async () => {
  await using rig = new Rig(obedient);
  await rig.world.define(Bar, Policy);
  void rig.mirror();
  await rig.world.settle();
  assert.equal((await rig.ask()).allowed, true);
  await rig.addPolicy("web-only", { prefix: "web" });
  assert.equal((await rig.ask()).allowed, true);
  await rig.addPolicy("api-only", { prefix: "api" });
  assert.match((await rig.ask()).status?.message ?? "", /spec\.deploymentName: Invalid value: "web": api-only forbids it$/);
  await rig.world.client.delete(Policy, "default/api-only");
  await rig.addPolicy("team", { prefix: "", team: "b" });
  assert.match((await rig.ask()).status?.message ?? "", /team b has a say$/);
  await rig.world.client.delete(Policy, "default/team");
  await rig.addPolicy("frozen", { prefix: "" });
  assert.match((await rig.ask()).status?.message ?? "", /all is frozen$/);
});

test("[WH29] what a handler does not watch does not compile, and is refused with what to add", async () => {
  const sly = webhook(Bar, {
    watches: [metadataOf(Policy)],
    validate(_bar, { cache, isServed, warn }) {
      const unread = [
        // @ts-expect-error Parts are not watched
        (): unknown => cache.list(Part),
        // @ts-expect-error of Policies no more than the metadata is
        (): unknown => cache.get(Policy, "a/b"),
        // @ts-expect-error Parts are not watched
        (): unknown => isServed(Part),
        // @ts-expect-error children are nothing that a webhook has
        (): unknown => (cache.owned as unknown) ?? cache.get(metadataOf(Policy), "a/b"),
      ];
      for (const read of unread) warn(errorMessage(thrownBy(read)));
    },
  });
  await using rig = new Rig(sly);
  await rig.world.define(Bar, Policy);
  void rig.mirror();
  const kind = (name: string): string =>
    `the webhook of example.com/v1, Kind=Bar does not declare example.com/v1, Kind=${name}: add ${name} to its watches`;
  assert.deepEqual((await rig.ask()).warnings, [kind("Part"), kind("Policy"), kind("Part"), "undefined"]);
});

test("[WH29] where a kind is not watched, the type that it should have says what to do", () => {
  type Cached = CachedBy<readonly [typeof Policy, Watched<ConfigMap, never>]>;
  // Assigned both ways: they are the same.
  const one = (cached: Cached): ObjectOf<typeof Policy> | ConfigMap | NotDeclared<"add the kind to watches"> => cached;
  const other: (kind: ObjectOf<typeof Policy> | ConfigMap | NotDeclared<"add the kind to watches">) => Cached = one;
  assert.equal(other, one);
  // @ts-expect-error a webhook writes nothing
  webhook(Bar, { watches: [watch(Policy, { verbs: ["patch"] })], validate: () => {} });
});

test("[WH29] without mirrors, a read says so", async () => {
  const handler = webhookHandler({ webhooks: [obedient] });
  assert.match((await ask(handler)).status?.message ?? "", /the webhook of example\.com\/v1, Kind=Bar was given no mirrors to read from$/);
});

test("[WH30] what is of use to a controller alone is an error of the declaration", () => {
  const declare = (watched: Watched<KubeObject, never>): Webhook => webhook(Bar, { watches: [watched], validate: () => {} });
  const message = (field: string): RegExp =>
    new RegExp(`^TypeError: the webhook of Bar \\(example\\.com/v1\\) watches Policy with ${field}, but reconciles nothing: leave it out$`);
  assert.throws(() => declare(watch(Policy, { toKeys: () => [] })), message("toKeys"));
  assert.throws(() => declare(watch(Policy, { predicates: [generationChanged] })), message("predicates"));
  assert.throws(() => declare(watch(Policy, { priority: 1 })), message("priority"));
  assert.throws(() => declare(watch(anyKind)), /^TypeError: the webhook of Bar \(example\.com\/v1\) watches anyKind, but/);
});

test("[WH31] a review waits for what its webhook watches, and no longer than the API server does for an answer", async () => {
  await using rig = new Rig(obedient);
  await rig.world.define(Bar, Policy);
  await rig.addPolicy("api-only", { prefix: "api" });
  const [hasty, patient] = [rig.ask(), rig.ask()];
  await rig.world.pass(9499);
  void rig.mirror();
  assert.match((await patient).status?.message ?? "", /api-only forbids it$/);
  assert.equal((await hasty).allowed, false);
});

test("[WH31] one that it does not come in time for fails, and names the kind and why", async () => {
  await using rig = new Rig(webhook(Bar, { watches: [Policy], timeoutSeconds: 2, validate: () => assert.fail("it was called") }));
  const early = rig.ask();
  await rig.world.pass(1500);
  const { allowed, status } = await early;
  assert.deepEqual([allowed, status?.code], [false, 500]);
  assert.equal(
    status?.message,
    "webhook validate.bar.v1.example.com failed: Error: what it watches was not there within 1.5s: policies.example.com: the list is not complete yet",
  );
  rig.isCut = true;
  void rig.mirror();
  const late = rig.ask();
  await rig.world.pass(1500);
  assert.match((await late).status?.message ?? "", /within 1\.5s: policies\.example\.com: connection reset$/);
  const left = new AbortController();
  const given = rig.ask(left.signal);
  left.abort(new Error("client disconnected"));
  assert.match((await given).status?.message ?? "", /client disconnected$/);
});

test("[WH31] an optional kind that the server lacks is not waited for", async () => {
  const hook = webhook(Bar, {
    watches: [watch(Policy, { optional: true })],
    validate: (_bar, { cache, isServed, warn }) => warn(`${isServed(Policy)} ${[...cache.list(Policy)].length}`),
  });
  await using rig = new Rig(hook);
  await rig.world.define(Bar);
  void rig.mirror();
  await rig.world.settle();
  assert.deepEqual((await rig.ask()).warnings, ["false 0"]);
  await rig.world.define(Policy);
  await rig.addPolicy("web-only", { prefix: "web" });
  await rig.world.pass(60_000);
  assert.deepEqual((await rig.ask()).warnings, ["true 1"]);
});

test("[WH32] what a controller watches too is mirrored once, also where it applies it", async () => {
  await using rig = new Rig(obedient);
  const controllers = [defineController(Bar, { owns: [Policy], reconcile: () => {} })];
  const { clock } = rig.world;
  await rig.world.define(Bar, Policy);
  const shared = new WebhookMirrors({
    parts: [obedient, webhook(Bar, { watches: [Policy, Bar], default: () => {} })],
    controllers,
    informers: rig.informers,
    clock,
  });
  await using _program = rig.world.start(controllers[0] ?? assert.fail(), { informers: rig.informers });
  const end = new AbortController();
  const mirroring = shared.run(end.signal);
  await rig.world.settle();
  assert.equal(rig.informers.size, 2);
  end.abort();
  await mirroring;
  assert.equal(rig.informers.size, 2);
});

test("[WH32] a kind that cannot be mirrored ends the program, with what to do", async () => {
  await using rig = new Rig(obedient);
  const mirroring = assert.rejects(rig.mirror(), (error) => {
    assert.ok(error instanceof StartupError);
    assert.equal(
      error.message,
      "the webhook of Bar needs the kind Policy (policies.example.com), but the server does not serve it in example.com/v1; install its CustomResourceDefinition, or the API server that serves it; if it is the operator's own, add it to the resources of defineOperator",
    );
    return true;
  });
  const waiting = rig.ask();
  await rig.world.pass(1000);
  await mirroring;
  assert.match((await waiting).status?.message ?? "", /failed: StartupError: the webhook of Bar needs the kind Policy/);
});

test("[WH33] a webhook of an operator of some namespaces mirrors what is in these, or in those that it names", async () => {
  const hook = webhook(Bar, {
    watches: [Policy, watch(Team, { namespaces: ["teams"] })],
    validate: (_bar, { cache, warn }) => warn([...cache.list(Policy), ...cache.list(Team)].map(({ metadata }) => metadata.name).join(" ")),
  });
  await using rig = new Rig(hook, ["shop"]);
  await rig.world.define(Bar, Policy, Team);
  for (const namespace of ["shop", "stock", "teams"]) {
    await rig.addPolicy(`policy-${namespace}`, { prefix: "" }, namespace);
    await rig.world.client.create(Team, { metadata: { name: `team-${namespace}`, namespace }, spec: {} });
  }
  void rig.mirror();
  assert.deepEqual((await rig.ask()).warnings, ["policy-shop team-teams"]);
});

test("[PER4] what webhooks watch is permitted, with the reason and where", () => {
  const hook = webhook(Bar, { watches: [Policy, watch(ConfigMap, { namespaces: ["settings"] })], validate: () => {} });
  assert.deepEqual(permissionsOf([], [hook]), [
    {
      apiGroup: "",
      resource: "configmaps",
      verbs: ["list", "watch"],
      namespaces: ["settings"],
      reasons: ["the webhook of Bar watches it"],
    },
    { apiGroup: "example.com", resource: "policies", verbs: ["list", "watch"], reasons: ["the webhook of Bar watches it"] },
  ]);
});

function thrownBy(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
