import { arrayAt, parseJsonBytes, textAt } from "@kaji/core";
import { ByteMemo } from "./byte-memo.ts";

/** What the server answered to a write. */
export interface WriteAnswer {
  /** Empty where it is no object. */
  readonly name: string;
  readonly uid: string | undefined;
  /** 0 where it is no object. */
  readonly version: number;
  /** Where it is a list. */
  readonly items: readonly { readonly name: string; readonly uid: string }[];
}

/** Reads the answer to a write: an object, a Status or a list. */
export function writeAnswer(bytes: Uint8Array): WriteAnswer {
  return answers.of(bytes);
}

const answers = new ByteMemo((bytes): WriteAnswer => {
  const json = parseJsonBytes(bytes);
  const uid = textAt(json, "metadata", "uid") || textAt(json, "details", "uid");
  return {
    name: textAt(json, "metadata", "name"),
    uid: uid === "" ? undefined : uid,
    version: Number(textAt(json, "metadata", "resourceVersion")),
    items: arrayAt(json, "items").map((item) => ({ name: textAt(item, "metadata", "name"), uid: textAt(item, "metadata", "uid") })),
  };
});
