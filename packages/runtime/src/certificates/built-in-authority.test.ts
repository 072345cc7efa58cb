import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { forbidden, isJsonObject, notFound, refusal } from "@kaji/core";
import type { JsonObject, JsonValue, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { KubeClient } from "@kaji/client";
import { BuiltInAuthority } from "./built-in-authority.ts";
import type { BuiltInAuthorityOptions } from "./built-in-authority.ts";
import { validityOf } from "./certificate.ts";
import { isIssued, parsedCertificate } from "./testing/issued.ts";
import { ObjectServer } from "../webhook/testing/object-server.ts";

const secretPath = "/api/v1/namespaces/ops/secrets/bars-webhook";
const mutatingPath = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/bars";
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bars.example.com";
const servicePath = "/apis/apiregistration.k8s.io/v1/apiservices/v1.counts.example.com";
const dayMs = 24 * 60 * 60_000;

interface Rig extends AsyncDisposable {
  readonly server: ObjectServer;
  readonly clock: ManualClock;
  readonly warnings: string[];
  start(seed: number, transport?: Transport): Replica;
}

interface Replica {
  readonly authority: BuiltInAuthority;
  readonly running: Promise<void>;
  stop(): Promise<void>;
}

function setUp(options: Partial<BuiltInAuthorityOptions> = {}): Rig {
  const server = new ObjectServer();
  const clock = new ManualClock();
  const warnings: string[] = [];
  const replicas: Replica[] = [];
  server.put(mutatingPath, {
    metadata: { name: "bars" },
    webhooks: [
      { name: "a", clientConfig: { url: "https://x" } },
      { name: "b", clientConfig: {} },
    ],
  });
  server.put(crdPath, { metadata: { name: "bars.example.com" }, spec: { conversion: { webhook: { clientConfig: {} } } } });
  const log = { debug() {}, info() {}, error() {}, child: () => log, warn: (_fields: object, message: string) => warnings.push(message) };
  return {
    server,
    clock,
    warnings,
    start(seed, transport = server.transport) {
      const random = seededRandom(seed);
      const client = new KubeClient(transport, { clock, random, retries: 0 });
      const holders = { mutating: ["bars"], customResourceDefinitions: ["bars.example.com"] };
      const common = { client, clock, random, log, namespace: "ops", secretName: "bars-webhook", names: ["bars.ops.svc"], holders };
      const authority = new BuiltInAuthority({ recheck: "12h", ...common, ...options });
      const end = new AbortController();
      const running = authority.run(end.signal);
      const replica = {
        authority,
        running,
        async stop() {
          end.abort();
          await running;
        },
      };
      replicas.push(replica);
      return replica;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(replicas.map((replica) => replica.stop()));
    },
  };
}

/** Watches that tell of what is sent, until they are aborted. */
class Watches {
  #writers: WritableStreamDefaultWriter<Uint8Array>[] = [];

  open({ signal }: TransportRequest): TransportResponse {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1000 });
    const writer = writable.getWriter();
    this.#writers.push(writer);
    signal?.addEventListener("abort", () => void writer.close());
    return { status: 200, headers: {}, body: readable };
  }

  async send(object: JsonObject): Promise<void> {
    for (const writer of this.#writers) await writer.write(Buffer.from(`${JSON.stringify({ type: "MODIFIED", object })}\n`));
  }
}

/** What is at a path of fields, as the text it encodes. */
function decoded(object: JsonValue | undefined, ...path: readonly string[]): string {
  const value = path.reduce<JsonValue | undefined>(
    (at, name) => (isJsonObject(at) || Array.isArray(at) ? (at as JsonObject)[name] : undefined),
    object,
  );
  return Buffer.from(typeof value === "string" ? value : "", "base64").toString();
}

test("[WCA10] at first keys are made and stored, and all that exists is told whom to trust", async () => {
  await using rig = setUp();
  const { authority } = rig.start(1);
  await authority.ready;
  const secret = rig.server.objects.get(secretPath);
  assert.equal(secret?.["type"], "kubernetes.io/tls");
  const bundle = decoded(secret, "data", "ca.crt");
  assert.equal(decoded(secret, "data", "tls.crt"), authority.current?.cert);
  assert.ok(isIssued(authority.current?.cert ?? "", bundle));
  for (const index of ["0", "1"]) {
    assert.equal(decoded(rig.server.objects.get(mutatingPath), "webhooks", index, "clientConfig", "caBundle"), bundle);
  }
  assert.equal(decoded(rig.server.objects.get(crdPath), "spec", "conversion", "webhook", "clientConfig", "caBundle"), bundle);
});

test("[API10] an APIService is told, too, and one of the API server itself is left alone", async () => {
  await using rig = setUp({ holders: { apiServices: ["v1.counts.example.com", "v1.local.example.com"] } });
  rig.server.put(servicePath, { metadata: { name: "v1.counts.example.com" }, spec: { service: { name: "bars-webhook" } } });
  const local = servicePath.replace("counts", "local");
  rig.server.put(local, { metadata: { name: "v1.local.example.com" }, spec: {} });
  const { authority } = rig.start(1);
  await authority.ready;
  const bundle = decoded(rig.server.objects.get(secretPath), "data", "ca.crt");
  assert.equal(decoded(rig.server.objects.get(servicePath), "spec", "caBundle"), bundle);
  assert.deepEqual(rig.server.objects.get(local)?.["spec"], {});
});

test("[WCA11] replicas that start together share one set of keys", async () => {
  await using rig = setUp();
  const replicas = [1, 2, 3, 4, 5].map((seed) => rig.start(seed));
  await Promise.all(replicas.map(({ authority }) => authority.ready));
  await rig.clock.advance(2 * dayMs);
  assert.equal(new Set(replicas.map(({ authority }) => authority.current?.cert)).size, 1);
});

test("[WCA12] at rest nothing is written, and a restart takes what is there", async () => {
  await using rig = setUp();
  const first = rig.start(1);
  await first.authority.ready;
  await first.stop();
  const writes = rig.server.writes.length;
  const second = rig.start(2);
  await second.authority.ready;
  await rig.clock.advance(20 * dayMs);
  assert.equal(second.authority.current?.cert, first.authority.current?.cert);
  assert.equal(rig.server.writes.length, writes);
});

test("[WCA13] a year of rotations: every certificate that is shown is valid and trusted at every moment", async () => {
  await using rig = setUp({ authorityLifetime: "1440h", certificateLifetime: "480h", recheck: "24h" });
  const { authority } = rig.start(1);
  await authority.ready;
  const [shown, trusted] = [new Set<string>(), new Set<string>()];
  for (let day = 0; day < 365; day++) {
    await rig.clock.advance(dayMs);
    const cert = authority.current?.cert ?? "";
    const bundle = decoded(rig.server.objects.get(mutatingPath), "webhooks", "0", "clientConfig", "caBundle");
    const authorities = bundle.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? [];
    assert.ok(rig.clock.now() < validityOf(parsedCertificate(cert)).toMs);
    assert.ok(authorities.some((each) => rig.clock.now() < validityOf(parsedCertificate(each)).toMs && isIssued(cert, each)));
    assert.ok(authorities.length <= 3);
    shown.add(cert);
    for (const each of authorities) trusted.add(each);
  }
  assert.ok(shown.size > 25, `${shown.size} certificates`);
  assert.ok(trusted.size > 8, `${trusted.size} authorities`);
});

test("[WCA14] a Secret or a configuration that another client replaces or damages is restored", async () => {
  await using rig = setUp();
  const { authority } = rig.start(1);
  await authority.ready;
  const before = authority.current?.cert;
  rig.server.put(mutatingPath, { metadata: { name: "bars" }, webhooks: [{ name: "a", clientConfig: { caBundle: "Zm9yZWlnbg==" } }] });
  rig.server.put(secretPath, { metadata: { name: "bars-webhook", namespace: "ops" }, data: { "tls.crt": "Z2FyYmFnZQ==", own: "eA==" } });
  await rig.clock.advance(dayMs);
  const secret = rig.server.objects.get(secretPath);
  assert.notEqual(authority.current?.cert, before);
  assert.equal(decoded(secret, "data", "own"), "x");
  assert.equal(
    decoded(rig.server.objects.get(mutatingPath), "webhooks", "0", "clientConfig", "caBundle"),
    decoded(secret, "data", "ca.crt"),
  );
});

test("[WCA14] another client that changes it again and again is answered at once a few times, and then every ten seconds", async () => {
  await using rig = setUp();
  const watches = new Watches();
  const transport: Transport = async (request) => {
    if (request.path.includes("watch=true")) return watches.open(request);
    const response = await rig.server.transport(request);
    if (request.method === "PATCH" && request.path.startsWith(mutatingPath)) {
      const theirs = [{ name: "a", clientConfig: { caBundle: "Zm9yZWlnbg==" } }];
      await watches.send(rig.server.put(mutatingPath, { metadata: { name: "bars" }, webhooks: theirs }));
    }
    return response;
  };
  const { authority } = rig.start(1, transport);
  await rig.clock.advance(1000);
  await authority.ready;
  const restored = (): number => rig.server.writes.filter((write) => write === `PATCH ${mutatingPath}`).length;
  assert.equal(restored(), 5);
  await rig.clock.advance(60_000);
  assert.ok(restored() >= 10 && restored() <= 12, String(restored()));
  assert.deepEqual(rig.warnings, ["another client keeps changing the authority of webhooks; it is restored every 10 s"]);
});

test("[WCA15] a configuration that does not exist yet is logged once, and gets the CA bundle as soon as it exists", async () => {
  await using rig = setUp();
  rig.server.objects.delete(mutatingPath);
  const { authority } = rig.start(1);
  await authority.ready;
  await rig.clock.advance(3 * dayMs);
  assert.deepEqual(rig.warnings, [
    "webhooks are not called: the API server has no such configuration; install the manifests of the operator to have them called",
  ]);
  rig.server.put(mutatingPath, { metadata: { name: "bars" }, webhooks: [{ name: "a", clientConfig: {} }] });
  await rig.clock.advance(dayMs);
  assert.match(decoded(rig.server.objects.get(mutatingPath), "webhooks", "0", "clientConfig", "caBundle"), /BEGIN CERTIFICATE/);
});

test("[WCA16] without permission to read the Secret, run fails at once", async () => {
  await using rig = setUp();
  rig.server.refuse = ({ path }) =>
    path.startsWith("/api/v1/") ? forbidden({ group: "", plural: "secrets" }, "bars-webhook", "no") : undefined;
  await assert.rejects(rig.start(1).running, /secrets "bars-webhook" is forbidden: no/);
});

test("[WCA17] what fails for a while is tried again, sooner than the next look", async () => {
  await using rig = setUp();
  rig.server.refuse = ({ method }) => (method === "PATCH" ? refusal("InternalError", "out of order") : undefined);
  const { authority } = rig.start(1);
  await rig.clock.advance(60_000);
  assert.ok(authority.current !== undefined, "the certificate is there all the same");
  rig.server.refuse = () => undefined;
  await rig.clock.advance(70_000);
  await authority.ready;
  assert.ok(rig.warnings.length >= 3);
});

test("[WCA17] a namespace that is not there is waited for", async () => {
  await using rig = setUp();
  rig.server.refuse = ({ method }) => (method === "POST" ? notFound({ group: "", plural: "namespaces" }, "ops") : undefined);
  const { authority } = rig.start(1);
  await rig.clock.advance(10_000);
  assert.ok(rig.server.writes.length === 0 && rig.warnings.length >= 3 && rig.warnings.length <= 5);
  rig.server.refuse = () => undefined;
  await rig.clock.advance(60_000);
  await authority.ready;
});

test("[WCA17] a certificate has the names that it is made for", async () => {
  await using rig = setUp();
  const { authority } = rig.start(1);
  await authority.ready;
  assert.equal(new X509Certificate(authority.current?.cert ?? "").checkHost("bars.ops.svc"), "bars.ops.svc");
  assert.throws(
    () => new BuiltInAuthority({ client: new KubeClient(rig.server.transport), namespace: "ops", secretName: "x", names: [], holders: {} }),
    {
      message: "the webhook certificate needs at least one name",
    },
  );
});
