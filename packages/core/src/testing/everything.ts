import { z } from "zod";
import { defineResource } from "../define/define-resource.ts";
import type { ResourceDefinition } from "../define/define-resource.ts";
import * as k from "../define/k.ts";

/** Uses every feature of a definition, so that a real server sees all of them. */
export const Everything: ResourceDefinition = defineResource({
  group: "test.kaji.example.com",
  version: "v1",
  kind: "Everything",
  plural: "everythings",
  singular: "everything",
  scope: "Namespaced",
  shortNames: ["ev", "evs"],
  categories: ["all", "kaji"],
  annotations: { "example.com/made-by": "kaji" },
  description: "Uses every feature of a definition.",
  spec: z
    .object({
      // Strings.
      name: k.dnsLabel().describe("A DNS label."),
      host: k.dnsSubdomain().optional(),
      label: k.labelValue().default("none"),
      text: z.string().min(2).max(5).optional(),
      anything: z.string().optional(),
      code: z
        .string()
        .regex(/^[A-Z]{3}-\d{2,4}$/)
        .meta({ title: "Code", example: "ABC-123" }),
      prefixed: z.string().startsWith("a").endsWith("z").includes("m").optional(),
      dotted: z
        .string()
        .regex(/^a.c\s?$/)
        .optional(),
      color: z.enum(["red", "green", "blue"]).default("red"),
      mode: z.union([z.literal("on"), z.literal("off")]).optional(),
      uuid: z.uuid().optional(),
      address: z.ipv4().optional(),
      day: z.iso.date().optional(),
      bytes: z.base64().optional(),
      mail: z.email().optional(),
      when: k.time().optional(),
      every: k.duration().default("30s"),

      // Numbers.
      replicas: z.int32().min(0).default(1),
      port: z.int32().min(1).max(65535).optional(),
      big: z.int().optional(),
      unsigned: z.uint32().optional(),
      even: z.int().multipleOf(2).gt(0).lt(100).optional(),
      ratio: z.number().min(0).max(1).optional(),
      level: z.literal([1, 2, 3]).optional(),
      yes: z.literal(true).optional(),
      paused: z.boolean().default(false),
      amount: k.quantity().optional(),
      target: k.intOrString().default(8080),

      // Lists and maps.
      tags: k.set(z.string().max(20)).max(3).default([]),
      ports: k
        .listMap(
          z.object({ name: k.dnsLabel(), protocol: z.enum(["TCP", "UDP"]).default("TCP"), number: z.int32().min(1).max(65535) }),
          "name",
          "protocol",
        )
        .min(1)
        .max(4),
      matrix: z.array(z.array(z.int32()).check(k.atomic()).max(3)).max(3).optional(),
      labels: z
        .record(z.string(), k.labelValue())
        .check(k.properties({ max: 2 }))
        .optional(),
      limits: z.record(z.string(), z.object({ soft: z.int32().default(5), hard: z.int32().optional() })).optional(),
      frozen: z
        .record(z.string(), z.string())
        .check(k.atomic(), k.properties({ min: 1, max: 8 }))
        .optional(),
      selector: k.labelSelector().optional(),

      // Objects.
      nested: z.object({ enabled: z.boolean().default(true), deep: z.object({ value: z.int32().default(7) }).optional() }).optional(),
      filled: z.object({ first: z.int32().default(1), second: z.string().default("two") }).prefault({ second: "zwei" }),
      source: k.oneOf({ git: z.object({ url: z.string().min(1), depth: z.int32().default(1) }), image: z.string().min(1) }).optional(),
      loose: z.looseObject({ known: z.int32().optional() }).optional(),
      free: k.preserveUnknownFields<{ readonly replicas?: number }>().optional(),
      raw: z.unknown().optional(),
      template: k.embeddedObject().optional(),
      nothing: z.string().nullable().optional(),
      fallback: z.string().nullable().default("x"),
      listOfNull: z.array(z.int32().nullable()).optional(),

      // Rules.
      owner: z.string().max(64).check(k.immutable()).optional(),
      min: z.int32().default(0),
      max: z.int32().default(10),
    })
    .check(
      k.rule("self.min <= self.max", { message: "min must not exceed max", fieldPath: "min", reason: "FieldValueForbidden" }),
      k.rule("!has(self.owner) || self.owner != 'nobody'", { messageExpression: "'owner ' + self.owner + ' is not allowed'" }),
      k.rule("oldSelf.hasValue() || self.min != 42", { optionalOldSelf: true, message: "42 is not for new objects" }),
    ),
  fields: { note: z.string().max(100).optional() },
  status: z.object({
    replicas: z.int32().min(0).default(0),
    selector: z.string().optional(),
    started: k.time().optional(),
    conditions: k.conditions(),
  }),
  columns: {
    Replicas: "spec.replicas",
    Started: "status.started",
    Ready: { condition: "Ready", description: "Whether it is ready" },
    Target: { path: "spec.target", priority: 1 },
    Ratio: { path: "spec.ratio", format: "double" },
    Paused: "spec.paused",
    Tag: { jsonPath: ".spec.tags[0]", type: "string", priority: 1 },
  },
  scale: { specReplicasPath: "spec.replicas", statusReplicasPath: "status.replicas", labelSelectorPath: "status.selector" },
  selectableFields: ["spec.color", "spec.paused", "spec.replicas"],
  rules: [{ rule: "self.metadata.name.size() <= 40", message: "the name is too long" }],
  versions: {
    v1beta1: {
      spec: z.object({ name: k.dnsLabel(), size: z.int32().default(3) }),
      columns: { Size: "spec.size" },
      deprecated: "test.kaji.example.com/v1beta1 Everything is deprecated; use v1",
    },
    v1alpha1: { spec: z.object({ name: z.string() }), served: false, deprecated: true },
  },
});
