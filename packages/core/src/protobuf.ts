export { ProtobufDecoder } from "./protobuf/decoder.ts";
export { parseEnvelope } from "./protobuf/envelope.ts";
export type { ProtobufEnvelope } from "./protobuf/envelope.ts";
export { ProtobufError } from "./protobuf/reader.ts";
export type { FieldType, LeafType, ProtobufField, ProtobufTable } from "./protobuf/table.ts";
