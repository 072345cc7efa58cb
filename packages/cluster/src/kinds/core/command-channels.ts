/** What a client says on one of the channels of its connection. */
export interface ChannelMessage {
  readonly channel: number;
  readonly bytes: Uint8Array;
  /** Whether it says no more there. */
  readonly isLast: boolean;
}

/** The numbered channels between a command and its client. */
export interface CommandChannels {
  /** Whether all that the command needs are there, once that is known: false when the client goes before. What is said is read meanwhile. */
  readonly isOpen: Promise<boolean>;
  /** Resolves when there is room for more. */
  send(channel: number, bytes: Uint8Array): Promise<void>;
  /** What the client says, until it has gone. To be read once. */
  messages(): AsyncIterable<ChannelMessage>;
}
