import type { ShelvedBytes } from "./history-shelf.ts";
import type { Version } from "./version.ts";

/** A version that was superseded some time ago, whose bytes are on a shelf: reading them takes longer. */
export class ShelvedVersion implements Version {
  readonly key: string;
  readonly modRevision: number;
  readonly #bytes: ShelvedBytes;
  previous: Version | undefined;

  constructor({ key, modRevision, previous }: Version, bytes: ShelvedBytes) {
    this.key = key;
    this.modRevision = modRevision;
    this.#bytes = bytes;
    this.previous = previous;
  }

  get bytes(): Uint8Array {
    return this.#bytes.read();
  }

  /** The same, with nothing before it. */
  alone(): ShelvedVersion {
    return new ShelvedVersion({ key: this.key, modRevision: this.modRevision, bytes: undefined, previous: undefined }, this.#bytes);
  }
}
