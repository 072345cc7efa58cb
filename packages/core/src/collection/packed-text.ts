import type * as Zlib from "node:zlib";

/** The least that packing must save of a text. */
const worthwhile = 0.3;

/** Most texts fit into one of these when packed. */
const outputChunk = 8 * 1024;

/** How far back the packer looks, as a power of two: 64 KiB. With more its memory, which it takes anew for each text, is mapped and unmapped each time, and that takes as long as the packing. */
const windowBits = 16;

/** The text in a smaller form; undefined if it is hardly smaller. Objects of one kind have much in common: together they take a tenth and less. */
export function pack(text: Buffer): Buffer | undefined {
  const { zstdCompressSync, constants } = zlib();
  // The fastest of the usual levels: those above it gain nothing on text of this kind.
  const options: Zlib.ZstdOptions = {
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: windowBits },
    pledgedSrcSize: text.length,
    chunkSize: outputChunk,
    info: true,
  };
  const packed = outputOf(zstdCompressSync(text, options));
  if (packed.length > (1 - worthwhile) * text.length) return undefined;
  // What was made is a view of a larger buffer.
  const copy = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(copy);
  return copy;
}

/** The text that was packed, of which the length is known. */
export function unpack(packed: Buffer, length: number): Buffer {
  const size = Math.max(64, length);
  return outputOf(zlib().zstdDecompressSync(packed, { chunkSize: size, maxOutputLength: size, info: true }));
}

/**
 * What zlib made, which with `info` comes with the engine that made it. Until a major collection Node does not let go of engines, nor they of the buffer that they wrote last: after a list of 50,000 objects that
 * would be 4 MB of garbage.
 */
function outputOf(result: Buffer | { readonly buffer: Buffer; readonly engine: object }): Buffer {
  if (Buffer.isBuffer(result)) return result;
  Reflect.set(result.engine, "_outBuffer", undefined);
  return result.buffer;
}

/** Loaded when something is packed for the first time: most programs never come to that, and it takes 4 MB. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule("node:zlib");
}
