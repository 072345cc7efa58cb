import { once } from "node:events";
import { PassThrough } from "node:stream";
import { sinkOf } from "@kaji/core";
import type { ByteSink } from "@kaji/core";
import type { Container } from "@kaji/types/core/v1";
import type { ContainerStreams, TerminalSize } from "../../kinds/core/container-command.ts";
import { TerminalSizes } from "../../kinds/core/terminal-sizes.ts";

/** What a container reads and writes itself, and the clients that are joined to that. */
export class ContainerStdio {
  /** Undefined if it has nothing to read. */
  readonly input: PassThrough | undefined;
  /** Undefined if it runs on none. */
  readonly terminal: TerminalSizes | undefined;
  /** Whether what it reads ends with what its first client has to say. */
  readonly #isOnce: boolean;
  /** The writing side of `input`. */
  readonly #typed: ByteSink | undefined;
  readonly #clients = new Set<ContainerStreams>();

  constructor({ stdin = false, stdinOnce = false, tty = false }: Container) {
    this.input = stdin ? new PassThrough() : undefined;
    this.terminal = tty ? new TerminalSizes() : undefined;
    this.#typed = this.input === undefined ? undefined : sinkOf(this.input);
    this.#isOnce = stdinOnce;
  }

  /** Tells all clients what the container writes; as long as one of them takes it, there is no more. */
  async tell(stream: "onStdout" | "onStderr", bytes: Uint8Array): Promise<void> {
    const taken = [...this.#clients].map((client) =>
      // One that breaks is no matter of the container's.
      client[stream](bytes).catch(() => this.#clients.delete(client)),
    );
    await Promise.all(taken);
  }

  /** Joins a client, until it goes or the container has ended. */
  async join(client: ContainerStreams, ended: Promise<void>): Promise<void> {
    const { signal, stdin, terminal } = client;
    if (signal.aborted) return;
    this.#clients.add(client);
    void this.#read(stdin);
    void this.#resize(terminal);
    await Promise.race([ended, once(signal, "abort")]);
    this.#clients.delete(client);
  }

  /** Nobody reads any more. */
  end(): void {
    this.input?.destroy();
    this.terminal?.end();
  }

  async #read(stdin: AsyncIterable<Uint8Array> | undefined): Promise<void> {
    if (stdin === undefined) return;
    try {
      for await (const bytes of stdin) await this.#typed?.write(bytes);
    } catch {
      // The client broke off, which ends what it had to say.
    }
    if (this.#isOnce) this.#typed?.end();
  }

  async #resize(sizes: AsyncIterable<TerminalSize> | undefined): Promise<void> {
    for await (const size of sizes ?? []) this.terminal?.set(size);
  }
}
