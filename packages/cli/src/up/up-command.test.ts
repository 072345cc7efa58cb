import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { run } from "../program.ts";
import { startUp } from "../testing/running-up.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-up-"));
after(() => rmSync(root, { recursive: true }));

let folders = 0;

function newFolder(): string {
  return join(root, String(folders++));
}

test("objects in SQLite are there again after a restart, and the same kubeconfig works; a watch ends quietly", async () => {
  const folder = newFolder();
  const configMap = { metadata: { name: "kept" }, data: { a: "b" } };
  let authority = "";
  {
    await using up = await startUp(["--data", folder]);
    authority = up.authority;
    assert.equal((await up.call("POST", "/api/v1/namespaces/default/configmaps", configMap)).status, 201);
    const watch = await up.watch("/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name=kept");
    assert.match((await watch.next()) ?? "", /"type":"ADDED"/);
    const stopped = up.stop("SIGTERM");
    assert.equal(await watch.next(), undefined);
    assert.equal(await stopped, 0);
  }
  await using again = await startUp(["--data", folder]);
  assert.equal(again.authority, authority);
  const { status, body } = await again.call("GET", "/api/v1/namespaces/default/configmaps/kept");
  assert.deepEqual([status, JSON.parse(body).data], [200, { a: "b" }]);
  assert.equal(await again.stop("SIGINT"), 0);
});

test("objects in memory are gone after a restart; requests are logged on demand; a kubeconfig goes where it is wanted", async () => {
  const [folder, kubeconfig] = [newFolder(), join(root, "deep", "config")];
  const parameters = ["--data", folder, "--storage", "memory", "--kubeconfig", kubeconfig, "--log", "requests"];
  {
    await using up = await startUp(parameters);
    assert.equal(up.kubeconfig, kubeconfig);
    assert.equal((await up.call("POST", "/api/v1/namespaces", { metadata: { name: "lost" } })).status, 201);
    await up.stop("SIGTERM");
    assert.match(up.err(), /^create \/api\/v1\/namespaces 201 \d+ms kubernetes-admin$/m);
    assert.doesNotMatch(up.err(), /system:admin/);
  }
  await using again = await startUp(parameters);
  assert.equal((await again.call("GET", "/api/v1/namespaces/lost")).status, 404);
  assert.equal(existsSync(join(folder, "storage.db")), false);
});

test("every request leaves an audit event that names who asked, what for, and which role allowed it", async () => {
  const file = join(root, "audit.json");
  await using up = await startUp(["--data", newFolder(), "--storage", "memory", "--audit", file]);
  await up.call("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "seen" } });
  await up.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
  await up.stop("SIGTERM");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line)).filter(({ user }) => user.username === "kubernetes-admin");
  assert.deepEqual(
    events.map(({ verb, objectRef, responseStatus, annotations }) => [
      verb,
      objectRef.resource,
      objectRef.name,
      responseStatus.code,
      annotations["authorization.k8s.io/decision"],
    ]),
    [
      ["create", "configmaps", "seen", 201, "allow"],
      ["create", "selfsubjectreviews", undefined, 201, "allow"],
    ],
  );
  assert.deepEqual(events[0].sourceIPs, ["127.0.0.1"]);
});

test("a web page on it is served on demand, and ends with it", async () => {
  await using up = await startUp(["--data", newFolder(), "--storage", "memory", "--dashboard"]);
  const { origin, hash } = new URL(up.dashboard ?? "");
  const live = await fetch(`${origin}/live?kind=namespaces`, { headers: { authorization: `Bearer ${hash.replace("#token=", "")}` } });
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let told = ""; !told.includes('"key":"default"');) told += (await reader?.read())?.value ?? assert.fail(told);
  assert.equal(await up.stop("SIGTERM"), 0);
  await assert.rejects(fetch(origin));
});

test("pods of an image that a program stands for run it, and nothing is left of it", async () => {
  const program = join(root, "hello.cjs");
  writeFileSync(
    program,
    'console.log("hello", process.argv.slice(2).join(" "), process.env.POD, process.pid); setInterval(() => {}, 1000);',
  );
  const image = `example.com/hello=${process.execPath} ${program} from`;
  await using up = await startUp(["--data", newFolder(), "--storage", "memory", "--image", image]);
  const env = [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }];
  const containers = [{ name: "main", image: "example.com/hello:2", args: ["the", "$(POD)"], env }];
  const pods = "/api/v1/namespaces/default/pods";
  assert.equal((await up.call("POST", pods, { metadata: { name: "greeter" }, spec: { containers } })).status, 201);
  const watch = await up.watch(`${pods}?watch=true`);
  for (let events = ""; !events.includes('"running":{');) events += await watch.next();
  const log = await up.watch(`${pods}/greeter/log?follow=true`);
  const [, pid] = /^hello from the greeter greeter (\d+)\n$/.exec((await log.next()) ?? "") ?? [];
  assert.equal(await up.stop("SIGTERM"), 0);
  assert.ok(pid !== undefined && isOver(Number(pid)));
});

test("probes of such pods run the commands that they say", async () => {
  const file = join(root, "is-ready");
  const image = `example.com/waits=${process.execPath} -e setInterval(()=>{},1000)`;
  await using up = await startUp(["--data", newFolder(), "--storage", "memory", "--image", image]);
  const readinessProbe = { exec: { command: ["sh", "-c", `cat ${file}`] }, periodSeconds: 1 };
  const containers = [{ name: "main", image: "example.com/waits", readinessProbe }];
  const spec = { containers, terminationGracePeriodSeconds: 0 };
  const events = await up.watch("/api/v1/namespaces/default/events?watch=true");
  assert.equal((await up.call("POST", "/api/v1/namespaces/default/pods", { metadata: { name: "waits" }, spec })).status, 201);
  let told = "";
  while (!told.includes("Readiness probe failed")) told += await events.next();
  assert.match(told, /is-ready/);
  writeFileSync(file, "");
  const pods = await up.watch("/api/v1/namespaces/default/pods?watch=true");
  for (let seen = ""; !/"type":"Ready","status":"True"|"status":"True","type":"Ready"|"ready":true/.test(seen);) seen += await pods.next();
  assert.equal(await up.stop("SIGTERM"), 0);
});

/** Whether a process is gone, or at least has ended. */
function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

test("there are as many nodes as are asked for", async () => {
  await using up = await startUp(["--data", newFolder(), "--storage", "memory", "--nodes", "3"]);
  const watch = await up.watch("/api/v1/nodes?watch=true");
  for (let events = ""; !events.includes('"name":"node-3"');) events += await watch.next();
  const { body } = await up.call("GET", "/api/v1/nodes");
  const names = (JSON.parse(body) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ["node-1", "node-2", "node-3"]);
});

test("a program for an image that is none is a wrong usage", async () => {
  let err = "";
  const terminal = { out: () => {}, err: (text: string): void => void (err += text) };
  assert.equal(await run(["up", "--image", "example.com/hello"], terminal), 2);
  assert.match(err, /--image must be NAME=PROGRAM, not 'example\.com\/hello'/);
  err = "";
  assert.equal(await run(["up", "--image", "example.com/hello=./nowhere/hello --loud"], terminal), 2);
  assert.match(err, /--image: there is no program \/.*\/nowhere\/hello, which pods of example\.com\/hello are to run/);
});

test("an audit file that cannot be written is named", async () => {
  const file = join(root, "nowhere", "audit.json");
  assert.match(await refusal("--data", newFolder(), "--audit", file), /^kaji: audit file .*nowhere\/audit\.json cannot be written: ENOENT/);
});

test("a second signal ends it at once", async () => {
  await using up = await startUp(["--data", newFolder(), "--storage", "memory"]);
  const { cut } = await up.hang();
  const stopped = up.stop("SIGTERM");
  await up.stop("SIGINT");
  // When both are pending, which of the two is delivered last is the kernel's choice.
  assert.ok([128 + 2, 128 + 15].includes((await stopped) ?? 0));
  await cut;
});

test("what Node has compiled is there for the next one as soon as it is up, also if it is killed", async () => {
  const compiled = newFolder();
  await using up = await startUp(["--data", newFolder(), "--storage", "memory"], { NODE_COMPILE_CACHE: compiled });
  assert.equal((await up.call("GET", "/version")).status, 200);
  await up.stop("SIGKILL");
  const [ofThisNode = ""] = readdirSync(compiled);
  assert.ok(readdirSync(join(compiled, ofThisNode)).length > 100);
});

/** Runs `kaji up` where it must fail, and returns its line. */
async function refusal(...parameters: readonly string[]): Promise<string> {
  let [out, err] = ["", ""];
  const code = await run(["up", "--port", "0", ...parameters], { out: (text) => (out += text), err: (text) => (err += text) });
  assert.deepEqual([code, out], [1, ""]);
  const [line = "", ...more] = err.trimEnd().split("\n");
  assert.deepEqual(more, []);
  return line;
}

/** Everything in a folder but its lock, to see that nothing has changed. */
function snapshot(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== "lock");
  const hashes = files.map(
    ({ parentPath, name }) =>
      `${join(parentPath, name)} ${createHash("sha256")
        .update(readFileSync(join(parentPath, name)))
        .digest("hex")}`,
  );
  return hashes.sort().join("\n");
}

test("a port in use is named, and no folder is made", async () => {
  const folder = newFolder();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  assert.equal(
    await refusal("--data", folder, "--port", String(port)),
    `kaji: cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port, or 0 for any that is free`,
  );
  assert.equal(existsSync(folder), false);
  server.close();
});

test("an address that is not this machine's is named", async () => {
  assert.equal(
    await refusal("--data", newFolder(), "--host", "192.0.2.200"),
    "kaji: cannot listen on 192.0.2.200:0: this machine has no such address",
  );
});

for (const storage of ["sqlite", "memory"]) {
  test(`a data folder in use with ${storage} is named, with who uses it, and left alone, until that one is gone`, async () => {
    const folder = newFolder();
    await using up = await startUp(["--data", folder, "--storage", storage]);
    await up.call("GET", "/api/v1/namespaces");
    const before = snapshot(folder);
    for (const wanted of ["sqlite", "memory"]) {
      assert.equal(
        await refusal("--data", folder, "--storage", wanted),
        `kaji: data folder ${folder} is in use by another instance (pid ${up.pid}); stop that one, or choose another with --data`,
      );
    }
    assert.equal(snapshot(folder), before);
    await up.stop("SIGKILL");
    await using again = await startUp(["--data", folder, "--storage", storage]);
    assert.notEqual(again.pid, up.pid);
  });
}

test("data of a newer format is named and left alone", async () => {
  const folder = newFolder();
  mkdirSync(folder);
  const file = join(folder, "storage.db");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE log (x); PRAGMA application_id = 0x6b616a69; PRAGMA user_version = 99");
  database.close();
  const before = snapshot(folder);
  assert.equal(await refusal("--data", folder), `kaji: ${file} has format 99, newer than 1, the newest this version can read`);
  assert.equal(snapshot(folder), before);
});

test("data that cannot be read is named and left alone", async () => {
  const folder = newFolder();
  mkdirSync(folder);
  const file = join(folder, "storage.db");
  writeFileSync(file, "this is not a database, however long it may be ".repeat(100));
  const before = snapshot(folder);
  assert.equal(await refusal("--data", folder), `kaji: ${file} cannot be read: file is not a database`);
  assert.equal(snapshot(folder), before);
});

test("a damaged certificate authority is named and left alone", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "pki"), { recursive: true });
  writeFileSync(join(folder, "pki", "ca.pem"), "garbage");
  const before = snapshot(folder);
  assert.match(await refusal("--data", folder), /^kaji: .*ca\.pem is not a certificate with its key .*; remove it to have a new one made$/);
  assert.equal(snapshot(folder), before);
});

test("a data folder that cannot be made is named", async () => {
  const file = newFolder();
  writeFileSync(file, "");
  assert.equal(
    await refusal("--data", join(file, "below")),
    `kaji: data folder ${join(file, "below")} cannot be used: ${file} is not a folder`,
  );
});

test("a kubeconfig that another program has written is not replaced", async () => {
  const [folder, kubeconfig] = [newFolder(), join(root, "config")];
  writeFileSync(kubeconfig, "apiVersion: v1\nkind: Config\n");
  const expected = `kaji: ${kubeconfig} exists and was not written by kaji; choose another path for the kubeconfig`;
  assert.equal(await refusal("--data", folder, "--kubeconfig", kubeconfig), expected);
  assert.equal(readFileSync(kubeconfig, "utf8"), "apiVersion: v1\nkind: Config\n");
  assert.equal(existsSync(folder), false);
});

test("an etcd that cannot be reached is named, and no folder is made", async () => {
  const folder = newFolder();
  assert.equal(
    await refusal("--data", folder, "--storage", "etcd", "--etcd-servers", "http://127.0.0.1:1"),
    "kaji: etcd cannot be used: http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
  );
  assert.equal(existsSync(folder), false);
});

test("a certificate for etcd that is none is named", async () => {
  const etcd = ["--data", newFolder(), "--storage", "etcd", "--etcd-servers", "https://127.0.0.1:1"];
  const [absent, empty, broken] = ["absent.pem", "empty.pem", "broken.pem"].map((name) => join(root, name));
  writeFileSync(empty ?? "", "");
  writeFileSync(
    broken ?? "",
    "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n",
  );
  assert.match(await refusal(...etcd, "--etcd-cafile", absent ?? ""), /^kaji: --etcd-cafile '.*absent\.pem' cannot be read: ENOENT/);
  assert.match(await refusal(...etcd, "--etcd-cafile", empty ?? ""), /^kaji: --etcd-cafile '.*empty\.pem' has no certificate in PEM$/);
  const pair = ["--etcd-certfile", broken ?? "", "--etcd-keyfile", broken ?? ""];
  assert.match(await refusal(...etcd, ...pair), /^kaji: --etcd-certfile '.*', --etcd-keyfile '.*' cannot be used: /);
});

test("where an error comes from is shown only when asked for", async () => {
  let err = "";
  const file = newFolder();
  writeFileSync(file, "");
  await run(["up", "--data", file, "--verbose"], { out: () => {}, err: (text) => (err += text) });
  assert.match(err, /\n +at .*data-folder/);
});
