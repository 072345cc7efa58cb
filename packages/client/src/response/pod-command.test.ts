import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { Transport } from "@kaji/core";
import { inTime } from "@kaji/core/testing";
import { WebSocketSession, acceptanceOf, commandChannels } from "@kaji/core/web-socket";
import { httpTransport } from "../http/http-transport.ts";
import { KubeClient } from "../kube-client.ts";

/** What a scripted server has in its hands while a command runs. */
interface Session {
  readonly path: string;
  /** Sends what the command has to say on a channel. */
  readonly say: (channel: keyof typeof commandChannels, text: string) => Promise<void>;
  /** The messages of the client, the channel first. */
  readonly heard: () => AsyncGenerator<readonly [number, string]>;
}

/** A connection in one direction, with room for all that is said here. */
function pipe(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({}, { highWaterMark: 100 }, { highWaterMark: 100 });
}

/** A client whose server agrees to a WebSocket and follows a script, until that ends. */
function clientOf(script: (session: Session) => Promise<void>, headers: Readonly<Record<string, string>> = {}): KubeClient {
  const transport: Transport = async (request) => {
    const [toClient, toServer] = [pipe(), pipe()];
    const sinkOf = ({ writable }: TransformStream<Uint8Array>): ConstructorParameters<typeof WebSocketSession>[1] => {
      const writer = writable.getWriter();
      return { write: (bytes) => writer.write(bytes).catch(() => {}), end: () => void writer.close().catch(() => {}) };
    };
    const back = sinkOf(toClient);
    const socket = new WebSocketSession(toServer.readable, back);
    const session: Session = {
      path: request.path,
      say: (channel, text) => socket.send(Buffer.concat([Buffer.of(commandChannels[channel]), Buffer.from(text)])),
      heard: async function* () {
        for await (const [channel = -1, ...bytes] of socket.messages()) yield [channel, Buffer.from(bytes).toString()];
      },
    };
    void script(session).finally(() => back.end());
    const agreed = {
      "sec-websocket-accept": acceptanceOf(request.headers["sec-websocket-key"] ?? ""),
      "sec-websocket-protocol": "v5.channel.k8s.io",
    };
    return { status: 101, headers: { ...agreed, ...headers }, body: toClient.readable, upstream: sinkOf(toServer) };
  };
  return new KubeClient(transport);
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
  const wrong = clientOf(async () => {}, { "sec-websocket-accept": "no" });
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
