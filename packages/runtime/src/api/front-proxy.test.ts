import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { forbidden, resource, systemClock, systemRandom } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { distinguishedName, extendedKeyUsage, issueLeaf } from "@kaji/core/x509";
import { createAuthority, issueServing } from "../certificates/certificate-authority.ts";
import { ReplacedCertificate } from "../certificates/certificate-source.ts";
import type { Certificate } from "../certificates/certificate.ts";
import { callHttps } from "../webhook/testing/https-call.ts";
import { ObjectServer } from "../webhook/testing/object-server.ts";
import { webhookHandler } from "../webhook/webhook-handler.ts";
import { createWebhookServer } from "../webhook/webhook-server.ts";
import { api } from "./api.ts";
import { apiHandler } from "./api-handler.ts";
import { FrontProxy } from "./front-proxy.ts";

const issuing = { clock: systemClock, random: systemRandom, lifetimeMs: 3600_000 };
const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
const serving = createAuthority("serving", issuing);
const [first, second, clients] = [
  createAuthority("first", issuing),
  createAuthority("second", issuing),
  createAuthority("clients", issuing),
];

const Seer = resource<KubeObject>({ group: "example.com", version: "v1", kind: "Seer", plural: "seers", scope: "Cluster" });
/** Shows who asks. */
const seers = api(Seer, {
  list: ({ user: { username, groups } }) => [{ metadata: { name: username, annotations: { groups: groups.join("|") } } }],
});

function clientOf(authority: Certificate, name: string): Certificate {
  return issueLeaf(authority, distinguishedName(name), [extendedKeyUsage("clientAuth")], {
    ...issuing,
    notAfterMs: systemClock.now() + 3600_000,
  });
}

function authentication(authority: Certificate): Readonly<Record<string, string>> {
  return {
    "client-ca-file": clients.cert,
    "requestheader-client-ca-file": authority.cert,
    "requestheader-allowed-names": '["front-proxy"]',
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
  };
}

const claims = { "X-Remote-User": "eve", "X-Remote-Group": ["a, b", "ops"] };

interface Rig extends AsyncDisposable {
  readonly server: ObjectServer;
  readonly clock: ManualClock;
  /** Asks as whoever the headers say, with a certificate or none, over a connection of its own or one that an agent keeps. */
  ask(
    client?: Certificate,
    agent?: Agent,
    headers?: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

async function start(data: Readonly<Record<string, string>>, clientCaFile?: string): Promise<Rig> {
  const server = new ObjectServer();
  server.put(path, { metadata: { name: "extension-apiserver-authentication" }, data });
  const clock = new ManualClock();
  const client = new KubeClient(server.transport, { clock, random: seededRandom(1), retries: 0 });
  const frontProxy = new FrontProxy({ client, clock, random: seededRandom(2) });
  const access = { userOf: frontProxy.userOf.bind(frontProxy), may: async () => true };
  const certificates = new ReplacedCertificate();
  certificates.replace(issueServing(serving, ["127.0.0.1"], issuing));
  const handler = apiHandler({ apis: [seers], access }, webhookHandler({}));
  const https = createWebhookServer({ handler, certificates, frontProxy, clientCaFile, host: "127.0.0.1", port: 0, linger: 0 });
  const end = new AbortController();
  const running = Promise.all([frontProxy.run(end.signal), https.run(end.signal)]);
  await frontProxy.ready;
  const { port } = await https.ready;
  return {
    server,
    clock,
    ask: (shown, agent, headers = claims) =>
      callHttps({
        port,
        path: "/apis/example.com/v1/seers",
        ca: serving.cert,
        headers,
        ...(shown === undefined ? {} : { client: shown }),
        ...(agent === undefined ? {} : { agent }),
      }),
    async [Symbol.asyncDispose]() {
      end.abort();
      await running;
    },
  };
}

test("[API8] only the front proxy says who its clients are: nobody else passes as a user, whatever he shows", async () => {
  await using rig = await start(authentication(first));
  const { status, body } = await rig.ask(clientOf(first, "front-proxy"));
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(body).items[0].metadata, { name: "eve", annotations: { groups: "a, b|ops|system:authenticated" } });
  const others = [undefined, clientOf(first, "somebody"), clientOf(clients, "front-proxy"), clientOf(second, "front-proxy")];
  for (const other of others) assert.equal((await rig.ask(other)).status, 401);
});

test("[API8] everybody but the anonymous is of the group of those who are known, as the API server itself is when it fetches documents", async () => {
  await using rig = await start(authentication(first));
  const groupsOf = async (user: string, ...groups: readonly string[]): Promise<string> => {
    const { body } = await rig.ask(clientOf(first, "front-proxy"), undefined, { "X-Remote-User": user, "X-Remote-Group": groups });
    return JSON.parse(body).items[0].metadata.annotations.groups;
  };
  assert.equal(await groupsOf("system:aggregator"), "system:authenticated");
  assert.equal(await groupsOf("system:anonymous", "system:unauthenticated"), "system:unauthenticated");
  assert.equal(await groupsOf("eve", "system:authenticated", "ops"), "system:authenticated|ops");
});

test("[API8] nor does who may call webhooks by a certificate of another authority, and the front proxy still does", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kaji-front-proxy-"));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "clients.crt");
  await writeFile(file, clients.cert);
  await using rig = await start(authentication(first), file);
  assert.equal((await rig.ask(clientOf(clients, "front-proxy"))).status, 401);
  assert.equal((await rig.ask(clientOf(first, "front-proxy"))).status, 200);
  await assert.rejects(rig.ask());
});

test("[API9] another authority of the front proxy is known as soon as the ConfigMap has it", async () => {
  await using rig = await start(authentication(first));
  rig.server.put(path, { metadata: { name: "extension-apiserver-authentication" }, data: authentication(second) });
  await rig.clock.advance(600_000);
  assert.equal((await rig.ask(clientOf(second, "front-proxy"))).status, 200);
  assert.equal((await rig.ask(clientOf(first, "front-proxy"))).status, 401);
});

test("[API9] a front proxy that was not known yet is known on its next request, though it keeps its connections", async (context) => {
  await using rig = await start({});
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const proxy = clientOf(first, "front-proxy");
  assert.equal((await rig.ask(proxy, agent)).status, 401);
  rig.server.put(path, { metadata: { name: "extension-apiserver-authentication" }, data: authentication(first) });
  await rig.clock.advance(600_000);
  for (let again = 0; again < 2; again++) assert.equal((await rig.ask(proxy, agent)).status, 200);
});

test("[API9] where the API server passes nothing on nobody is let in, and it is told", async () => {
  await using rig = await start({ "client-ca-file": clients.cert });
  for (const shown of [undefined, clientOf(clients, "front-proxy")]) assert.equal((await rig.ask(shown)).status, 401);
});

test("[API9] what may not be read ends the start, with what to do about it; later failures change nothing", async () => {
  const server = new ObjectServer();
  const [clock, random] = [new ManualClock(), seededRandom(1)];
  const client = new KubeClient(server.transport, { clock, random, retries: 0 });
  const refuse = (): ReturnType<typeof forbidden> =>
    forbidden({ group: "", plural: "configmaps" }, "extension-apiserver-authentication", "no");
  server.refuse = refuse;
  await assert.rejects(new FrontProxy({ client, clock, random }).run(new AbortController().signal), {
    name: "StartupError",
    message:
      'APIs cannot know their clients without the ConfigMap kube-system/extension-apiserver-authentication: configmaps "extension-apiserver-authentication" is forbidden: no; install the manifests of the operator, or bind it to the Role extension-apiserver-authentication-reader in kube-system',
  });
  server.refuse = () => undefined;
  server.put(path, { metadata: { name: "extension-apiserver-authentication" }, data: authentication(first) });
  const proxy = new FrontProxy({ client, clock, random });
  const end = new AbortController();
  const running = proxy.run(end.signal);
  await proxy.ready;
  server.refuse = refuse;
  await clock.advance(600_000);
  assert.equal(proxy.authority, first.cert);
  end.abort();
  await running;
});
