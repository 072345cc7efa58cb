import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transport } from "@kaji/core";
import { RoleAggregation } from "../rbac/role-aggregation.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";
import { LocalApi } from "./local-api.ts";
import { NamespaceController } from "./namespace-controller.ts";

/** What a user does, whose work it is, and what is there in the end. */
interface Play {
  readonly start: (rig: AdmissionRig, api: LocalApi) => Disposable;
  readonly act: (rig: AdmissionRig) => Promise<void>;
  readonly look: readonly string[];
}

const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const labels = { gathered: "true" };

const plays: Readonly<Record<string, Play>> = {
  "a namespace is furnished, and another one ends": {
    start: ({ server }, api) => new NamespaceController(server, api, "authority"),
    async act(rig) {
      await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "stays" } });
      await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "goes" } });
      for (const name of ["a", "b"]) await rig.call("POST", "/api/v1/namespaces/goes/secrets", { metadata: { name } });
      await settle(rig);
      await rig.call("DELETE", "/api/v1/namespaces/goes");
      await rig.call("DELETE", "/api/v1/namespaces/stays/serviceaccounts/default");
    },
    look: ["/api/v1/namespaces", "/api/v1/serviceaccounts", "/api/v1/configmaps", "/api/v1/secrets"],
  },
  "roles are gathered": {
    start: ({ server }, api) => new RoleAggregation(server, api),
    async act(rig) {
      await rig.call("POST", roles, { metadata: { name: "sum" }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] } });
      const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
      for (const name of ["a", "b"]) await rig.call("POST", roles, { metadata: { name, labels }, rules });
      await settle(rig);
      await rig.call("DELETE", `${roles}/a`);
    },
    look: [roles],
  },
};

for (const [name, play] of Object.entries(plays)) {
  test(`[LOOP1] ${name}: whoever does it dies after any write, starts again and comes to the same end`, async () => {
    const { end, writes } = await perform(play);
    assert.ok(writes > 0);
    for (let death = 1; death <= writes; death++) {
      assert.deepEqual((await perform(play, death)).end, end, `death after write ${death} of ${writes}`);
    }
  });
}

async function perform({ start, act, look }: Play, deathAfter = Infinity): Promise<{ readonly end: unknown; readonly writes: number }> {
  await using rig = await startAdmissionRig();
  let writes = 0;
  const send = rig.server.transport();
  const transport: Transport = async (request) => {
    if (writes >= deathAfter) return new Promise(() => {});
    if (request.method !== "GET") writes++;
    const answer = await send(request);
    return writes >= deathAfter ? new Promise(() => {}) : answer;
  };
  const first = start(rig, new LocalApi(transport, "test"));
  await act(rig);
  await settle(rig);
  first[Symbol.dispose]();
  using _second = start(rig, new LocalApi(send, "test"));
  await settle(rig);
  const lists = await Promise.all(look.map((path) => rig.call("GET", path)));
  return { end: lists.map(({ body }) => masked(body["items"])), writes };
}

/** Lets everything happen that can, retries too. */
async function settle({ clock }: AdmissionRig): Promise<void> {
  for (let second = 0; second < 3; second++) await clock.advance(1000);
}

const ignored = new Set(["creationTimestamp", "managedFields", "resourceVersion", "uid"]);

function masked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, field: unknown) => (ignored.has(key) ? undefined : field)));
}
