import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Namespace } from "@kaji/types/core/v1";
import { createClient } from "./create-client.ts";
import { startHttpServer } from "./testing/http-server.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

test("[KC1] a client talks to the cluster of its kubeconfig", async () => {
  using folder = temporaryFolder();
  await using server = await startHttpServer((request, response) => response.end(JSON.stringify({ metadata: { name: request.url } })));
  const kubeconfig = folder.write(
    "config",
    `clusters: [{ name: c, cluster: { server: "${server.url}" } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`,
  );
  await using client = await createClient({ environment: { KUBECONFIG: kubeconfig } });
  assert.equal((await client.get(Namespace, "shop")).metadata.name, "/api/v1/namespaces/shop");
});

test("[OTEL2] each attempt passes what is wrapped around the transport, before it has credentials", async () => {
  let answers = 0;
  await using server = await startHttpServer((request, response) => {
    assert.equal(request.headers.authorization, "Bearer hunter2");
    response.writeHead(answers++ === 0 ? 429 : 200, { "retry-after": "0" });
    response.end('{"metadata":{}}');
  });
  const seen: string[] = [];
  await using client = await createClient({
    connection: { server: server.url, user: { token: "hunter2" } },
    environment: {},
    wrap: (transport) => async (request) => {
      const response = await transport(request);
      seen.push(`${response.status} ${Object.keys(request.headers).join()}`);
      return response;
    },
  });
  await client.get(Namespace, "shop");
  assert.deepEqual(seen, ["429 accept,user-agent", "200 accept,user-agent"]);
});

test("[KC9] a client shows no secret when it is printed", async () => {
  await using client = await createClient({ connection: { server: "https://127.0.0.1:1", user: { token: "hunter2" } }, environment: {} });
  assert.ok(!inspect(client, { depth: 9, showHidden: true }).includes("hunter2"));
  await assert.rejects(client.get(Namespace, "shop"), (error) => !inspect(error, { depth: 9, showHidden: true }).includes("hunter2"));
});
