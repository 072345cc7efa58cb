import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { operatorWebhooks, webhook, webhookConfigurations } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace, Secret } from "@kaji/types/core/v1";

const Bar = defineResource({
  group: "storm.example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({ replicas: z.int32().optional() }),
});

const hook = webhook(Bar, {
  // As long as can be: how fast the machine is does not matter here.
  timeoutSeconds: 30,
  default(bar) {
    bar.spec.replicas ??= 2;
  },
  validate: () => [],
});

const target = { type: "Service", namespace: "ops", name: "bars" } as const;
/**
 * Short enough that certificates and authorities are replaced while the test looks on, and without an overlap: however long ago a bundle was read, it is good for what is found.
 * It takes its time, and so is run with the tests that have a real Kubernetes.
 */
const lifetimes = { authorityLifetime: "40s", certificateLifetime: "20s", overlap: "0s", recheck: "500ms" } as const;
const concurrent = 200;
/** Between one wave of requests and the next. */
const breathMs = 100;

test("none of 200 concurrent requests to the embedded API server fails while its webhooks change certificates, authorities and replicas", async () => {
  let port = 0;
  // In place of the Service's endpoints, which may not be on loopback.
  const resolveService = (): URL => new URL(`https://127.0.0.1:${port}`);
  const tools = { clock: systemClock, random: systemRandom };
  await using server = createApiServer({ storage: createMemoryStorage(tools), webhooks: { resolveService }, ...tools });
  const client = new KubeClient(server.transport(), { fieldManager: "test" });
  await install(client);
  await using replicas = new Replicas(client, (next) => {
    port = next;
  });
  await replicas.replace();
  const [certificates, bundles] = [new Set<string>(), new Set<string>()];
  for (let wave = 1; certificates.size < 3 || bundles.size < 3 || replicas.replaced < 4; wave++) {
    const load = storm(client);
    if (wave % 4 === 0 && replicas.replaced < 4) await replicas.replace();
    assert.deepEqual(new Set((await load).map(String)), new Set());
    const { data = {} } = await client.get(Secret, "ops/bars-webhook-certificates");
    certificates.add(data["tls.crt"] ?? "");
    bundles.add(data["ca.crt"] ?? "");
    await systemClock.sleep(breathMs);
  }
});

async function install(client: KubeClient): Promise<void> {
  for (const name of ["ops", "shop"]) await client.create(Namespace, { metadata: { name } });
  await client.create(CustomResourceDefinition, Bar.crd());
  const { mutating, validating } = webhookConfigurations([hook], { name: "bars", namespace: "ops", target });
  assert.ok(mutating !== undefined && validating !== undefined);
  await client.create(MutatingWebhookConfiguration, mutating);
  await client.create(ValidatingWebhookConfiguration, validating);
}

/** Writes at once, each of which reaches two webhooks; what failed of them. */
async function storm(client: KubeClient): Promise<readonly unknown[]> {
  const write = async (index: number): Promise<unknown> => {
    try {
      const metadata = { name: `bar-${index}`, namespace: "shop" };
      const { spec } = await client.create(Bar, { metadata, spec: {} }, { dryRun: true });
      return spec.replicas === 2 ? undefined : "not defaulted";
    } catch (error) {
      return error;
    }
  };
  const answers = await Promise.all(Array.from({ length: concurrent }, (_write, index) => write(index)));
  return answers.filter((answer) => answer !== undefined);
}

/** The webhooks of the operator, one server after the other behind its Service. */
class Replicas implements AsyncDisposable {
  replaced = 0;
  readonly #client: KubeClient;
  readonly #onReady: (port: number) => void;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(client: KubeClient, onReady: (port: number) => void) {
    this.#client = client;
    this.#onReady = onReady;
  }

  /** Starts another one, sends requests to it, and stops the one before. */
  async replace(): Promise<void> {
    const end = new AbortController();
    const options = { name: "bars", namespace: "ops", target, webhooks: [hook], client: this.#client, ...lifetimes };
    const webhooks = operatorWebhooks({ ...options, host: "127.0.0.1", port: 0, linger: "4s" });
    const running = webhooks.run(end.signal);
    const stopBefore = this.#stop;
    this.#stop = async () => {
      end.abort();
      await running;
    };
    const { port } = await Promise.race([webhooks.ready, running.then(() => assert.fail("it ended"))]);
    this.#onReady(port);
    await stopBefore();
    this.replaced++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}
