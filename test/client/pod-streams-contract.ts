import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import type { KubeClient } from "@kaji/client";
import { PortForwardError, portForward } from "@kaji/client/port-forward";
import { inTime } from "@kaji/core/testing";

/** Pods of `default` that run: `web` repeats what it is sent over HTTP, `cat` what it reads, and then ends. */
export interface PodStreamsWorld extends AsyncDisposable {
  readonly client: KubeClient;
  /** Where `web` listens. */
  readonly port: number;
  /** Where nobody does. */
  readonly otherPort: number;
}

const web = "default/web";
const long = "0123456789".repeat(100_000);

/** What a client has of the streams and ports of Pods, whatever is between. */
export function podStreamsContract(name: string, start: () => Promise<PodStreamsWorld>): void {
  describe(`streams and ports of Pods: ${name}`, () => {
    let world: PodStreamsWorld;
    before(async () => {
      world = await start();
    });
    after(() => world[Symbol.asyncDispose]());
    for (const [rule, check] of Object.entries(rules)) test(rule, () => check(world));
  });
}

const rules: Readonly<Record<string, (world: PodStreamsWorld) => Promise<void>>> = {
  "[RUN1] a command has its output, its errors and its exit code": async ({ client }) => {
    const failed = await client.exec(web, ["sh", "-c", "echo $COLOR; echo oh >&2; exit 7"], { container: "web" });
    assert.deepEqual(failed, { exitCode: 7, stdout: "red\n", stderr: "oh\n" });
    assert.deepEqual(await client.exec(web, ["true"]), { exitCode: 0, stdout: "", stderr: "" });
  },

  "[RUN2] it reads what it is given to the end": async ({ client }) => {
    const { stdout, exitCode } = await client.exec(web, ["cat"], { stdin: long });
    assert.deepEqual([stdout === long, exitCode], [true, 0]);
  },

  "[RUN7] what it writes is taken as it comes": async ({ client }) => {
    let bytes = 0;
    const onStdout = async (piece: Uint8Array): Promise<void> => {
      bytes += piece.byteLength;
      await new Promise(setImmediate);
    };
    const { exitCode } = await client.exec(web, ["head", "-c", "3000000", "/dev/zero"], { onStdout, mostOutput: 0 });
    assert.deepEqual([bytes, exitCode], [3_000_000, 0]);
  },

  "[RUN9] a command on a terminal knows its size, hears that it changes, and reads what is typed": async ({ client }) => {
    const script = [
      ...['until [ "$(stty size)" = "24 80" ]; do :; done; echo first', 'until [ "$(stty size)" = "40 100" ]; do :; done; echo second'],
      ...["test -t 0 && test -t 2 && read line; echo got $line >&2", "exit 5"],
    ];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let shown = "";
    const run = client.exec(web, ["sh", "-c", script.join("; ")], {
      tty: (async function* () {
        yield { columns: 80, rows: 24 };
        await first.promise;
        yield { columns: 100, rows: 40 };
      })(),
      stdin: (async function* () {
        await second.promise;
        yield Buffer.from("hello\r");
        // Somebody sits at it to the end.
        await new Promise(() => {});
      })(),
      onStdout: (bytes) => {
        shown += Buffer.from(bytes).toString();
        if (shown.includes("first\r\n")) first.resolve();
        if (shown.includes("second\r\n")) second.resolve();
      },
    });
    assert.deepEqual(await inTime("the command ends", run), { exitCode: 5, stdout: "", stderr: "" });
    assert.match(shown, /got hello\r\n$/);
  },

  "[RUN6] who attaches to a container is joined to what it reads and writes": async ({ client }) => {
    assert.deepEqual(await client.attach("default/cat", { stdin: "hello\n" }), { stdout: "hello\n", stderr: "end\n" });
  },

  "[FWD5] many connections at once go through a port of this machine": async ({ client, port }) => {
    await using forward = await portForward(client, web, port);
    await using local = await forward.listen();
    const post = (body: string): Promise<Response> => fetch(`http://${local.host}:${local.port}/`, { method: "POST", body });
    const answers = await Promise.all(Array.from({ length: 10 }, async (_, index) => (await post(`${index}${long}`)).text()));
    assert.deepEqual(
      answers.map((answer, index) => answer === `${index}${long}`),
      answers.map(() => true),
    );
  },

  "[FWD2] the end of what is sent is told, and the answer still comes": async ({ client, port }) => {
    await using forward = await portForward(client, web, port);
    const connection = await forward.connect();
    connection.end("POST / HTTP/1.1\r\nHost: web\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
    assert.match(await text(connection), /^HTTP\/1\.1 200 OK\r\n[^]*hello/);
  },

  "[FWD3] that nobody listens is an error of the connection, and others are made afterwards": async ({ client, otherPort }) => {
    await using nowhere = await portForward(client, web, otherPort);
    for (let attempt = 0; attempt < 2; attempt++) {
      // It may be known before the connection is there.
      await assert.rejects(
        async () => text(await nowhere.connect()),
        (error) => {
          assert.ok(error instanceof PortForwardError, String(error));
          assert.match(error.message, new RegExp(`^port ${otherPort} of pod default/web: .*(?:ECONNREFUSED|connection refused)`));
          return true;
        },
      );
    }
  },

  "[FWD1] a Pod that is not there is refused at once": async ({ client }) => {
    await assert.rejects(portForward(client, "default/nobody", 80), { reason: "NotFound", message: /^pods "nobody" not found/ });
  },
};
