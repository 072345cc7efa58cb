import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { objectOf, parseJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { LocalApi } from "../../upkeep/local-api.ts";
import { RoleAggregation } from "../role-aggregation.ts";
import { startPolicyServer } from "../testing/policy-server.ts";
import { reconcilePolicy } from "./reconcile-policy.ts";

const kubeTool: string = "@kaji-tools/kube";

interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

interface KubeTool {
  readonly startKube: (options: { readonly controllers: boolean }) => Promise<Kube>;
}

test("the roles and bindings of a new cluster are those of a real one, aggregated roles and owners included", async () => {
  const { startKube } = (await import(kubeTool)) as KubeTool;
  await using kube = await startKube({ controllers: true });
  await untilAggregated(kube);
  await using ours = await startPolicyServer();
  await reconcilePolicy(ours.server);
  const aggregation = new RoleAggregation(ours.server, new LocalApi(ours.server.transport(), "clusterrole-aggregation-controller"));
  await ours.server.use(aggregation).settled();
  for (const plural of ["clusterroles", "clusterrolebindings", "roles", "rolebindings"]) {
    const path = `/apis/rbac.authorization.k8s.io/v1/${plural}`;
    const real = itemsOf(await get(kube, path));
    const embedded = itemsOf(await ours.admin.send("GET", path));
    assert.deepEqual([...embedded.keys()], [...real.keys()]);
    for (const [name, object] of real) assert.deepEqual(embedded.get(name), object, name);
  }
});

/** A real cluster fills its aggregated roles in its own time, `admin` last. */
async function untilAggregated(kube: Kube): Promise<void> {
  await eventually("the ClusterRole admin is filled", async () =>
    Array.isArray((await get(kube, "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin"))["rules"]),
  );
}

async function get({ server, ca, token }: Kube, path: string): Promise<DynamicObject> {
  const call = request(server + path, { ca, headers: { authorization: `Bearer ${token}` } }).end();
  const [response]: readonly IncomingMessage[] = await once(call, "response");
  if (response === undefined) throw new TypeError("a response event comes with a response");
  return objectOf(parseJson(await text(response)));
}

/** Objects by namespace and name, without what differs from one cluster to the next. */
function itemsOf({ items }: DynamicObject): ReadonlyMap<string, unknown> {
  return new Map(
    (items as readonly DynamicObject[]).map(({ metadata, ...object }) => {
      const { uid: _uid, resourceVersion: _revision, creationTimestamp: _time, managedFields = [], ...rest } = metadata;
      const managers = managedFields.map(({ time: _when, ...entry }) => entry);
      return [`${metadata.namespace ?? ""}/${metadata.name}`, { ...object, metadata: { ...rest, managers } }];
    }),
  );
}
