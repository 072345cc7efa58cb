// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

export * from "@kaji/types/schemas";
