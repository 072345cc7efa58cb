import { systemClock } from "@kaji/core";
import { startKube } from "@kaji-tools/kube";
import type { Subject } from "./subject.ts";

/** etcd and kube-apiserver, with writes that survive a power failure, as etcd does it by default. */
export async function startReal(): Promise<Subject> {
  const start = systemClock.monotonic();
  const kube = await startKube({ durable: true });
  const readyMs = systemClock.monotonic() - start;
  return {
    name: "kube-apiserver",
    url: kube.server,
    ca: kube.ca,
    credentials: { token: kube.token },
    readyMs,
    pids: kube.pids,
    [Symbol.asyncDispose]: () => kube.stop(),
  };
}
