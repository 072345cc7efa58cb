import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { FieldPath, forbiddenField, isReason, systemClock, systemRandom } from "@kaji/core";
import type { DraftMeta } from "@kaji/core";
import { defineResource, k } from "@kaji/core/define";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { Informers } from "@kaji/informer";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ConfigMap, Namespace, Secret } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@kaji/types/rbac/v1";
import type { PolicyRule } from "@kaji/types/rbac/v1";
import { z } from "zod";
import { permissionsOf } from "../declare/permissions.ts";
import { convert } from "../conversion/convert.ts";
import { operatorWebhooks } from "./operator-webhooks.ts";
import type { OperatorWebhooksOptions } from "./operator-webhooks.ts";
import { openRelay } from "./testing/relay.ts";
import type { Relay } from "./testing/relay.ts";
import { conversionStrategy, webhookConfigurations } from "./webhook-configuration.ts";
import { webhook } from "./webhook.ts";
import { webhookPermissions } from "./webhook-permissions.ts";
import type { NarrowPermission } from "./webhook-permissions.ts";

const Bar = defineResource({
  group: "webhook.example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({ deployment: z.object({ name: k.dnsLabel() }), replicas: z.int32().optional(), team: z.string().optional() }),
  versions: { v1alpha1: { spec: z.object({ deploymentName: k.dnsLabel(), replicas: z.int32().optional() }) } },
});
const { v1alpha1: OldBar } = Bar.versions;

const hook = webhook(Bar, {
  // As long as can be: how fast the machine is does not matter here.
  timeoutSeconds: 30,
  default(bar) {
    bar.spec.replicas ??= 2;
  },
  validate(bar, { operation, old, user, warn }) {
    if (bar.spec.deployment.name === "crash") throw new Error("crashed");
    if (bar.spec.replicas === 0) warn(`${user.username ?? ""} wants no replicas`);
    const isMoved = operation === "UPDATE" && old.spec.deployment.name !== bar.spec.deployment.name;
    return isMoved ? forbiddenField(FieldPath.of("spec", "deployment", "name"), "it cannot change") : [];
  },
  validateDelete: (bar) => (bar.metadata.name === "kept" ? forbiddenField(FieldPath.of("metadata", "name"), "it is kept") : []),
});

/** The data of the ConfigMaps that were asked about. */
const judged: unknown[] = [];

const lenient = webhook(ConfigMap, {
  failurePolicy: "Ignore",
  operations: ["UPDATE"],
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "shop" } },
  validate({ data }) {
    judged.push(data);
    throw new Error("crashed");
  },
});

const companion = webhook(Secret, {
  operations: ["CREATE"],
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "shop" } },
  watches: [Bar],
  validate: ({ metadata }, { cache }) =>
    cache.get(Bar, metadata) === undefined ? forbiddenField(FieldPath.of("metadata", "name"), "there is no Bar of that name") : [],
});

const conversion = convert(Bar, {
  v1alpha1: ({ move, same, keep }) => [
    move("spec.deploymentName", "spec.deployment.name"),
    same("spec.replicas"),
    keep({ hub: "spec.team" }),
  ],
});

const declared = { name: "bars", namespace: "ops", webhooks: [hook, lenient, companion], conversions: [conversion] };

interface Replica {
  readonly port: number;
  stop(): Promise<void>;
}

describe("webhooks called by a real kube-apiserver, with certificates of the built-in authority", () => {
  let kube: Kube;
  let relay: Relay;
  let client: KubeClient;
  /** May do what the webhooks say they need, and nothing else. */
  let operator: KubeClient;
  /** The client has at most 32 requests under way at once. */
  let crowd: readonly KubeClient[];
  const warnings: string[] = [];
  const replicas = new Set<Replica>();

  const start = async (options: Partial<OperatorWebhooksOptions> = {}): Promise<Replica> => {
    const [end, endInformers] = [new AbortController(), new AbortController()];
    const informers = new Informers({ source: operator.listerWatcher, clock: systemClock, random: systemRandom });
    const mirroring = informers.run(endInformers.signal);
    const webhooks = operatorWebhooks({
      informers,
      target: { type: "Url", url: `https://127.0.0.1:${relay.port}` },
      client: operator,
      ...declared,
      host: "127.0.0.1",
      port: 0,
      linger: "2s",
      ...options,
    });
    const running = webhooks.run(end.signal);
    const { port } = await Promise.race([webhooks.ready, running.then(() => assert.fail("it ended"))]);
    const replica = {
      port,
      async stop() {
        replicas.delete(replica);
        end.abort();
        await running;
        endInformers.abort();
        await mirroring;
      },
    };
    replicas.add(replica);
    relay.target = port;
    return replica;
  };

  before(async () => {
    kube = await startKube();
    relay = await openRelay();
    const connect = (): Promise<KubeClient> =>
      createClient({ kubeconfig: kube.kubeconfig, fieldManager: "test", onWarning: (text) => warnings.push(text) });
    client = await connect();
    crowd = await Promise.all(Array.from({ length: 7 }, connect));
    const target = { type: "Url", url: `https://127.0.0.1:${relay.port}` } as const;
    for (const name of ["ops", "shop"]) await client.create(Namespace, { metadata: { name } });
    const crd = Bar.crd();
    const definition = { ...crd, spec: { ...crd.spec, conversion: conversionStrategy({ target }) } };
    await client.create(CustomResourceDefinition, definition);
    const { mutating, validating } = webhookConfigurations(declared.webhooks, { name: "bars", namespace: "ops", target });
    assert.ok(mutating !== undefined && validating !== undefined);
    await client.create(MutatingWebhookConfiguration, mutating);
    await client.create(ValidatingWebhookConfiguration, validating);
    await permit(client, [...webhookPermissions(declared), ...permissionsOf([], declared.webhooks)]);
    operator = await createClient({ kubeconfig: kube.kubeconfig, context: "user" });
    await start();
    await eventually(() => client.list(Bar, { namespace: "shop" }));
    await eventually(() => create({ name: "first", namespace: "shop" }, "web"));
  });

  after(async () => {
    await Promise.all([...replicas].map((replica) => replica.stop()));
    await Promise.all([...(crowd ?? []), operator, client].map((each) => each?.[Symbol.asyncDispose]()));
    await relay?.[Symbol.asyncDispose]();
    await kube?.[Symbol.asyncDispose]();
  });

  const create = (
    metadata: DraftMeta,
    name: string,
    by: KubeClient = client,
    dryRun = false,
  ): Promise<{ readonly spec: { readonly replicas?: number | undefined } }> =>
    by.create(Bar, { metadata, spec: { deployment: { name } } }, { dryRun });

  /** 200 writes at once, each of which reaches two webhooks. */
  const wave = async (): Promise<readonly unknown[]> => {
    const calls = Array.from({ length: 200 }, (_, index) =>
      create({ name: `wave-${index}`, namespace: "shop" }, "web", crowd[index % crowd.length], true).then(
        ({ spec }) => (spec.replicas === 2 ? undefined : "not defaulted"),
        (error: unknown) => error,
      ),
    );
    return (await Promise.all(calls)).filter((failure) => failure !== undefined);
  };

  test("[WH1] objects are defaulted", async () => {
    assert.equal((await create({ name: "a", namespace: "shop" }, "web")).spec.replicas, 2);
  });

  test("[WH2] a denial has the causes, with their fields; warnings reach the user", async () => {
    await create({ name: "b", namespace: "shop" }, "web");
    const change = client.mergePatch(Bar, "shop/b", { spec: { deployment: { name: "other" } } });
    await assert.rejects(change, (error) => {
      assert.ok(isReason(error, "Invalid"));
      assert.match(
        error.message,
        /^admission webhook "validate\.bar\.v1\.webhook\.example\.com" denied the request: Bar\.webhook\.example\.com "b" is invalid: /,
      );
      assert.deepEqual(error.details?.causes, [
        { reason: "FieldValueForbidden", message: "Forbidden: it cannot change", field: "spec.deployment.name" },
      ]);
      return true;
    });
    await client.mergePatch(Bar, "shop/b", { spec: { replicas: 0 } });
    assert.deepEqual(warnings, ["admin wants no replicas"]);
  });

  test("[WH4] a deletion can be denied", async () => {
    await create({ name: "kept", namespace: "shop" }, "web");
    await assert.rejects(client.delete(Bar, "shop/kept"), /metadata\.name: Forbidden: it is kept/);
    await client.delete(Bar, "shop/first");
  });

  test("[WH5] a handler that throws denies the write, and the next one is served", async () => {
    await assert.rejects(create({ name: "c", namespace: "shop" }, "crash"), (error) => {
      assert.ok(isReason(error, "InternalError"));
      assert.match(error.message, /denied the request: webhook validate\.bar\.v1\.webhook\.example\.com failed: Error: crashed/);
      return true;
    });
    await create({ name: "c", namespace: "shop" }, "web");
  });

  test("[WH24] [WH27] changes alone are asked about where it says so, and a handler that throws is ignored where failures are", async () => {
    await client.create(ConfigMap, { metadata: { name: "settings", namespace: "shop" }, data: { made: "yes" } });
    const { data } = await client.mergePatch(ConfigMap, "shop/settings", { data: { changed: "yes" } });
    assert.deepEqual(data, { made: "yes", changed: "yes" });
    assert.deepEqual(judged, [data]);
  });

  test("[WH29] what a webhook reads from memory follows what is written, and it may watch just that", async () => {
    const secret = { metadata: { name: "companion", namespace: "shop" } };
    await assert.rejects(client.create(Secret, secret), /metadata\.name: Forbidden: there is no Bar of that name/);
    await create(secret.metadata, "web");
    await eventually(() => client.create(Secret, secret));
    assert.ok((await operator.list(Bar)).items.length > 0);
    await assert.rejects(operator.get(Bar, "shop/companion"), (error) => isReason(error, "Forbidden"));
  });

  test("[WH21] objects in the operator's own namespace are not touched", async () => {
    assert.equal((await create({ name: "own", namespace: "ops" }, "crash")).spec.replicas, undefined);
  });

  test("[WHC10] objects are served in their other version, one by one and as a list, and the webhooks see their own version", async () => {
    const made = await client.create(OldBar, { metadata: { name: "old", namespace: "shop" }, spec: { deploymentName: "db" } });
    assert.deepEqual(made.spec, { deploymentName: "db", replicas: 2 });
    assert.deepEqual((await client.get(Bar, "shop/old")).spec, { deployment: { name: "db" }, replicas: 2 });
    const { items } = await client.list(OldBar, { namespace: "shop" });
    assert.ok(items.length > 2 && items.every(({ spec }) => typeof spec.deploymentName === "string"));
  });

  test("[WHC8] what only one version has outlives patches, updates and applies in the other", async () => {
    await client.create(Bar, { metadata: { name: "team", namespace: "shop" }, spec: { deployment: { name: "db" }, team: "blue" } });
    const kept = async (): Promise<readonly unknown[]> => {
      const { metadata, spec } = await client.get(Bar, "shop/team");
      return [spec.team, spec.replicas, metadata.annotations];
    };
    await client.mergePatch(OldBar, "shop/team", { spec: { replicas: 3 } });
    assert.deepEqual(await kept(), ["blue", 3, undefined]);
    const old = await client.get(OldBar, "shop/team");
    await client.update(OldBar, { ...old, spec: { ...old.spec, replicas: 4 } });
    assert.deepEqual(await kept(), ["blue", 4, undefined]);
    const wanted = { metadata: { name: "team", namespace: "shop" }, spec: { deploymentName: "db", replicas: 5 } };
    await client.apply(OldBar, wanted, { fieldManager: "tester", force: true });
    assert.deepEqual(await kept(), ["blue", 5, undefined]);
  });

  test("[WCA14] a CA bundle that another client replaces is restored at once", async () => {
    const foreign = Buffer.from(kube.ca).toString("base64");
    await client.jsonPatch(MutatingWebhookConfiguration, "bars", [
      { op: "replace", path: "/webhooks/0/clientConfig/caBundle", value: foreign },
    ]);
    await eventually(async () => {
      const { webhooks = [] } = await client.get(MutatingWebhookConfiguration, "bars");
      assert.notEqual(webhooks[0]?.clientConfig.caBundle, foreign);
    });
  });

  test("[WCA18] what it does for its certificates is permitted by name, and nothing else is", async () => {
    assert.ok((await operator.get(Secret, "ops/bars-webhook-certificates")).data);
    await assert.rejects(operator.get(Secret, "ops/another"), (error) => isReason(error, "Forbidden"));
  });

  test("[WHS2] none of 200 concurrent requests fails while certificates and authorities are rotated", async () => {
    await stopAll(replicas);
    await client.delete(Secret, "ops/bars-webhook-certificates");
    // A third of a certificate's life is left when it is replaced: longer than a busy machine stands still.
    await start({ authorityLifetime: "40s", certificateLifetime: "20s", overlap: "0s", recheck: "300ms" });
    await eventually(() => create({ name: "warm", namespace: "shop" }, "web", client, true));
    const [certificates, bundles] = [new Set<string>(), new Set<string>()];
    while (certificates.size < 4 || bundles.size < 3) {
      assert.deepEqual(await wave(), []);
      const { data = {} } = await client.get(Secret, "ops/bars-webhook-certificates");
      certificates.add(data["tls.crt"] ?? "");
      bundles.add(data["ca.crt"] ?? "");
    }
  });

  test("[WHS3] none of 200 concurrent requests fails while replicas are replaced, and those that follow take the keys that are there", async () => {
    await stopAll(replicas);
    await client.delete(Secret, "ops/bars-webhook-certificates");
    await start();
    await eventually(() => create({ name: "warm", namespace: "shop" }, "web", client, true));
    const { data: before } = await client.get(Secret, "ops/bars-webhook-certificates");
    const failures: unknown[] = [];
    for (let restart = 0; restart < 3; restart++) {
      const [replica] = replicas;
      const load = repeat(wave, 3, failures);
      await start();
      await replica?.stop();
      await load;
    }
    assert.deepEqual(failures, []);
    const { data: later } = await client.get(Secret, "ops/bars-webhook-certificates");
    assert.deepEqual(later, before);
  });
});

/** Lets the user of the name `user` do this. */
async function permit(client: KubeClient, permissions: readonly NarrowPermission[]): Promise<void> {
  const rulesOf = (wanted: string | undefined): readonly PolicyRule[] =>
    permissions
      .filter(({ namespace }) => namespace === wanted)
      .map(({ apiGroup, resource, verbs, resourceNames }) => ({
        apiGroups: [apiGroup],
        resources: [resource],
        verbs,
        ...(resourceNames === undefined ? {} : { resourceNames }),
      }));
  const subjects = [{ kind: "User", name: "user", apiGroup: "rbac.authorization.k8s.io" }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", name: "webhooks" };
  const [metadata, inOps] = [{ name: "webhooks" }, { name: "webhooks", namespace: "ops" }];
  await client.create(ClusterRole, { metadata, rules: rulesOf(undefined) });
  await client.create(ClusterRoleBinding, { metadata, subjects, roleRef: { ...roleRef, kind: "ClusterRole" } });
  await client.create(Role, { metadata: inOps, rules: rulesOf("ops") });
  await client.create(RoleBinding, { metadata: inOps, subjects, roleRef: { ...roleRef, kind: "Role" } });
}

async function stopAll(replicas: ReadonlySet<Replica>): Promise<void> {
  await Promise.all([...replicas].map((replica) => replica.stop()));
}

async function repeat(wave: () => Promise<readonly unknown[]>, times: number, failures: unknown[]): Promise<void> {
  for (let count = 0; count < times; count++) failures.push(...(await wave()));
}

/** A new resource or configuration takes a moment to be known to all parts of a server. */
async function eventually<R>(attempt: () => Promise<R>): Promise<R> {
  for (let left = 600; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await systemClock.sleep(100);
    }
  }
}
