import type { SpdySession } from "@kaji/core/spdy";
import { commandChannels } from "@kaji/core/web-socket";
import type { ChannelMessage, CommandChannels } from "./command-channels.ts";

/** What each stream is, by what its client says that it is. */
const channelOfType: ReadonlyMap<string, number> = new Map([
  ["stdin", commandChannels.stdin],
  ["stdout", commandChannels.stdout],
  ["stderr", commandChannels.stderr],
  ["error", commandChannels.outcome],
  ["resize", commandChannels.resize],
]);

/** The channels of a command on a connection of SPDY: each is a stream that the client opens. */
export class SpdyChannels implements CommandChannels {
  readonly #session: SpdySession;
  /** Those that the client has yet to open. */
  readonly #awaited: Set<number>;
  readonly #isOpen = Promise.withResolvers<boolean>();
  readonly #streams = new Map<number, number>();

  constructor(session: SpdySession, awaited: Iterable<number>) {
    this.#session = session;
    this.#awaited = new Set(awaited);
  }

  get isOpen(): Promise<boolean> {
    return this.#isOpen.promise;
  }

  async send(channel: number, bytes: Uint8Array): Promise<void> {
    const stream = this.#streams.get(channel);
    if (stream !== undefined) await this.#session.send(stream, bytes);
  }

  async *messages(): AsyncGenerator<ChannelMessage> {
    const channels = new Map<number, number>();
    try {
      for await (const event of this.#session.events()) {
        const channel = channels.get(event.stream) ?? -1;
        if (event.type === "Opened") channels.set(event.stream, this.#open(event.stream, event.headers["streamtype"] ?? ""));
        else if (event.type === "Data") yield { channel, bytes: event.bytes, isLast: event.isLast };
        else yield { channel, bytes: new Uint8Array(), isLast: true };
      }
    } finally {
      this.#isOpen.resolve(false);
    }
  }

  /** Ends all streams. */
  async end(): Promise<void> {
    for (const stream of this.#streams.values()) await this.#session.send(stream, new Uint8Array(), { isLast: true });
  }

  #open(stream: number, type: string): number {
    const channel = channelOfType.get(type) ?? -1;
    if (channel >= 0) this.#streams.set(channel, stream);
    this.#awaited.delete(channel);
    if (this.#awaited.size === 0) this.#isOpen.resolve(true);
    return channel;
  }
}
