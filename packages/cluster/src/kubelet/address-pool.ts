const first = 2;
const last = 254;
const base = (10 << 24) | (244 << 16);
const largestIndex = 255 + 256 * 11;

/** The addresses of the pods of one node: a `/24` of its own. An address is not given away again before all others have been. */
export class AddressPool {
  readonly cidr: string;
  readonly #network: number;
  readonly #isUsed: (address: string) => boolean;
  /** What has been given away and need not be seen in use yet, by its holder. */
  readonly #given = new Map<string, string>();
  #next = first;

  /** The network is that of the n-th node. Which addresses are in use is asked, not remembered, so that it is right after a restart too. */
  constructor(index: number, isUsed: (address: string) => boolean) {
    if (index > largestIndex) throw new RangeError(`there are addresses for ${largestIndex + 1} nodes, not for ${index + 1}`);
    this.#network = base + index * 256;
    this.#isUsed = isUsed;
    this.cidr = `${text(this.#network)}/24`;
  }

  /** An address that no pod has, for a holder; the same again until that is known to use it, or is gone. */
  take(holder: string): string {
    const given = this.#given.get(holder);
    if (given !== undefined) return given;
    const others = new Set(this.#given.values());
    for (let tries = first; tries <= last; tries++) {
      const address = text(this.#network + this.#next);
      this.#next = this.#next === last ? first : this.#next + 1;
      if (others.has(address) || this.#isUsed(address)) continue;
      this.#given.set(holder, address);
      return address;
    }
    throw new RangeError(`no address is left in ${this.cidr}`);
  }

  /** Takes in that a holder is known to use its address, or is gone. */
  release(holder: string): void {
    this.#given.delete(holder);
  }
}

function text(address: number): string {
  return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join(".");
}
