import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { KubeClient, httpTransport, loadConfig } from "@kaji/client";
import { ClusterRoleBinding } from "@kaji/types/rbac/v1";
import { ServiceAccount } from "@kaji/types/core/v1";
import { podStreamsContract } from "./pod-streams-contract.ts";
import { startPlaneWithPods } from "./pods-with-streams.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-streams-"));
after(() => rmSync(folder, { recursive: true, force: true }));

podStreamsContract("with a certificate", () => startPlaneWithPods(join(folder, "certificate")));

podStreamsContract("with a token, through a proxy", async () => {
  await using begun = new AsyncDisposableStack();
  const { plane, client: admin, port, otherPort } = begun.use(await startPlaneWithPods(join(folder, "token")));
  await admin.create(ServiceAccount, { metadata: { name: "robot", namespace: "default" } });
  await admin.create(ClusterRoleBinding, {
    metadata: { name: "robot" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
    subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
  });
  const { status } = await admin.createToken("default/robot");
  const { connection } = await loadConfig({ kubeconfig: plane.kubeconfig });
  const user = { token: status?.token };
  const proxy = begun.use(await startProxy(Number(new URL(plane.url).port)));
  const client = begun.use(new KubeClient(httpTransport({ ...connection, proxyUrl: proxy.url, user })));
  const parts = begun.move();
  return { client, port, otherPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
});

/** A proxy that leads to a port, whatever it is asked for. */
async function startProxy(port: number): Promise<AsyncDisposable & { readonly url: string }> {
  const proxy = createServer();
  proxy.on("connect", (_request, near) => {
    const far = connect(port, "127.0.0.1", () => {
      near.write("HTTP/1.1 200 OK\r\n\r\n");
      far.pipe(near).pipe(far);
    });
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    // That nobody takes anything from it any more is no reason not to hear of its end.
    far.once("close", () => near.resume());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
