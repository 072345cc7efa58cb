/** Makes one piece of several frames. */
export type FrameJoiner = (frames: readonly Uint8Array[]) => Uint8Array;

/** A larger piece is not remembered: those who are that far behind are rarely at the same place. */
const rememberedBytes = 256 * 1024;

/** A joiner that gives the same bytes to all watchers that wait for the same frames, as after a batch of writes nearly all do. */
export function createFrameJoiner(): FrameJoiner {
  let last: { readonly frames: readonly Uint8Array[]; readonly piece: Uint8Array } = { frames: [], piece: new Uint8Array() };
  return (frames) => {
    const [first] = frames;
    if (first !== undefined && frames.length === 1) return first;
    if (last.frames.length === frames.length && last.frames.every((frame, index) => frame === frames[index])) return last.piece;
    const piece = Buffer.concat(frames);
    if (piece.byteLength <= rememberedBytes) last = { frames, piece };
    return piece;
  };
}
