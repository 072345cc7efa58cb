import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { OperatorRig } from "./operator-rig.ts";

const looker = defineController(ConfigMap, {
  name: "looker",
  async reconcile({ metadata }, { log }) {
    log.debug(`looked at ${metadata.name}`);
  },
});

test("[LG7] a running operator logs more when it is told to, and as before when it is told again", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  const started = rig.start({ name: "looker", controllers: [looker] });
  await clock.advance(1000);
  for (const name of ["first", "second", "third"]) {
    if (name !== "first") started.signalDebug();
    await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name } });
    await clock.advance(1000);
  }
  assert.deepEqual(
    [...started.err().matchAll(/looked at \w+|"logLevel":"\w+"/g)].map(([text]) => text),
    ['"logLevel":"debug"', "looked at second", '"logLevel":"info"'],
  );
  started.signal();
  await clock.advance(10_000);
  await started.ended;
});
