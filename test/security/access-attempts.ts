import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rule } from "./guarded-plane.ts";
import type { Attempt, GuardedPlane } from "./guarded-plane.ts";

const robot = "system:serviceaccount:team:robot";
const treasure = "treasure";

/** The control plane, once it is there, and the tokens of one who may read secrets in `team`, and of one who may nothing. */
interface Setting {
  plane: GuardedPlane;
  reader: string;
  nobody: string;
}

/** Attempts to reach what one may not. */
export function accessAttempts(start: () => Promise<GuardedPlane>): void {
  describe("what is not allowed cannot be reached", () => {
    // Filled in before the first test.
    const at = {} as Setting;
    before(async () => Object.assign(at, await setUp(start)));
    after(() => at.plane?.[Symbol.asyncDispose]());
    anonymousAttempts(at);
    secretAttempts(at);
    pathAttempts(at);
    nameAttempts(at);
    reviewAttempts(at);
  });
}

async function setUp(start: () => Promise<GuardedPlane>): Promise<Setting> {
  const plane = await start();
  for (const name of ["team", "vault"]) await plane.make("/api/v1/namespaces", { metadata: { name } });
  for (const namespace of ["team", "vault"]) {
    await plane.make(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: "one" }, stringData: { in: namespace } });
    await plane.make(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: treasure }, stringData: { in: namespace } });
  }
  const reader = await plane.account("team", "robot");
  const nobody = await plane.account("team", "nobody");
  await plane.allow("team", "robot", [rule("secrets", "get list watch")]);
  return { plane, reader, nobody };
}

/** Refused, and nothing of the vault is in the answer. */
async function refused({ plane }: Setting, attempt: Attempt, message: string | RegExp): Promise<void> {
  const isWanted = (said: string): boolean => (typeof message === "string" ? said === message : message.test(said));
  const outcome = await plane.until(attempt, ({ status, message: said }) => status === 403 && isWanted(said));
  assert.equal(outcome.status, 403, `${attempt.method ?? "GET"} ${attempt.path}`);
  if (typeof message === "string") assert.equal(outcome.message, message);
  else assert.match(outcome.message, message);
  assert.doesNotMatch(JSON.stringify(outcome.body), /"uid"|"data"/);
}

function anonymousAttempts(at: Setting): void {
  test("nobody in particular sees health and version, and nothing else", async () => {
    for (const path of ["/healthz", "/livez", "/readyz", "/version"]) assert.equal((await at.plane.attempt({ path })).status, 200, path);
    for (const path of [
      "/",
      "/api",
      "/apis",
      "/api/v1",
      "/openapi/v3",
      "/readyz/ping",
      "/metrics",
      "/openid/v1/jwks",
      "/.well-known/openid-configuration",
    ]) {
      await refused(at, { path }, `forbidden: User "system:anonymous" cannot get path "${path}"`);
    }
    await refused(
      at,
      { path: "/api/v1/secrets" },
      'secrets is forbidden: User "system:anonymous" cannot list resource "secrets" in API group "" at the cluster scope',
    );
  });

  test("credentials that are wrong are worse than none", async () => {
    for (const authorization of ["Bearer x", "bearer x", "Bearer a.b.c", `Bearer ${at.reader}x`]) {
      assert.equal((await at.plane.attempt({ path: "/healthz", headers: { authorization } })).status, 401, authorization);
    }
    for (const authorization of ["", "Basic YWRtaW46YWRtaW4=", "Bearer", "Digest x"]) {
      assert.equal((await at.plane.attempt({ path: "/api", headers: { authorization } })).status, 403, authorization);
    }
  });

  test("headers that only a proxy may send are not believed", async () => {
    const headers = { "x-remote-user": "admin", "x-remote-group": "system:masters", "x-remote-extra-a": "b", "x-forwarded-user": "admin" };
    await refused(at, { path: "/api", headers }, 'forbidden: User "system:anonymous" cannot get path "/api"');
    await refused(at, { path: "/api/v1/nodes", token: at.nobody, headers }, /User "system:serviceaccount:team:nobody" cannot list/);
  });
}

function secretAttempts(at: Setting): void {
  test("secrets of another namespace cannot be had by any verb or form", async () => {
    const where = `User "${robot}" cannot`;
    const cases: readonly (readonly [Attempt, string])[] = [
      [{ path: "/api/v1/namespaces/vault/secrets" }, "list"],
      [{ path: "/api/v1/namespaces/vault/secrets?watch=1" }, "watch"],
      [{ path: "/api/v1/watch/namespaces/vault/secrets" }, "watch"],
      [{ path: `/api/v1/watch/namespaces/vault/secrets/${treasure}` }, "watch"],
      [{ path: `/api/v1/namespaces/vault/secrets/${treasure}` }, "get"],
      [{ path: `/api/v1/namespaces/vault/secrets?fieldSelector=metadata.name%3D${treasure}` }, "list"],
      [{ path: `/api/v1/namespaces/vault/secrets?fieldSelector=metadata.namespace%3Dteam` }, "list"],
      [
        {
          path: "/api/v1/namespaces/vault/secrets?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
        },
        "watch",
      ],
      [{ path: "/api/v1/namespaces/vault/secrets", headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }, "list"],
      [
        {
          path: "/api/v1/namespaces/vault/secrets",
          headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
        },
        "list",
      ],
      [{ method: "DELETE", path: "/api/v1/namespaces/vault/secrets" }, "deletecollection"],
      [{ method: "PUT", path: `/api/v1/namespaces/vault/secrets/${treasure}`, body: {} }, "update"],
      [{ method: "PATCH", path: `/api/v1/namespaces/vault/secrets/${treasure}?dryRun=All`, body: {} }, "patch"],
      [{ method: "POST", path: "/api/v1/namespaces/vault/secrets?dryRun=All", body: { metadata: { name: treasure } } }, "create"],
      [{ method: "POST", path: "/api/v1/namespaces/vault/secrets", headers: { "x-http-method-override": "GET" } }, "create"],
    ];
    for (const [attempt, verb] of cases)
      await refused(
        at,
        { ...attempt, token: at.reader },
        new RegExp(`${where} ${verb} resource "secrets" in API group "" in the namespace "vault"$`),
      );
    const everywhere = new RegExp(`${where} (list|watch) resource "secrets" in API group "" at the cluster scope$`);
    for (const query of ["", "?watch=1", "?fieldSelector=metadata.namespace%3Dteam", `?fieldSelector=metadata.name%3D${treasure}`]) {
      await refused(at, { path: `/api/v1/secrets${query}`, token: at.reader }, everywhere);
    }
  });
}

function pathAttempts(at: Setting): void {
  test("a path that is written otherwise is still the same path to whoever authorizes", async () => {
    const paths = [
      "/api/v1/namespaces/vault%2Fsecrets",
      "/api/v1/namespaces/vault%2fsecrets%2ftreasure",
      "/api/v1%2Fnamespaces/vault/secrets",
      "/%61pi/v1/namespaces/vault/secrets",
      "/api/v1/namespaces/%76ault/secrets/treasure",
      "/api/v1/namespaces/vault/%73ecrets",
      "//api/v1/namespaces/vault/secrets",
      "/api//v1/namespaces/vault/secrets",
      "/api/v1//namespaces/vault/secrets",
      "/api/v1/namespaces//vault/secrets",
      "/api/v1/namespaces/vault//secrets",
      "/api/v1/namespaces/vault/secrets//treasure",
      "/api/v1/namespaces/vault/secrets/",
      "/api/v1/namespaces/team/../vault/secrets",
      "/api/v1/namespaces/team/%2e%2e/vault/secrets",
      "/api/v1/namespaces/team/secrets/..%2f..%2fvault%2fsecrets%2ftreasure",
      "/api/v1/namespaces/team%2f..%2fvault/secrets",
      "/api/v1/namespaces/./vault/secrets",
      "/healthz/../api/v1/namespaces/vault/secrets",
      "/version/%2e%2e/api/v1/secrets",
    ];
    for (const path of paths) {
      const { status, body } = await at.plane.attempt({ path, token: at.reader });
      // With a name that holds a path, what is asked for is a subresource of something in `team`.
      assert.ok(status === 403 || status === 404, `${path}: ${status}`);
      assert.doesNotMatch(JSON.stringify(body), /"uid"|"data"/, path);
    }
  });

  test("the slash in a name does not lead out of a namespace", async () => {
    const { status } = await at.plane.attempt({
      path: `/api/v1/namespaces/team/secrets/one%2F..%2F..%2Fvault%2F${treasure}`,
      token: at.reader,
    });
    assert.ok(status === 403 || status === 404);
  });
}

function nameAttempts(at: Setting): void {
  test("whoever may see one name sees that one alone", async () => {
    const token = await at.plane.account("vault", "picker");
    await at.plane.allow("vault", "picker", [rule("secrets", "get list watch", { resourceNames: ["one"] })]);
    const secrets = "/api/v1/namespaces/vault/secrets";
    const seen = async (query: string): Promise<readonly unknown[]> => {
      const { status, body } = await at.plane.until({ path: secrets + query, token }, (outcome) => outcome.status === 200);
      return [status, JSON.stringify(body).includes(treasure)];
    };
    assert.deepEqual(await seen("/one"), [200, false]);
    assert.deepEqual(await seen("?fieldSelector=metadata.name%3Done"), [200, false]);
    assert.deepEqual(await seen("?fieldSelector=metadata.name%3Done&watch=1"), [200, false]);
    // Only the first of several selectors counts, to whoever authorizes and to whoever selects.
    assert.deepEqual(await seen("?fieldSelector=metadata.name%3Done&fieldSelector="), [200, false]);
    assert.deepEqual(await seen(`?fieldSelector=metadata.name%3Done,metadata.name%3D${treasure}`), [200, false]);
    for (const query of [
      "",
      "?fieldSelector=",
      `?fieldSelector=metadata.name%3D${treasure}`,
      `?fieldSelector=metadata.name!%3D${treasure}`,
      `?fieldSelector=&fieldSelector=metadata.name%3Done`,
    ]) {
      await refused(at, { path: secrets + query, token }, /cannot list resource "secrets"/);
    }
    await refused(at, { path: `${secrets}/${treasure}`, token }, /^secrets "treasure" is forbidden/);
    await refused(at, { method: "DELETE", path: `${secrets}?fieldSelector=metadata.name%3Done`, token }, /cannot deletecollection/);
  });

  test("a subresource is not its object, nor the other way round", async () => {
    const token = await at.plane.account("team", "logger");
    await at.plane.allow("team", "logger", [rule("pods/log", "get"), rule("serviceaccounts", "get")]);
    await refused(at, { path: "/api/v1/namespaces/team/pods/web", token }, /cannot get resource "pods"/);
    await refused(at, { path: "/api/v1/namespaces/team/pods/web/exec", token }, /cannot get resource "pods\/exec"/);
    await refused(
      at,
      { method: "POST", path: "/api/v1/namespaces/team/serviceaccounts/robot/token", body: {}, token },
      /^serviceaccounts "robot" is forbidden: .* cannot create resource "serviceaccounts\/token"/,
    );
  });
}

function reviewAttempts(at: Setting): void {
  test("what was taken away is gone with the answer to it", async () => {
    const token = await at.plane.account("team", "brief");
    await at.plane.allow("team", "brief", [rule("configmaps", "list")]);
    const attempt = { path: "/api/v1/namespaces/team/configmaps", token };
    assert.equal((await at.plane.until(attempt, ({ status }) => status === 200)).status, 200);
    await at.plane.asAdmin({ method: "DELETE", path: "/apis/rbac.authorization.k8s.io/v1/namespaces/team/roles/brief" });
    await refused(at, attempt, /: RBAC: role\.rbac\.authorization\.k8s\.io "brief" not found$/);
  });

  test("nobody asks about others who may not", async () => {
    const spec = { user: "kubernetes-admin", groups: ["system:masters"], resourceAttributes: { verb: "get", resource: "secrets" } };
    await refused(
      at,
      { method: "POST", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews", body: { spec }, token: at.reader },
      /^subjectaccessreviews\.authorization\.k8s\.io is forbidden/,
    );
    await refused(
      at,
      { method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", body: { spec: { token: at.nobody } }, token: at.reader },
      /^tokenreviews\.authentication\.k8s\.io is forbidden/,
    );
  });
}
