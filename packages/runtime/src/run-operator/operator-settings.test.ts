import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError, helpText } from "./flags.ts";
import { operatorFlags, readSettings } from "./operator-settings.ts";
import type { OperatorSettings } from "./operator-settings.ts";

function settingsOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}): OperatorSettings {
  const settings = readSettings(argv, env);
  assert.ok(settings !== "Help");
  return settings;
}

test("[OP5] without flags an operator has the defaults of controller-runtime", () => {
  assert.deepEqual(settingsOf([]), {
    leaderElect: false,
    leaderElectionNamespace: undefined,
    shards: undefined,
    namespaces: undefined,
    metricsAddress: { host: undefined, port: 8080 },
    metricsAuth: false,
    metricsCertificate: undefined,
    healthAddress: { host: undefined, port: 8081 },
    profilingAddress: undefined,
    webhookAddress: { host: undefined, port: 9443 },
    webhookUrl: undefined,
    webhookCertificates: undefined,
    webhookClientCa: undefined,
    concurrency: undefined,
    syncMs: 120_000,
    logLevel: "info",
    logFormat: undefined,
    kubeconfig: undefined,
    context: undefined,
    shutdownMs: 30_000,
  });
});

test("[OP5] a flag has its value behind a space or an equals sign, and the last one counts", () => {
  const { namespaces, leaderElect, concurrency, shutdownMs } = settingsOf([
    "--namespaces=a,b,a",
    "--leader-elect",
    "--concurrency",
    "2",
    "--concurrency=3",
    "--shutdown-timeout",
    "1m30s",
  ]);
  assert.deepEqual([namespaces, leaderElect, concurrency?.others, shutdownMs], [["a", "b"], true, 3, 90_000]);
  assert.equal(settingsOf(["--leader-elect=false"]).leaderElect, false);
});

test("[SHARD15] into how many shards objects are divided is a whole number from 1 to 1000", () => {
  assert.deepEqual([settingsOf(["--shards", "8"]).shards, settingsOf([], { KAJI_SHARDS: "1000" }).shards], [8, 1000]);
  for (const text of ["0", "1001", "-1", "1.5", "many"])
    assert.throws(() => settingsOf([`--shards=${text}`]), new UsageError(`--shards: "${text}" is not a whole number from 1 to 1000`));
});

test("[OP9] how many reconciles there are at once is said for all controllers, for some by name, or both", () => {
  const parse = (text: string): unknown => {
    const settings = readSettings([`--concurrency=${text}`], {}, ["bar", "baz"]);
    assert.ok(settings !== "Help");
    return [settings.concurrency?.others, [...(settings.concurrency?.byController ?? [])]];
  };
  assert.deepEqual(parse("4"), [4, []]);
  assert.deepEqual(parse("bar=4, baz=2"), [
    undefined,
    [
      ["bar", 4],
      ["baz", 2],
    ],
  ]);
  assert.deepEqual(parse("1,bar=4"), [1, [["bar", 4]]]);
  for (const [text, problem] of [
    ["bat=4", 'there is no controller "bat", only bar, baz'],
    ["bar=0", '"0" is not a whole number from 1 up'],
    ["bar=", '"" is not a whole number from 1 up'],
    ["x", '"x" is not a whole number from 1 up'],
  ] as const) {
    assert.throws(() => parse(text), new UsageError(`--concurrency: ${problem}`));
  }
});

test("[OP5] a variable counts where there is no flag", () => {
  const env = { KAJI_LEADER_ELECT: "true", KAJI_LOG_LEVEL: "debug", KAJI_CONTEXT: "" };
  assert.deepEqual(settingsOf([], env).leaderElect, true);
  const { logLevel, context } = settingsOf(["--log-level=warn"], env);
  assert.deepEqual([logLevel, context], ["warn", undefined]);
});

test("[OP5] names of prototypes are no flags", () => {
  for (const word of ["--constructor", "--__proto__=1", "--toString", "--", "-", ""]) {
    assert.throws(() => readSettings([word], {}), UsageError);
  }
});

test("[OP5] a flag that is misspelt is told with the one that was meant", () => {
  const line = "--leader-elekt is not a flag of this program; did you mean --leader-elect? see --help";
  assert.throws(() => readSettings(["--leader-elekt"], {}), new UsageError(line));
  assert.throws(() => readSettings(["--none"], {}), new UsageError("--none is not a flag of this program; see --help"));
});

test("[OP5] the help has every flag and fits on a screen", () => {
  const help = helpText(operatorFlags, { usage: "bar [flags]", examples: ["bar"] });
  for (const { name } of operatorFlags) assert.match(help, new RegExp(`^ {2}--${name} `, "m"));
  assert.ok(help.split("\n").every((line) => line.length <= 120));
  assert.equal(readSettings(["--log-level", "x", "-h"], {}), "Help");
});

test("[OP5] what names no host is served on the one that is given for all", () => {
  const { metricsAddress, healthAddress, webhookAddress, profilingAddress } = settingsOf(["--health-address", "127.0.0.1:1"], {
    KAJI_LISTEN_HOST: "127.244.0.2",
  });
  assert.deepEqual(metricsAddress, { host: "127.244.0.2", port: 8080 });
  assert.deepEqual(healthAddress, { host: "127.0.0.1", port: 1 });
  assert.deepEqual(webhookAddress, { host: "127.244.0.2", port: 9443 });
  assert.equal(profilingAddress, undefined);
});

test("[OP5] localhost is the loopback of the pod, which may have an address of its own there", () => {
  const hostIn = (env: Readonly<Record<string, string>>): string | undefined =>
    settingsOf(["--profiling-address", "localhost:6060"], env).profilingAddress?.host;
  assert.equal(hostIn({}), "127.0.0.1");
  assert.equal(hostIn({ KAJI_LISTEN_HOST: "10.0.0.7" }), "127.0.0.1");
  assert.equal(hostIn({ KAJI_LISTEN_HOST: "127.244.0.2" }), "127.244.0.2");
});
