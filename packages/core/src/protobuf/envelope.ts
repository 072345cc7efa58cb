import { ProtobufError, ProtobufReader, wire } from "./reader.ts";

/** What Kubernetes wraps around every object on the protobuf wire (`runtime.Unknown`). A text not sent is empty. */
export interface ProtobufEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object itself, without `apiVersion` and `kind`. */
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** `k8s` and the number of the only encoding there is. */
const prefix = [0x6b, 0x38, 0x73, 0x00] as const;

/** Takes the envelope off a request body. The messages about the body as a whole are those of the real server. */
export function parseEnvelope(body: Uint8Array): ProtobufEnvelope {
  if (body.length === 0) throw new ProtobufError("empty data", 0);
  if (!prefix.every((byte, index) => body[index] === byte)) {
    throw new ProtobufError(`provided data does not appear to be a protobuf message, expected prefix [${prefix.join(" ")}]`, 0);
  }
  if (body.length === prefix.length) throw new ProtobufError("empty body", prefix.length);
  const envelope = { apiVersion: "", kind: "", raw: body.subarray(0, 0), contentEncoding: "", contentType: "" };
  const reader = new ProtobufReader(body.subarray(prefix.length));
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number > 4) {
      reader.skip();
      continue;
    }
    reader.expect(wire.bytes, `${number} of the envelope`);
    if (number === 1) readTypeMeta(reader, envelope);
    else if (number === 2) envelope.raw = reader.bytes();
    else if (number === 3) envelope.contentEncoding = reader.string();
    else envelope.contentType = reader.string();
  }
  return envelope;
}

function readTypeMeta(reader: ProtobufReader, into: { apiVersion: string; kind: string }): void {
  const outerEnd = reader.enter();
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number === 1) {
      reader.expect(wire.bytes, "apiVersion of the envelope");
      into.apiVersion = reader.string();
    } else if (number === 2) {
      reader.expect(wire.bytes, "kind of the envelope");
      into.kind = reader.string();
    } else reader.skip();
  }
  reader.leave(outerEnd);
}
