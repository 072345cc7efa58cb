import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { freePorts, startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemRandom } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { Lease } from "@kaji/types/coordination/v1";
import { Secret } from "@kaji/types/core/v1";
import { ClusterRole, Role } from "@kaji/types/rbac/v1";
import type { PolicyRule } from "@kaji/types/rbac/v1";
import { SubjectAccessReview } from "@kaji/types/authorization/v1";
import { exampleFolder, kaji } from "../packaging/programs.ts";
import { startConfined } from "./confined-operator.ts";
import { barScenario, bucketScenario, forget, ignoringAbsence, until } from "./scenarios.ts";
import type { Mirrors, Scenario } from "./scenarios.ts";

/** A role of an operator, as it was deployed. */
interface GivenRole {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** Makes these the rules of the role. */
  write(rules: readonly PolicyRule[]): Promise<unknown>;
}

/** One verb of one rule. */
interface Allowed {
  readonly rule: PolicyRule;
  readonly verb: string;
}

describe("the roles that kaji deploy gives to an operator, under the RBAC of a real kube-apiserver", () => {
  let kube: Kube;
  let client: KubeClient;

  before(async () => {
    kube = await startKube({
      apiserverFlags: [
        // Off by default, but on where clusters are shared: whoever makes a child that blocks the deletion of its owner must have a say about the owner.
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
        // As on clusters before 1.34, which lists are not streamed from: there it takes a list before a watch.
        "--feature-gates=WatchList=false",
      ],
    });
    client = await createClient({ kubeconfig: kube.kubeconfig, onWarning: () => {} });
  });

  after(async () => {
    await client?.[Symbol.asyncDispose]();
    await kube?.stop();
  });

  const examples: readonly (readonly [name: Parameters<typeof exampleFolder>[0], scenario: Scenario])[] = [
    ["bar", barScenario],
    ["bucket-prober", bucketScenario],
  ];
  for (const [example, scenario] of examples) {
    test(`suffice for examples/${example}, and without any single verb of theirs it fails, but for two that are there for convenience`, async () => {
      const { operator }: { readonly operator: OperatorDefinition } = await import(`${exampleFolder(example)}/operator.ts`);
      const namespace = `${operator.name}-system`;
      await kaji("deploy", "--project", exampleFolder(example), "--kubeconfig", kube.kubeconfig, "--replicas", "0", "--timeout", "0s");
      const [webhookPort = 0] = await freePorts(1, systemRandom);
      await leadWebhooksHere(client, operator.name, webhookPort);

      const secret = { namespace, name: `${operator.name}-webhook-certificates` };
      const live = async (): Promise<string | undefined> => {
        await forget(client);
        await ignoringAbsence(client.delete(Lease, { namespace, name: operator.name }));
        await ignoringAbsence(client.delete(Secret, secret));
        const mirrors = slowMirrors();
        await using confined = await startConfined(operator, {
          kubeconfig: kube.kubeconfig,
          namespace,
          webhookPort,
          holdBack: (path) => mirrors.heldBack(path),
        });
        const over = new AbortController();
        const completed = scenario(client, over.signal, mirrors)
          .then(() => (operator.webhooks.length === 0 ? undefined : spoilCertificates(client, secret, over.signal)))
          // It gives its lease back in the end.
          .then(() => confined[Symbol.asyncDispose]())
          .then(() => confined.refusals[0]);
        const outcome = await Promise.race([completed, confined.refused]).catch((error: unknown) =>
          assert.fail(`${error instanceof Error ? error.message : String(error)}\n${confined.log()}`),
        );
        over.abort();
        await completed.catch(() => {});
        return outcome;
      };

      assert.equal(await live(), undefined, "with all its rules it is refused nothing");
      const user = `system:serviceaccount:${namespace}:${operator.name}`;
      const needless: string[] = [];
      for (const role of await rolesOf(client, operator.name, namespace)) {
        for (const { rule, verb } of verbsOf(role.rules)) {
          await role.write(without(role.rules, rule, verb));
          await inForce(client, user, namespace, { rule, verb }, false);
          if ((await live()) === undefined) needless.push(`${role.name}: ${verb} ${rule.resources?.join()}`);
          await role.write(role.rules);
          await inForce(client, user, namespace, { rule, verb }, true);
        }
      }
      assert.deepEqual(needless, conveniences(operator));
    });
  }
});

/**
 * What neither example needs: the context offers it for the objects that a controller looks after without a further declaration. `live.get` reads one from the server, and
 * `client.updateStatus` writes the whole of its status; our own controllers of Deployments and Jobs do both.
 */
function conveniences({ name, controllers }: OperatorDefinition): readonly string[] {
  return controllers.flatMap(({ resource: { plural } }) => [
    `ClusterRole ${name}: get ${plural}`,
    `ClusterRole ${name}: update ${plural}/status`,
  ]);
}

/** News that can be kept from an operator. */
function slowMirrors(): Mirrors & { heldBack(path: string): Promise<void> | undefined } {
  const held = new Map<string, Promise<void>>();
  return {
    heldBack: (path) => [...held].find(([plural]) => path.includes(`/${plural}?`))?.[1],
    holdBack(plural) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(plural, promise);
      return { [Symbol.dispose]: () => (held.delete(plural), resolve()) };
    },
  };
}

/** Makes the certificates of the webhooks useless, and waits until the operator has made new ones. */
async function spoilCertificates(
  client: KubeClient,
  secret: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  await client.mergePatch<Secret>(Secret, secret, { data: { "ca.crt": "" } }, { signal });
  await until(signal, async () => (await client.get(Secret, secret, { signal })).data?.["ca.crt"] !== "");
}

async function rolesOf(client: KubeClient, name: string, namespace: string): Promise<readonly GivenRole[]> {
  const cluster = await client.get(ClusterRole, name);
  const own = await client.get(Role, { namespace, name: `${name}-own-namespace` });
  return [
    {
      name: `ClusterRole ${name}`,
      rules: cluster.rules ?? [],
      write: (rules) => client.mergePatch(ClusterRole, name, { rules }),
    },
    {
      name: `Role ${name}-own-namespace`,
      rules: own.rules ?? [],
      write: (rules) => client.mergePatch(Role, { namespace, name: `${name}-own-namespace` }, { rules }),
    },
  ];
}

/** Each verb that a role allows, with its rule. */
function verbsOf(rules: readonly PolicyRule[]): readonly Allowed[] {
  return rules.flatMap((rule) => rule.verbs.map((verb) => ({ rule, verb })));
}

/** The rules without one verb of one of them. */
function without(rules: readonly PolicyRule[], rule: PolicyRule, verb: string): readonly PolicyRule[] {
  const others = rule.verbs.filter((each) => each !== verb);
  return rules.flatMap((each) => (each !== rule ? [each] : others.length === 0 ? [] : [{ ...rule, verbs: others }]));
}

/** Waits until the API server has noticed that a verb is allowed, or is not. */
async function inForce(client: KubeClient, user: string, namespace: string, { rule, verb }: Allowed, isThere: boolean): Promise<void> {
  const [resource = "", subresource] = rule.resources?.[0]?.split("/") ?? [];
  const resourceAttributes = {
    namespace,
    group: rule.apiGroups?.[0] ?? "",
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    verb,
    ...(rule.resourceNames === undefined ? {} : { name: rule.resourceNames[0] ?? "" }),
  };
  const review = { metadata: { name: "" }, spec: { user, resourceAttributes } };
  await until(new AbortController().signal, async () => (await client.create(SubjectAccessReview, review)).status?.allowed === isThere);
}

/** The API server runs outside of any cluster network, where Services lead nowhere: it calls this process by its address. */
async function leadWebhooksHere(client: KubeClient, name: string, port: number): Promise<void> {
  for (const resource of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const) {
    const { items } = await client.list<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(resource);
    for (const { metadata, webhooks = [] } of items.filter((each) => each.metadata.name === name)) {
      const patch = webhooks.map(({ clientConfig }, index) => ({
        op: "replace" as const,
        path: `/webhooks/${index}/clientConfig`,
        value: { url: `https://127.0.0.1:${port}${clientConfig.service?.path ?? ""}` },
      }));
      await client.jsonPatch<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(resource, metadata.name, patch);
    }
  }
}
