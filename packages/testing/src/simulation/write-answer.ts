import { isJsonArray, isJsonObject, parseJsonBytes } from "@kaji/core";
import type { JsonValue, TransportResponse } from "@kaji/core";
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
  const [metadata, details, items] = [fieldOf(json, "metadata"), fieldOf(json, "details"), fieldOf(json, "items")];
  const uid = textOf(metadata, "uid") || textOf(details, "uid");
  return {
    name: textOf(metadata, "name"),
    uid: uid === "" ? undefined : uid,
    version: Number(textOf(metadata, "resourceVersion")),
    items: (isJsonArray(items) ? items : []).map((item) => {
      const meta = fieldOf(item, "metadata");
      return { name: textOf(meta, "name"), uid: textOf(meta, "uid") };
    }),
  };
});

/** The whole body of a response. */
export async function bytesOf({ body }: TransportResponse): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** Bytes as the body of a response. */
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) ? value[key] : undefined;
}

function textOf(value: JsonValue | undefined, key: string): string {
  const field = fieldOf(value, key);
  return typeof field === "string" ? field : "";
}
