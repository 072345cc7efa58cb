import assert from "node:assert/strict";
import { startKube } from "@kaji-tools/kube";
import { createMemoryStorage } from "@kaji/apiserver";
import { httpTransport, loadConfig } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";

/** What is told of a play on a real kube-apiserver; the embedded server must tell the same. */
export async function onBothServers<T>(play: (send: Transport) => Promise<T>): Promise<T> {
  await using kube = await startKube();
  const { connection } = await loadConfig({ kubeconfig: kube.kubeconfig });
  await using real = httpTransport(connection);
  await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }), clock: systemClock, random: systemRandom });
  const expected = await play(real);
  assert.deepEqual(await play(server.transport()), expected);
  return expected;
}
