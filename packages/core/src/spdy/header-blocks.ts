import { constants, createDeflate, createInflate } from "node:zlib";
import type { Deflate, Inflate } from "node:zlib";
import { headerDictionary } from "./header-dictionary.ts";
import { uint32 } from "./uint32.ts";

/** Headers of streams by name, in lower case. */
export type StreamHeaders = Readonly<Record<string, string>>;

/** Reads and writes the headers of a connection. Each block is compressed with what was in those before it, so that they have to be taken in turn. */
export class HeaderBlocks implements Disposable {
  readonly #inflate: Inflate = createInflate({ dictionary: headerDictionary });
  readonly #deflate: Deflate = createDeflate({ dictionary: headerDictionary });

  async read(block: Uint8Array): Promise<StreamHeaders> {
    const bytes = await through(this.#inflate, block);
    const headers: Record<string, string> = {};
    let at = 4;
    const text = (): string => {
      const length = bytes.readUInt32BE(at);
      at += 4 + length;
      return bytes.toString("utf8", at - length, at);
    };
    for (let left = bytes.readUInt32BE(0); left > 0; left--) {
      const name = text();
      headers[name] = text();
    }
    return headers;
  }

  write(headers: StreamHeaders): Promise<Uint8Array> {
    const pairs = Object.entries(headers)
      .flat()
      .map((word) => Buffer.from(word));
    return through(this.#deflate, Buffer.concat([uint32(pairs.length / 2), ...pairs.flatMap((word) => [uint32(word.byteLength), word])]));
  }

  [Symbol.dispose](): void {
    this.#inflate.destroy();
    this.#deflate.destroy();
  }
}

/** What comes out at one end when something has gone in at the other. */
async function through(stream: Deflate | Inflate, bytes: Uint8Array): Promise<Buffer> {
  const passed = Promise.withResolvers<void>();
  const pieces: Buffer[] = [];
  const take = (piece: Buffer): void => void pieces.push(piece);
  stream.on("data", take).on("error", passed.reject);
  stream.write(bytes);
  stream.flush(constants.Z_SYNC_FLUSH, () => passed.resolve());
  await passed.promise;
  stream.off("data", take).off("error", passed.reject);
  return Buffer.concat(pieces);
}
