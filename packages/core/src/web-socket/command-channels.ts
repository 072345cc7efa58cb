/** The first byte of each message of a command that runs in a container: what the rest is. */
export const commandChannels = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  /** How the command ended, as a Status. */
  outcome: 3,
  /** The size of the terminal. */
  resize: 4,
  /** The channel in the next byte has ended. */
  close: 255,
} as const;

/** With an end of the standard input that can be told, and without. */
export const commandProtocols: readonly string[] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
