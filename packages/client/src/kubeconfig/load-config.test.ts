import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { reveal } from "../connection/secret.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import type { TemporaryFolder } from "../testing/temporary-folder.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { loadConfig } from "./load-config.ts";
import type { LoadedConfig } from "./loaded-config.ts";

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const data = Buffer.from(pem).toString("base64");

/** A kubeconfig as JSON, which is YAML too, with these fields in its one cluster, user and context, or beside them. */
function parts({ cluster, user, context, more }: Partial<Readonly<Record<"cluster" | "user" | "context" | "more", object>>>): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: "https://api.example:6443", ...cluster } }],
    users: [{ name: "u", user: { ...user } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...context } }],
    "current-context": "x",
    ...more,
  });
}

async function load(folder: TemporaryFolder, text: string): Promise<LoadedConfig> {
  return loadConfig({ kubeconfig: folder.write("config", text) });
}

test("[KC4] a context that the caller names and that is not there is none of the file's fields", async () => {
  using folder = temporaryFolder();
  const kubeconfig = folder.write("config", parts({}));
  await assert.rejects(loadConfig({ kubeconfig, context: "z" }), {
    message: `${kubeconfig}: there is no context "z"; there is "x"`,
    field: undefined,
  });
});

test("[KC1] a whole kubeconfig, read as kubectl reads it", async () => {
  using folder = temporaryFolder();
  folder.write("pki/ca.crt", pem);
  folder.write("pki/token", "t");
  const { connection, namespace, context } = await load(
    folder,
    parts({
      cluster: {
        "certificate-authority": "pki/ca.crt",
        "tls-server-name": "kube",
        "proxy-url": "http://me:hunter2@proxy:3128",
        "disable-compression": true,
      },
      user: {
        ...{ "client-certificate-data": data, "client-key-data": data, tokenFile: "pki/token" },
        ...{ as: "jane", "as-uid": "7", "as-groups": ["a"], "as-user-extra": { team: ["x"] } },
      },
      context: { namespace: "shop" },
    }),
  );
  assert.equal(namespace, "shop");
  assert.equal(context, "x");
  const { user, proxyUrl, ...rest } = connection;
  assert.deepEqual(rest, {
    server: "https://api.example:6443",
    certificateAuthority: { type: "File", path: `${folder.path}/pki/ca.crt` },
    tlsServerName: "kube",
    insecureSkipTlsVerify: false,
    disableCompression: true,
  });
  assert.equal(reveal(proxyUrl ?? ""), "http://me:hunter2@proxy:3128");
  assert.equal(user?.tokenFile, `${folder.path}/pki/token`);
  assert.deepEqual(user?.impersonate, { username: "jane", uid: "7", groups: ["a"], extra: { team: ["x"] } });
  const { certificate, key } = user?.certificate ?? assert.fail();
  assert.ok(certificate.type === "Data" && reveal(certificate.data) === pem && key.type === "Data");
});

test("[KC1] a context without a user is anonymous, as one for `kubectl proxy` is", async () => {
  using folder = temporaryFolder();
  const { connection } = await load(folder, parts({ context: { user: "" }, more: { users: null } }));
  assert.deepEqual(connection.user, {});
});

test("[KC2] files in $KUBECONFIG are merged: the first that has a name has it alone, missing ones do not matter", async () => {
  using folder = temporaryFolder();
  const one = folder.write("one/config", JSON.stringify({ users: [{ name: "u", user: { token: "first" } }], "current-context": "" }));
  const two = folder.write("two/config", parts({ user: { username: "second" }, cluster: { server: "https://two" } }));
  const three = folder.write("three/config", parts({ cluster: { server: "https://three" }, more: { "current-context": "other" } }));
  const { connection } = await loadConfig({ environment: { KUBECONFIG: [one, `${folder.path}/none`, two, "", two, three].join(":") } });
  assert.equal(connection.server, "https://two");
  assert.equal(reveal(connection.user?.token ?? ""), "first");
  assert.equal(connection.user?.basic, undefined);
});

test("[KC3] explicit, then $KUBECONFIG, then the service account of the Pod, then the home folder", async () => {
  using folder = temporaryFolder();
  const serverOf = (server: string): string => parts({ cluster: { server } });
  const explicit = folder.write("explicit", serverOf("https://explicit"));
  const listed = folder.write("listed", serverOf("https://listed"));
  folder.write(".kube/config", serverOf("https://home"));
  for (const name of ["token", "ca.crt"]) folder.write(`account/${name}`, "x");
  folder.write("account/namespace", "shop\n");
  const home = { HOME: folder.path };
  const pod = { ...home, KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const serviceAccountFolder = `${folder.path}/account`;
  const found = async (options: object): Promise<string> => (await loadConfig({ serviceAccountFolder, ...options })).connection.server;
  assert.equal(await found({ kubeconfig: explicit, environment: { ...pod, KUBECONFIG: listed } }), "https://explicit");
  assert.equal(await found({ environment: { ...pod, KUBECONFIG: listed } }), "https://listed");
  assert.equal(await found({ environment: pod }), "https://[fd00::1]:443");
  assert.equal(await found({ environment: home }), "https://home");
  const inPod = await loadConfig({ serviceAccountFolder, environment: pod });
  assert.deepEqual(inPod.connection.user, { tokenFile: `${folder.path}/account/token` });
  assert.equal(inPod.namespace, "shop");
});

test("[KC3] a Pod without the token of its service account has the kubeconfig in its home folder, if there is one", async () => {
  using folder = temporaryFolder();
  const environment = { HOME: folder.path, KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const serviceAccountFolder = `${folder.path}/account`;
  await assert.rejects(loadConfig({ environment, serviceAccountFolder }), /account\/token: cannot be read, though this is a Pod/);
  folder.write(".kube/config", parts({ cluster: { server: "https://home" } }));
  assert.equal((await loadConfig({ environment, serviceAccountFolder })).connection.server, "https://home");
});

test("[KC4] another context than the current one can be chosen", async () => {
  using folder = temporaryFolder();
  const contexts = [
    { name: "x", context: { cluster: "c", user: "u" } },
    { name: "y", context: { cluster: "c", user: "u", namespace: "other" } },
  ];
  const kubeconfig = folder.write("config", parts({ more: { contexts } }));
  assert.equal((await loadConfig({ kubeconfig, context: "y" })).namespace, "other");
  assert.equal((await loadConfig({ kubeconfig })).namespace, "default");
});

test("[KC5] an exec plugin is found beside its kubeconfig, and told of the cluster if it wants to know", async () => {
  using folder = temporaryFolder();
  folder.write("ca.crt", pem);
  const exec = {
    ...{ apiVersion: "client.authentication.k8s.io/v1beta1", command: "./bin/plugin", args: ["get", ""], env: [{ name: "A", value: "1" }] },
    ...{ installHint: "install \u001b[31mit\u0007", provideClusterInfo: true },
  };
  const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }];
  const { connection } = await load(folder, parts({ cluster: { "certificate-authority": "ca.crt", extensions }, user: { exec } }));
  const { args = [], env = {}, cluster, ...rest } = connection.user?.exec ?? assert.fail();
  assert.deepEqual(rest, {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: `${folder.path}/bin/plugin`,
    installHint: "install [31mit",
    interactiveMode: "IfAvailable",
  });
  assert.deepEqual(args.map(reveal), ["get", ""]);
  assert.deepEqual([Object.keys(env), reveal(env["A"] ?? "")], [["A"], "1"]);
  assert.deepEqual(cluster?.(), {
    ...{ server: "https://api.example:6443", "certificate-authority-data": data, config: { audience: "a" } },
  });
});

test("[KC6] every mistake is one error that names the file and the field", async () => {
  using folder = temporaryFolder();
  const execOf = (more: object): object => ({
    user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "a", interactiveMode: "Never", ...more } },
  });
  const mistakes: ReadonlyArray<readonly [string, string, RegExp]> = [
    [parts({ cluster: { server: "" } }), "clusters[0].cluster.server", /is missing/],
    [
      parts({ cluster: { server: "api:6443" } }),
      "clusters[0].cluster.server",
      /must be a URL such as https:\/\/10.0.0.1:6443, and is "api:6443"/,
    ],
    [parts({ cluster: { server: 7 } }), "clusters[0].cluster.server", /must be text/],
    [
      parts({ cluster: { "certificate-authority": "none" } }),
      "clusters[0].cluster.certificate-authority",
      /names .*\/none, which cannot be read \(ENOENT\)/,
    ],
    [parts({ cluster: { "certificate-authority-data": "%%%" } }), "clusters[0].cluster.certificate-authority-data", /is not base64/],
    [parts({ cluster: { "certificate-authority-data": "aHVudGVyMg==" } }), "clusters[0].cluster.certificate-authority-data", /is not PEM/],
    [
      parts({ cluster: { "certificate-authority-data": data, "certificate-authority": "a" } }),
      "clusters[0].cluster.certificate-authority-data",
      /cannot be given together/,
    ],
    [
      parts({ cluster: { "certificate-authority-data": data, "insecure-skip-tls-verify": true } }),
      "clusters[0].cluster.insecure-skip-tls-verify",
      /cannot be true/,
    ],
    [parts({ cluster: { "insecure-skip-tls-verify": "yes" } }), "clusters[0].cluster.insecure-skip-tls-verify", /must be true or false/],
    [parts({ cluster: { "proxy-url": "hunter2" } }), "clusters[0].cluster.proxy-url", /must be a URL/],
    [parts({ cluster: { "proxy-url": "socks4://me:hunter2@a" } }), "clusters[0].cluster.proxy-url", /socks4:\/\/ is not supported/],
    [parts({ user: { token: 123 } }), "users[0].user.token", /must be text; if it is, put it into quotes/],
    [parts({ user: { token: "hunter2", username: "a" } }), "users[0].user.token", /cannot be given together with username/],
    [parts({ user: { "client-certificate-data": data } }), "users[0].user.client-key", /is missing/],
    [parts({ user: { "client-key-data": data } }), "users[0].user.client-certificate", /is missing/],
    [parts({ user: { tokenFile: "none" } }), "users[0].user.tokenFile", /cannot be read/],
    [parts({ user: { "as-groups": ["a"] } }), "users[0].user.as-groups", /needs the user to impersonate/],
    [parts({ user: { as: "a", "as-groups": "b" } }), "users[0].user.as-groups", /must be a list/],
    [parts({ user: { "auth-provider": { name: "gcp" } } }), "users[0].user.auth-provider", /use an exec plugin/],
    [parts(execOf({ command: "" })), "users[0].user.exec.command", /is missing/],
    [
      parts(execOf({ apiVersion: "v1" })),
      "users[0].user.exec.apiVersion",
      /must be client.authentication.k8s.io\/v1 or .*v1beta1, and is "v1"/,
    ],
    [parts(execOf({ interactiveMode: "" })), "users[0].user.exec.interactiveMode", /is missing/],
    [parts(execOf({ interactiveMode: "Now" })), "users[0].user.exec.interactiveMode", /must be Never or IfAvailable or Always/],
    [parts(execOf({ env: [{ value: "hunter2" }] })), "users[0].user.exec.env[0].name", /is missing/],
    [parts({ context: { cluster: "d" } }), "contexts[0].context.cluster", /there is no "d"/],
    [parts({ context: { user: "v" } }), "contexts[0].context.user", /there is no "v"/],
    [parts({ context: { namespace: "A_b" } }), "contexts[0].context.namespace", /"A_b" is no namespace/],
    [parts({ more: { contexts: ["a"] } }), "contexts[0]", /must be a mapping/],
    [parts({ more: { contexts: [{}] } }), "contexts[0].name", /is missing/],
    [parts({ more: { users: { token: "hunter2" } } }), "users", /must be a list/],
    [parts({ more: { clusters: [{ name: "c" }, { name: "c" }] } }), "clusters[1].name", /is a duplicate: "c"/],
    [parts({ more: { "current-context": "z" } }), "current-context", /there is no context "z"; there is "x"/],
    [parts({ more: { "current-context": "" } }), "current-context", /is not set; there is "x"/],
    [parts({ more: { contexts: [], "current-context": "" } }), "current-context", /is not set; there are no contexts/],
    [parts({ more: { kind: "Deployment" } }), "kind", /must be "Config", and is "Deployment"/],
    [parts({ more: { apiVersion: "v2" } }), "apiVersion", /must be "v1"/],
    ["[]", "", /must be a mapping/],
    ["", "current-context", /is not set/],
    ['{"__proto__": {"clusters": 1}, "constructor": 1}', "current-context", /is not set/],
  ];
  for (const [text, field, problem] of mistakes) {
    await assert.rejects(load(folder, text), (error) => {
      assert.ok(error instanceof KubeconfigError, inspect(error));
      assert.equal(error.file, `${folder.path}/config`);
      assert.equal(error.field ?? "", field, error.message);
      assert.match(error.message, problem);
      assert.ok(error.message.startsWith(`${folder.path}/config: ${field}`));
      assert.ok(!inspect(error, { depth: 9 }).includes("hunter2"));
      return true;
    });
  }
});

test("[KC7] what is no YAML is told by line and column, and not quoted", async () => {
  using folder = temporaryFolder();
  for (const text of ["users:\n- name: u\n  user: {token: hunter2\n", "a: 1\n  hunter2: 2", "a: 1\na: hunter2"]) {
    await assert.rejects(load(folder, text), (error) => {
      assert.ok(error instanceof KubeconfigError);
      assert.match(error.message, /\/config:\d+:\d+: is not YAML: [a-z ]+$/);
      assert.ok(!inspect(error, { depth: 9 }).includes("hunter2"));
      return true;
    });
  }
});

test("[KC7] an alias that is undefined, or expands too far, is told too", async () => {
  using folder = temporaryFolder();
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, index) => `${name}: &${name} [${`*${"abcdefg"[index]},`.repeat(9)}]`).join("\n")}`;
  for (const text of ["a: *hunter2", bomb])
    await assert.rejects(load(folder, text), /\/config: is not YAML: an alias is undefined or expands too far$/);
});

test("[KC8] where there is nothing, the message says what to do", async () => {
  using folder = temporaryFolder();
  await assert.rejects(loadConfig({ environment: { HOME: folder.path } }), /\.kube\/config: there is no such file; set KUBECONFIG/);
  await assert.rejects(loadConfig({ environment: { KUBECONFIG: "/no/a:/no/b" } }), /\/no\/a, \/no\/b: there is no such file/);
  await assert.rejects(loadConfig({ kubeconfig: folder.path }), /cannot be read \(EISDIR\)/);
  const environment = { HOME: folder.path, KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  await assert.rejects(loadConfig({ environment, serviceAccountFolder: folder.path }), /token: cannot be read, though this is a Pod/);
});

test("[KC9] nothing that is loaded shows a secret when it is printed", async () => {
  using folder = temporaryFolder();
  const key = Buffer.from("-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----").toString("base64");
  const exec = {
    ...{ apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", command: "login", provideClusterInfo: true },
    ...{ args: ["--client-secret=hunter2"], env: [{ name: "SECRET_ACCESS_KEY", value: "hunter2" }] },
  };
  const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { key: "hunter2" } }];
  const users = [
    ...[{ token: "hunter2" }, { username: "a", password: "hunter2" }, { "client-certificate-data": data, "client-key-data": key }],
    { exec },
  ];
  for (const user of users) {
    const config = await load(folder, parts({ user, cluster: { "proxy-url": "http://a:hunter2@b", extensions } }));
    for (const text of [inspect(config, { depth: 9, showHidden: true }), JSON.stringify(config)])
      assert.ok(!text.includes("hunter2") && !text.includes(key), text);
  }
});

test("[KC10] a server without TLS is shown no secrets", async () => {
  using folder = temporaryFolder();
  const { connection } = await load(
    folder,
    parts({ cluster: { server: "http://127.0.0.1:8001" }, user: { token: "hunter2", as: "jane" } }),
  );
  assert.equal(connection.user?.token, undefined);
  assert.equal(connection.user?.impersonate?.username, "jane");
});

test("[KC10] a server with TLS is shown them, however its URL spells that", async () => {
  using folder = temporaryFolder();
  const { connection } = await load(folder, parts({ cluster: { server: "HTTPS://api.example:6443" }, user: { token: "hunter2" } }));
  assert.equal(reveal(connection.user?.token ?? ""), "hunter2");
});

test("[KC12] a kubeconfig may be given as text, such as that of a Secret, and its mistakes are told by the name it is given", async () => {
  const text = parts({ cluster: { "certificate-authority-data": data }, user: { token: "hunter2" }, context: { namespace: "shop" } });
  const { connection, namespace } = await loadConfig({
    kubeconfig: { text, name: "Secret fleet/east" },
    environment: { KUBECONFIG: "/none" },
  });
  assert.deepEqual([connection.server, reveal(connection.user?.token ?? ""), namespace], ["https://api.example:6443", "hunter2", "shop"]);
  const broken = { text: parts({ cluster: { server: "east" } }), name: "Secret fleet/east" };
  await assert.rejects(
    loadConfig({ kubeconfig: broken }),
    /^KubeconfigError: Secret fleet\/east: clusters\[0\]\.cluster\.server: must be a URL/,
  );
});

test("[KC12] one that is given as text may not have this machine read files or run programs", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", command: "sh" };
  const reaching = [
    [{ cluster: { "certificate-authority": "/etc/hostname" } }, "clusters[0].cluster.certificate-authority: names a file"],
    [{ user: { tokenFile: "/etc/hostname" } }, "users[0].user.tokenFile: names a file"],
    [{ user: { "client-certificate": "/etc/hostname", "client-key": "/etc/hostname" } }, "users[0].user.client-certificate: names a file"],
    [{ user: { exec } }, "users[0].user.exec: names a program"],
  ] as const;
  for (const [fields, problem] of reaching) {
    await assert.rejects(loadConfig({ kubeconfig: { text: parts(fields), name: "Secret fleet/east" } }), {
      message: `Secret fleet/east: ${problem} of this machine, which a kubeconfig that is given as text may not; put into it what is needed`,
    });
  }
});
