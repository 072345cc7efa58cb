/** Reads stored bytes once, however many storages share them: neither stored bytes nor what is read from them is ever changed. */
export function readOnce<T extends object>(read: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const known = new WeakMap<Uint8Array, T>();
  return (bytes) => {
    let found = known.get(bytes);
    if (found === undefined) {
      found = read(bytes);
      known.set(bytes, found);
    }
    return found;
  };
}
