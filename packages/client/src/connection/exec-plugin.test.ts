import assert from "node:assert/strict";
import { test } from "node:test";
import { isatty } from "node:tty";
import { inspect } from "node:util";
import { ManualClock } from "@kaji/core/testing";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { TransportError } from "../transport-error.ts";
import type { ExecPlugin } from "./connection.ts";
import { credentialsOf } from "./credentials.ts";
import { runExecPlugin } from "./exec-plugin.ts";

const apiVersion = "client.authentication.k8s.io/v1";

/** A plugin that is a program for Node. */
function plugin(program: string, more: Partial<ExecPlugin> = {}): ExecPlugin {
  return { apiVersion, command: process.execPath, args: ["-e", program], interactiveMode: "Never", ...more };
}

/** A plugin that prints a status. */
function printing(status: unknown, more: object = {}): ExecPlugin {
  const credential = { apiVersion, kind: "ExecCredential", status, ...more };
  return plugin(`console.log(${JSON.stringify(JSON.stringify(credential))})`);
}

test("[EXEC1] a plugin prints a token, a certificate or both, and until when", async () => {
  const time = { expirationTimestamp: "2026-01-01T01:00:00Z" };
  const { token, certificate, expiresAtMs } = await runExecPlugin(
    printing({ token: "t", clientCertificateData: "c", clientKeyData: "k", ...time }),
  );
  assert.equal(token, "t");
  assert.deepEqual(certificate, { certificate: "c", key: "k" });
  assert.equal(expiresAtMs, Date.UTC(2026, 0, 1, 1));
  assert.equal((await runExecPlugin(printing({ token: "t", expirationTimestamp: null }))).expiresAtMs, undefined);
});

test("[EXEC2] a plugin is told its version, whether it may ask, and of the cluster if it is to know", async () => {
  const program = `console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential",
    status: { token: process.env.KUBERNETES_EXEC_INFO + process.env.EXTRA + process.argv[1] + (process.env.PATH ? "" : "no path") } }))`;
  const cluster = { server: "https://a", config: null };
  const { token } = await runExecPlugin(plugin(program, { cluster: () => cluster, env: { EXTRA: "extra" }, args: ["-e", program, "arg"] }));
  assert.equal(token, `${JSON.stringify({ kind: "ExecCredential", apiVersion, spec: { interactive: false, cluster } })}extraarg`);
});

test("[EXEC2] a plugin that may ask if there is a terminal is told whether there is one", async () => {
  const program = `console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential", status: { token: process.env.KUBERNETES_EXEC_INFO } }))`;
  const { token = "" } = await runExecPlugin(plugin(program, { interactiveMode: "IfAvailable" }));
  assert.deepEqual(JSON.parse(token).spec, { interactive: isatty(0) });
});

test("[EXEC3] whatever goes wrong is told by the plugin's name, and without what it printed", async () => {
  const failures: ReadonlyArray<readonly [ExecPlugin, RegExp]> = [
    [plugin("process.exit(3)"), /failed with exit code 3/],
    [plugin("process.kill(process.pid, 'SIGTERM')"), /failed with signal SIGTERM/],
    [
      { ...plugin("hunter2"), command: "/no/such/plugin", installHint: "get it from example.com\n" },
      /"\/no\/such\/plugin" is not installed: get it from example.com/,
    ],
    [{ ...plugin("hunter2"), command: "/" }, /cannot be run \(EACCES\)/],
    // For these Node throws, instead of telling of an error later.
    [{ ...plugin("hunter2"), command: `${process.execPath}/plugin` }, /cannot be run \(ENOTDIR\)/],
    [plugin("", { env: { TOKEN: "hunter2\0" } }), /cannot be run \(ERR_INVALID_ARG_VALUE\)/],
    [plugin("console.log('hunter2')"), /did not print a JSON object/],
    [plugin(""), /did not print a JSON object/],
    [
      printing({ token: "hunter2" }, { apiVersion: "client.authentication.k8s.io/v1beta1" }),
      /printed "ExecCredential" of "client.authentication.k8s.io\/v1beta1" where/,
    ],
    [printing({ token: "hunter2" }, { kind: "Secret" }), /printed "Secret"/],
    [printing(null), /printed no status/],
    [printing({}), /printed neither a token nor a certificate/],
    [printing({ token: 7 }), /status.token that is no text/],
    [printing({ clientKeyData: "hunter2" }), /a certificate without its key, or a key alone/],
    [printing({ token: "hunter2", expirationTimestamp: "soon" }), /expirationTimestamp that is no time: "soon"/],
    [plugin("", { interactiveMode: "Always" }), /needs a terminal/],
  ];
  for (const [broken, message] of failures) {
    await assert.rejects(runExecPlugin(broken), (error) => {
      assert.ok(error instanceof TransportError && error.reason === "Unauthenticated", inspect(error));
      assert.match(error.message, message);
      assert.ok(!inspect(error, { depth: 9 }).includes("hunter2"));
      return true;
    });
  }
});

/** A plugin that counts its runs in a file, and prints the count as a token, good for an hour. */
function counting(folder: { readonly path: string }): ExecPlugin {
  return plugin(`const fs = require("node:fs"); const file = "${folder.path}/runs";
    const runs = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) + 1 : 1; fs.writeFileSync(file, String(runs));
    console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential", status: { token: String(runs), expirationTimestamp: "2026-01-01T01:00:00Z" } }))`);
}

test("[EXEC4] a plugin runs when its credentials are first needed and when they have expired, once for all who ask", async () => {
  using folder = temporaryFolder();
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const source = credentialsOf({ exec: counting(folder) }, clock);
  const all = await Promise.all([source.current(), source.current(), source.current()]);
  assert.deepEqual(new Set(all.map(({ authorization }) => authorization)), new Set(["Bearer 1"]));
  await clock.advance(3_599_999);
  assert.equal(await source.current(), all[0]);
  await clock.advance(1);
  assert.equal((await source.current()).authorization, "Bearer 2");
});

test("[EXEC5] refused credentials are renewed, unless another request has already done so", async () => {
  using folder = temporaryFolder();
  const source = credentialsOf({ exec: counting(folder) }, new ManualClock(Date.UTC(2026, 0, 1)));
  const first = await source.current();
  assert.equal(await source.renew(first), true);
  assert.equal(await source.renew(first), true);
  assert.equal((await source.current()).authorization, "Bearer 2");
});

test("[EXEC6] a user with anything else to show needs no plugin", async () => {
  const exec = plugin("process.exit(1)");
  const clock = new ManualClock();
  assert.equal((await credentialsOf({ exec, token: "t" }, clock).current()).authorization, "Bearer t");
  const basic = { username: "me", password: "pass" };
  assert.equal((await credentialsOf({ exec, basic }, clock).current()).authorization, "Basic bWU6cGFzcw==");
});
