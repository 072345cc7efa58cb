import { systemClock } from "@kaji/core";
import { startRealEtcd } from "../../testing/real-etcd.ts";
import { crashContract } from "../crash-contract.test.ts";
import { openEtcdStorage } from "../etcd-storage.ts";

// Each kill leaves a lease that has to run out.
await crashContract({
  file: import.meta.filename,
  kills: 3,
  async prepare() {
    const etcd = await startRealEtcd();
    return { place: etcd.url, [Symbol.asyncDispose]: () => etcd[Symbol.asyncDispose]() };
  },
  open: (url) => openEtcdStorage({ servers: [url] }, { clock: systemClock, historyMs: Infinity }),
});
