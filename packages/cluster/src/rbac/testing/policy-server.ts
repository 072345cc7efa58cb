import { createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, UserInfo } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../../create-api-server.ts";
import { LocalApi } from "../../upkeep/local-api.ts";

/** Where the ClusterRoles are. */
export const clusterRoles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
/** Where the ClusterRoleBindings are. */
export const clusterRoleBindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

/** A server whose roles decide, with the namespaces of the system and one called `team`, and ways to call it. */
export interface PolicyServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly admin: LocalApi;
  /** Calls as another user; the server accepts any user name. */
  as(username: string, ...groups: readonly string[]): LocalApi;
  get(collection: string, name: string): Promise<DynamicObject>;
}

/** Starts one. */
export async function startPolicyServer(): Promise<PolicyServer> {
  const clock = new ManualClock();
  const server = createApiServer({ storage: createMemoryStorage({ clock }), authorize: "rbac", clock, random: seededRandom(1) });
  const admin = new LocalApi(server.transport(), "admin");
  for (const name of ["default", "kube-system", "kube-public", "team"]) await admin.ensure("/api/v1/namespaces", { metadata: { name } });
  return {
    server,
    admin,
    as: (username, ...groups) => {
      const user: UserInfo = { username, groups: [...groups, "system:authenticated"] };
      return new LocalApi(server.transport(user), username);
    },
    get: (collection, name) => admin.send("GET", `${collection}/${name}`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
