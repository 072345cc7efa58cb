import assert from "node:assert/strict";
import { test } from "node:test";
import { ProcessStage } from "./testing/process-stage.ts";
import { takenPortHint } from "./taken-port.ts";

const address = "127.244.0.2";

test("[PROC16] the words of many programs are understood, and the port in them", () => {
  for (const [line, port] of [
    ["Error: listen EADDRINUSE: address already in use :::8080", "port 8080"],
    ["Error: listen EADDRINUSE: address already in use 0.0.0.0:80", "port 80"],
    ["panic: listen tcp :8080: bind: address already in use", "port 8080"],
    ["2026/01/31 12:00:00 listen tcp 0.0.0.0:9090: bind: address already in use", "port 9090"],
    ["OSError: [Errno 98] Address already in use", "its port"],
    ["nginx: [emerg] bind() to [::]:443 failed (98: Address already in use)", "port 443"],
    ["Address already in use: port 5432", "port 5432"],
  ] as const) {
    assert.match(
      takenPortHint("main", ["starting", line, "    at main.js:3", "  code: 'EADDRINUSE',"], address) ?? "",
      new RegExp(`^container main found ${port} taken: `),
      line,
    );
  }
});

test("[PROC16] there is no hint where the port of the pod's own address is taken, or nothing says so", () => {
  assert.equal(takenPortHint("main", [`Error: listen EADDRINUSE: address already in use ${address}:8080`], address), undefined);
  assert.equal(takenPortHint("main", ["out of memory"], address), undefined);
  const early = ["listen: address already in use :80, trying the next", ...Array.from({ length: 100 }, () => "serving")];
  assert.equal(takenPortHint("main", early, address), undefined);
});

test("[PROC16] a program that fails since its port is taken leaves an event with what helps; one that ends well does not", async () => {
  await using stage = new ProcessStage();
  const end = async (restartCount: number, exitCode: number): Promise<void> => {
    const run = stage.run({}, restartCount);
    const process = await stage.start(run);
    void process.onOutput(Buffer.from("Error: listen EADDRINUSE: address already in use :::8080\n"));
    process.end({ exitCode });
    await stage.state(run);
  };
  await end(0, 0);
  assert.deepEqual(stage.notes, []);
  await end(1, 1);
  assert.deepEqual(stage.notes, [
    "PortTaken: container main found port 8080 taken: programs in pods share the network of this machine, and one that listens on all addresses has the port there for itself. " +
      "Have it listen on the address in $KAJI_LISTEN_HOST, which is its pod's own (127.244.0.2)",
  ]);
});
