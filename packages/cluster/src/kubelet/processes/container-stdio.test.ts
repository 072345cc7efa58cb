import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { KubeClient } from "@kaji/client";
import { WebSocketSession, commandChannels } from "@kaji/core/web-socket";
import { Pod } from "@kaji/types/core/v1";
import type { Container } from "@kaji/types/core/v1";
import { startControlPlane } from "../../start-control-plane.ts";
import type { ControlPlane } from "../../start-control-plane.ts";
import { imagePrograms } from "./image-programs.ts";
import { findTerminalHost } from "./pseudo-terminal.ts";

describe("what a container reads and writes itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-stdio-"));
  let plane: ControlPlane;
  let client: KubeClient;

  before(async () => {
    const programs = imagePrograms({ busybox: ["sh"] });
    plane = await startControlPlane({ folder, storage: "memory", controllers: ["node-lifecycle-controller"], programs });
    client = new KubeClient(plane.server.transport(), { onWarning: () => {} });
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await plane[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** Runs a pod, and resolves when its container has begun. */
  async function runPod(name: string, container: Partial<Container>): Promise<void> {
    const containers = [{ name: "main", image: "busybox", ...container }];
    const spec = { containers, restartPolicy: "Never", terminationGracePeriodSeconds: 0 } as const;
    await client.create(Pod, { metadata: { name, namespace: "default" }, spec });
    await until(name, ({ status }) => status?.phase === "Running");
    // What is run beside a container comes after it.
    await client.exec(`default/${name}`, ["true"]);
  }

  async function until(name: string, isSo: (pod: Pod) => boolean): Promise<Pod> {
    for await (const event of client.watch(Pod, { namespace: "default", fieldSelector: `metadata.name=${name}` })) {
      if (event.type !== "BOOKMARK" && isSo(event.object)) return event.object;
    }
    return assert.fail("the watch ended");
  }

  async function joinPod(pod: string, query: string): Promise<Joined> {
    const path = `/api/v1/namespaces/default/pods/${pod}/${query}&stdin=true&stdout=true`;
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "a",
      "sec-websocket-protocol": "v5.channel.k8s.io",
    };
    const { status, body, upstream = assert.fail() } = await plane.server.transport()({ method: "GET", path, headers });
    assert.equal(status, 101);
    return new Joined(new WebSocketSession(body, upstream, { mask: () => new Uint8Array(4) }));
  }

  test("[PROC15] a client that attaches is joined to both, and the first one's end is that of what is read", async () => {
    await runPod("cat", { command: ["sh", "-c", "cat; echo end >&2; exit 4"], stdin: true, stdinOnce: true });
    const joined = await joinPod("cat", "attach?stderr=true");
    await joined.send(commandChannels.stdin, "hello\n");
    await joined.reads("1hello\n");
    await joined.send(commandChannels.close, "\0");
    await joined.reads("2end\n");
    await joined.reads('3{"metadata":{},"status":"Success"}');
    const { status } = await until("cat", (pod) => pod.status?.phase === "Failed");
    assert.equal(status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 4);
  });

  test("[PROC15] what a container has to read stays open for the next client, unless it is for the first one only", async () => {
    await runPod("lines", { command: ["sh", "-c", "while read line; do echo read $line; done"], stdin: true });
    for (const word of ["one", "two"]) {
      const joined = await joinPod("lines", "attach?");
      await joined.send(commandChannels.stdin, `${word}\n`);
      await joined.reads(`1read ${word}\n`);
      await joined.leave();
    }
    await client.delete(Pod, "default/lines", { gracePeriodSeconds: 0 });
  });

  describe("on a terminal", { skip: findTerminalHost() === undefined && "this machine has none" }, () => {
    test("[PROC14] a container that wants one runs on it, and it stays when a client leaves", async () => {
      const script = "while [ \"$(stty size)\" != '40 100' ]; do :; done; echo sized; while read line; do echo $TERM $line; done";
      await runPod("shell", { command: ["sh", "-c", script], stdin: true, tty: true });
      const first = await joinPod("shell", "attach?tty=true");
      await first.send(commandChannels.resize, '{"Width":100,"Height":40}');
      await first.reads("sized\r\n");
      await first.send(commandChannels.stdin, "a\r");
      await first.reads("xterm a\r\n");
      await first.leave();
      const second = await joinPod("shell", "attach?tty=true");
      await second.send(commandChannels.stdin, "b\r");
      await second.reads("xterm b\r\n");
      await second.send(commandChannels.stdin, "\u0004");
      await second.reads('3{"metadata":{},"status":"Success"}');
      await until("shell", (pod) => pod.status?.phase === "Succeeded");
    });

    test("[PROC10] a command on a terminal ends with its client, and says how it ended", async () => {
      await runPod("web", { command: ["sleep", "1000"] });
      const failing = await joinPod("web", "exec?tty=true&command=sh&command=-c&command=test -t 0 %26%26 exit 6");
      await failing.reads('"reason":"ExitCode","message":"6"');
      const left = await joinPod("web", "exec?tty=true&command=sh&command=-c&command=echo pid $$; exec sleep 1000");
      const pid = Number((await left.reads(/pid (\d+)\r\n/))[1]);
      await left.leave();
      while (isThere(pid)) await new Promise(setImmediate);
      await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
    });
  });
});

/** A client that is joined to a container. */
class Joined {
  readonly #socket: WebSocketSession;
  readonly #messages: AsyncIterator<Uint8Array>;
  #heard = "";

  constructor(socket: WebSocketSession) {
    this.#socket = socket;
    this.#messages = socket.messages();
  }

  send(channel: number, text: string): Promise<void> {
    return this.#socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text, "latin1")]));
  }

  /** Waits for some text, with the number of its channel in front if that begins a message. */
  async reads(wanted: string | RegExp): Promise<readonly string[]> {
    const pattern = typeof wanted === "string" ? new RegExp(RegExp.escape(wanted)) : wanted;
    for (;;) {
      const found = pattern.exec(this.#heard);
      if (found !== null) return found;
      const { done, value } = await this.#messages.next();
      if (done === true) assert.fail(`no ${pattern} in ${JSON.stringify(this.#heard)}`);
      this.#heard += `${value[0]}${Buffer.from(value.subarray(1)).toString("utf8")}`;
    }
  }

  async leave(): Promise<void> {
    await this.#socket.close();
    while ((await this.#messages.next()).done !== true);
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
