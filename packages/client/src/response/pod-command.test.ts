import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { Clock, Transport } from "@kaji/core";
import { ManualClock, inTime } from "@kaji/core/testing";
import { acceptanceOf, commandChannels } from "@kaji/core/web-socket";
import { httpTransport } from "../http/http-transport.ts";
import { KubeClient } from "../kube-client.ts";
import type { TerminalSize } from "./container-streams.ts";
import { TransportError } from "../transport-error.ts";
import { webSocketServer } from "../testing/web-socket-server.ts";
import type { WebSocketAnswer } from "../testing/web-socket-server.ts";

/** What a scripted server has in its hands while a command runs. */
interface Session {
  readonly path: string;
  /** Sends what the command has to say on a channel. */
  readonly say: (channel: keyof typeof commandChannels, text: string) => Promise<void>;
  /** The messages of the client, the channel first. */
  readonly heard: () => AsyncGenerator<readonly [number, string]>;
}

/** A client whose server agrees to a WebSocket and follows a script, until that ends. */
function clientOf(
  script: (session: Session) => Promise<void>,
  { clock, ...answer }: Partial<WebSocketAnswer> & { readonly clock?: Clock } = {},
): KubeClient {
  const headers = { "sec-websocket-protocol": "v5.channel.k8s.io", ...answer.headers };
  const transport = webSocketServer(
    ({ path, socket }) =>
      script({
        path,
        say: (channel, text) => socket.send(Buffer.concat([Buffer.of(commandChannels[channel]), Buffer.from(text)])),
        heard: async function* () {
          for await (const [channel = -1, ...bytes] of socket.messages()) yield [channel, Buffer.from(bytes).toString()];
        },
      }),
    { ...answer, headers },
  );
  return new KubeClient(transport, { clock });
}

const success = JSON.stringify({ metadata: {}, status: "Success" });

test("[RUN1] a command is told in the query, and what it writes is kept apart", async () => {
  const client = clientOf(async ({ path, say }) => {
    await say("stdout", "");
    await say("stdout", path);
    await say("stderr", "one ");
    await say("stderr", "two");
    await say("outcome", success);
  });
  const { stdout, stderr, exitCode } = await client.exec("shop/db", ["psql", "-c", "a&b"], { container: "db" });
  assert.equal(stdout, "/api/v1/namespaces/shop/pods/db/exec?command=psql&command=-c&command=a%26b&container=db&stdout=true&stderr=true");
  assert.deepEqual([stderr, exitCode], ["one two", 0]);
});

test("[RUN2] it reads what it is given, and then the end of that", async () => {
  const given: (readonly [number, string])[] = [];
  const client = clientOf(async ({ heard, say }) => {
    for await (const message of heard()) {
      given.push(message);
      if (message[0] === commandChannels.close) break;
    }
    await say("outcome", success);
  });
  await client.exec("shop/db", ["cat"], { stdin: "abc" });
  assert.deepEqual(given, [
    [commandChannels.stdin, "abc"],
    [commandChannels.close, "\0"],
  ]);
});

test("[RUN2] what fails while it is read ends the command, and is what is thrown", async () => {
  const given: string[] = [];
  const client = clientOf(async ({ heard }) => {
    for await (const [, text] of heard()) given.push(text);
  });
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from("half");
    throw new Error("the file is gone");
  };
  await assert.rejects(client.exec("shop/db", ["cat"], { stdin: broken() }), /^Error: the file is gone$/);
  assert.deepEqual(given, ["half"]);
});

test("[RUN2] what is left of it when the command is over is not read any more", async () => {
  const client = clientOf(async ({ heard, say }) => {
    for await (const [, text] of heard()) {
      assert.equal(text, "more");
      await say("outcome", success);
    }
  });
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
  let pieces = 0;
  const endless: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => endless,
    next: async () => (++pieces < 100_000 ? { done: false, value: Buffer.from("more") } : { done: true, value: undefined }),
    // What goes wrong with it then is of no matter to the command.
    return: async () => {
      leave();
      throw new Error("it cannot be closed");
    },
  };
  assert.equal((await client.exec("shop/db", ["head", "-c", "10"], { stdin: endless })).exitCode, 0);
  await isLeft;
  assert.ok(pieces < 100_000);
});

test("[RUN3] a code other than 0 is a result; that it was not run is an error", async () => {
  const failed = {
    metadata: {},
    status: "Failure",
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: "42" }] },
  };
  const ended = clientOf(({ say }) => say("outcome", JSON.stringify(failed)));
  assert.equal((await ended.exec("shop/db", ["false"])).exitCode, 42);
  const notRun = clientOf(({ say }) =>
    say("outcome", JSON.stringify({ status: "Failure", reason: "InternalError", message: "no such program" })),
  );
  await assert.rejects(notRun.exec("shop/db", ["nosuch"]), {
    reason: "InternalError",
    message: "no such program (GET /api/v1/namespaces/shop/pods/db/exec)",
  });
});

test("[RUN1] it is over with the command, even if nobody closes the connection", async () => {
  const client = clientOf(async ({ say }) => {
    await say("stdout", "done");
    await say("outcome", success);
    await new Promise(() => {});
  });
  assert.equal((await client.exec("shop/db", ["ls"])).stdout, "done");
});

test("[RUN4] a connection that ends too soon, an answer that is none, and too much output are told apart", async () => {
  const cut = clientOf(({ say }) => say("stdout", "half"));
  await assert.rejects(cut.exec("shop/db", ["ls"]), { reason: "Interrupted", message: /the connection ended before the command did/ });
  const wrong = clientOf(async () => {}, { headers: { "sec-websocket-accept": "no" } });
  await assert.rejects(wrong.exec("shop/db", ["ls"]), { reason: "Malformed", message: /did not answer as a WebSocket does/ });
  const long = clientOf(({ say }) => say("stdout", "x".repeat(11)));
  await assert.rejects(long.exec("shop/db", ["ls"], { mostOutput: 10 }), { name: "RangeError", message: /more than 10 bytes/ });
});

test("[RUN5] it is never repeated, whatever the server says", async () => {
  let requests = 0;
  const client = new KubeClient(async () => {
    requests++;
    return { status: 503, headers: { "retry-after": "0" }, body: new Blob(["busy"]).stream() };
  });
  await assert.rejects(client.exec("shop/db", ["ls"]), { reason: "ServiceUnavailable" });
  assert.equal(requests, 1);
});

test("[RUN4] the connection of an answer that is no WebSocket's is closed", async () => {
  const server = createServer((socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: something\r\n\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await using client = new KubeClient(httpTransport({ server: `http://127.0.0.1:${port}` }, { environment: {} }));
  const connected = once(server, "connection") as Promise<[Socket]>;
  const refused = assert.rejects(client.exec("shop/db", ["ls"]), { reason: "Malformed" });
  const [socket] = await connected;
  socket.resume();
  await Promise.all([refused, inTime("the client closes the connection", once(socket, "close"))]);
  server.close();
});

test("[RUN6] who attaches has what a container writes until it ends; that it failed is not told", async () => {
  const client = clientOf(async ({ path, say }) => {
    await say("stdout", path);
    await say("outcome", success);
  });
  const stdout = "/api/v1/namespaces/shop/pods/db/attach?container=db&stdout=true&stderr=true";
  assert.deepEqual(await client.attach("shop/db", { container: "db" }), { stdout, stderr: "" });
  const cut = clientOf(({ say }) => say("stdout", "half"));
  await assert.rejects(cut.attach("shop/db"), { reason: "Interrupted", message: /the connection ended before the container did/ });
  const refused = clientOf(({ say }) => say("outcome", JSON.stringify({ status: "Failure", message: "it has ended" })));
  await assert.rejects(refused.attach("shop/db"), { message: "it has ended (GET /api/v1/namespaces/shop/pods/db/attach)" });
});

test("[RUN6] who leaves ends the connection, with the reason for leaving", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const client = clientOf(async ({ heard }) => {
    for await (const _ of heard());
    resolve();
  });
  const leave = new AbortController();
  const attached = assert.rejects(client.attach("shop/db", { signal: leave.signal }), /^Error: enough$/);
  setImmediate(() => leave.abort(new Error("enough")));
  await Promise.all([attached, left]);
});

test("[RUN7] what is written is taken as it comes, and does not count as output", async () => {
  const client = clientOf(async ({ say }) => {
    for (const text of ["one ", "two ", "three"]) await say("stdout", text);
    await say("stderr", "oh");
    await say("outcome", success);
  });
  let taken = "";
  const onStdout = (bytes: Uint8Array): void => void (taken += Buffer.from(bytes).toString());
  const result = await client.exec("shop/db", ["ls"], { onStdout, mostOutput: 2 });
  assert.deepEqual([taken, result], ["one two three", { exitCode: 0, stdout: "", stderr: "oh" }]);
});

test("[RUN7] while it is taken, the server is held back; a failure of that ends the command", async () => {
  let said = 0;
  const client = clientOf(
    async ({ say }) => {
      for (; said < 1000; said++) await say("stdout", "more");
    },
    { pieces: 1 },
  );
  const [first, failure] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onStdout = (): Promise<void> => (first.resolve(), failure.promise);
  const run = assert.rejects(client.exec("shop/db", ["yes"], { onStdout }), /^Error: the disk is full$/);
  await first.promise;
  await new Promise(setImmediate);
  assert.ok(said < 20, `${said} messages`);
  failure.reject(new Error("the disk is full"));
  await run;
});

test("[RUN9] a terminal has one stream for all that is written, and its sizes are told as they change", async () => {
  const given: (readonly [number, string])[] = [];
  const client = clientOf(async ({ path, heard, say }) => {
    await say("stdout", path);
    for await (const message of heard()) {
      given.push(message);
      if (given.length === 2) await say("outcome", success);
    }
  });
  const isLeft = Promise.withResolvers<void>();
  const sizes = [
    { columns: 80, rows: 24 },
    { columns: 100, rows: 40 },
  ];
  const changes: AsyncIterableIterator<TerminalSize, undefined> = {
    [Symbol.asyncIterator]: () => changes,
    next: async () => {
      const value = sizes.shift();
      return value === undefined ? new Promise(() => {}) : { done: false, value };
    },
    return: async () => (isLeft.resolve(), { done: true, value: undefined }),
  };
  const { stdout } = await client.exec("shop/db", ["top"], { tty: changes });
  assert.equal(stdout, "/api/v1/namespaces/shop/pods/db/exec?command=top&stdout=true&tty=true");
  assert.deepEqual(given, [
    [commandChannels.resize, '{"Width":80,"Height":24}'],
    [commandChannels.resize, '{"Width":100,"Height":40}'],
  ]);
  await isLeft.promise;
});

test("[RUN9] one size may be all there is, and sizes that fail end the command", async () => {
  const client = clientOf(async ({ heard, say }) => {
    for await (const [, text] of heard()) {
      await say("stdout", text);
      await say("outcome", success);
    }
  });
  const { stdout } = await client.exec("shop/db", ["top"], { tty: { columns: 1, rows: 2 } });
  assert.equal(stdout, '{"Width":1,"Height":2}');
  const broken: AsyncIterable<TerminalSize> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no terminal any more")) }),
  };
  await assert.rejects(client.exec("shop/db", ["top"], { tty: broken }), /^Error: no terminal any more$/);
});

/** A server whose command ends when it is told to, and the first bytes of all that it is sent. */
function endingServer(said: string) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = webSocketServer(
    async ({ socket }) => {
      await socket.send(Buffer.concat([Buffer.of(commandChannels.stdout), Buffer.from(said)]));
      await end.promise;
      await socket.send(Buffer.concat([Buffer.of(commandChannels.outcome), Buffer.from(success)]));
    },
    { headers: {} },
  );
  const sent: (number | undefined)[] = [];
  const transport: typeof server = async (request) => {
    const { upstream = assert.fail(), ...response } = await server(request);
    setImmediate(begun.resolve);
    const write = async (bytes: Uint8Array): Promise<void> => {
      sent.push(bytes[0]);
      await upstream.write(bytes);
    };
    return { ...response, upstream: { ...upstream, write } };
  };
  return { transport, sent, begun: begun.promise, end: end.resolve };
}

test("[RUN10] something is sent every ten seconds, until it is over", async () => {
  const clock = new ManualClock();
  const { transport, sent, begun, end } = endingServer("");
  const run = new KubeClient(transport, { clock }).exec("shop/db", ["sleep", "30"]);
  await begun;
  await clock.advance(30_000);
  end();
  await run;
  // By their first bytes: three pings and the farewell.
  assert.deepEqual(sent, [0x89, 0x89, 0x89, 0x88]);
  assert.equal(clock.pending, 0);
});

test("[RUN10] nothing is sent while what has come is still to be read", async () => {
  const clock = new ManualClock();
  const { transport, sent, end } = endingServer("much");
  const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onStdout = (): Promise<void> => {
    reading.resolve();
    return read.promise;
  };
  const run = new KubeClient(transport, { clock }).exec("shop/db", ["head"], { onStdout });
  await reading.promise;
  await clock.advance(120_000);
  assert.deepEqual(sent, []);
  end();
  read.resolve();
  await run;
  assert.deepEqual(sent, [0x88]);
});

/** A server that answers so many pings and then nothing, on a connection that nobody closes. */
function freezingServer(pings: number): Transport {
  return async ({ headers: asked, signal }) => {
    const answers = new TransformStream<Uint8Array, Uint8Array>({}, { highWaterMark: 100 }, { highWaterMark: 100 });
    const writer = answers.writable.getWriter();
    let left = pings;
    const write = async (bytes: Uint8Array): Promise<void> => {
      if (bytes[0] === 0x89 && left-- > 0) await writer.write(Uint8Array.of(0x8a, 0));
    };
    const headers = { "sec-websocket-accept": acceptanceOf(asked["sec-websocket-key"] ?? "") };
    const body = answers.readable.pipeThrough(new TransformStream(), { signal: signal ?? assert.fail() });
    return { status: 101, headers, body, upstream: { write, end: () => {} } };
  };
}

/** How a command ended within so many seconds, if it did. */
async function failureWithin(seconds: number, pings: number, stdin?: AsyncIterable<Uint8Array>): Promise<unknown> {
  const clock = new ManualClock();
  const leave = new AbortController();
  const run = new KubeClient(freezingServer(pings), { clock }).exec("shop/db", ["psql"], { stdin, signal: leave.signal });
  let failure: unknown;
  const over = run.then(
    () => assert.fail("it ended"),
    (error: unknown) => (failure = error),
  );
  for (let second = 0; second < seconds; second += 10) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10_000);
  }
  await new Promise((resolve) => setImmediate(resolve));
  const found = failure;
  leave.abort();
  await over;
  assert.equal(clock.pending, 0);
  return found;
}

test("[RUN11] a server that answers no more is gone after a minute", async () => {
  assert.equal(await failureWithin(80, 2), undefined);
  const lost = await failureWithin(90, 2);
  assert.ok(lost instanceof TransportError);
  assert.deepEqual(
    [lost.reason, lost.message],
    ["Interrupted", "the server has not answered for 60 s (GET /api/v1/namespaces/shop/pods/db/exec)"],
  );
});

test("[RUN11] one that has never answered, or may be held back by what it was sent, is waited for", async () => {
  assert.equal(await failureWithin(600, 0), undefined);
  const late = async function* (): AsyncGenerator<Uint8Array> {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    yield Buffer.from("select 1");
  };
  assert.equal(await failureWithin(600, 2, late()), undefined);
});
