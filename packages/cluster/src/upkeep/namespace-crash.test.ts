import assert from "node:assert/strict";
import { test } from "node:test";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import { dyingAfter } from "../testing/dying-transport.ts";
import { LocalApi } from "./local-api.ts";
import { NamespaceController } from "./namespace-controller.ts";

test("a namespace ends, and a new one is furnished, whichever write the controller is killed after", async () => {
  let crashes = 0;
  for (let writes = 0; ; writes++) {
    await using rig = await startAdmissionRig();
    const api = rig.server.transport();
    const death = dyingAfter(writes, api);
    {
      using _first = new NamespaceController(rig.server, new LocalApi(death.transport, "test"), "authority");
      for (const name of ["ends", "stays"]) await rig.call("POST", "/api/v1/namespaces", { metadata: { name } });
      for (const kind of ["configmaps", "secrets"]) await rig.call("POST", `/api/v1/namespaces/ends/${kind}`, { metadata: { name: "a" } });
      await rig.call("DELETE", "/api/v1/namespaces/ends");
      await rig.clock.advance(2000);
    }
    using second = new NamespaceController(rig.server, new LocalApi(api, "test"), "authority");
    await second.settled();
    await rig.clock.advance(2000);
    await second.settled();
    const status = async (path: string): Promise<number> => (await rig.call("GET", `/api/v1/namespaces/${path}`)).status;
    const found = [await status("ends"), await status("stays/serviceaccounts/default"), await status("stays/configmaps/kube-root-ca.crt")];
    assert.deepEqual(found, [404, 200, 200], `killed after ${writes + 1} writes`);
    if (!death.isDead()) break;
    crashes++;
  }
  assert.ok(crashes >= 5, `${crashes} points`);
});
