import { bytesText } from "@kaji/core";
import { commandChannels } from "@kaji/core/web-socket";
import type { WebSocketSession } from "@kaji/core/web-socket";
import type { ChannelMessage, CommandChannels } from "./command-channels.ts";

const firstDigit = 0x30;

/** The channels of a WebSocket: each message begins with the number of its channel. In a subprotocol of base64 that is a digit, and the rest is text, for clients that have no bytes. */
export class SocketChannels implements CommandChannels {
  /** A WebSocket has all of them from the start. */
  readonly isOpen: Promise<boolean> = Promise.resolve(true);
  readonly #socket: WebSocketSession;
  readonly #isText: boolean;
  readonly #tellsEnds: boolean;

  constructor(socket: WebSocketSession, protocol: string) {
    this.#socket = socket;
    this.#isText = /^(v\d+\.)?base64\./.test(protocol);
    this.#tellsEnds = protocol.startsWith("v5.");
  }

  send(channel: number, bytes: Uint8Array): Promise<void> {
    return this.#isText
      ? this.#socket.sendText(Buffer.concat([Buffer.of(firstDigit + channel), Buffer.from(Buffer.from(bytes).toString("base64"))]))
      : this.#socket.send(Buffer.concat([Buffer.of(channel), bytes]));
  }

  /** What is not in base64 where it has to be is passed over. */
  async *messages(): AsyncGenerator<ChannelMessage> {
    for await (const message of this.#socket.messages()) {
      const [channel, first] = message;
      if (channel === undefined) continue;
      const bytes = this.#isText ? fromBase64(message.subarray(1)) : message.subarray(1);
      if (this.#tellsEnds && channel === commandChannels.close) {
        if (first !== undefined) yield { channel: first, bytes: new Uint8Array(), isLast: true };
      } else if (bytes !== undefined) yield { channel: this.#isText ? channel - firstDigit : channel, bytes, isLast: false };
    }
  }
}

function fromBase64(encoded: Uint8Array): Uint8Array | undefined {
  const text = bytesText(encoded).replaceAll(/[\r\n]/g, "");
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
