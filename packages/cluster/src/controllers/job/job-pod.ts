import type { Draft } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import type { Container, Pod, PodTemplateSpec } from "@kaji/types/core/v1";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import { failureAnnotations, hasLimitPerIndex } from "./index-failures.ts";
import { completionIndexAnnotation, isIndexed } from "./job-indexes.ts";
import { trackingFinalizer } from "./pod-tracking.ts";

const indexVariable = "JOB_COMPLETION_INDEX";

/** The longest prefix of a generated name: 63 characters, of which the server adds five. */
const prefixLength = 58;

/** A new pod of a job, of an index if it has one; `predecessor` is the pod before of that index. */
export function jobPod(job: Job, index: number | undefined, predecessor: Pod | undefined): Draft<Pod> {
  const template = job.spec?.template ?? {};
  const { metadata = {}, spec } = template;
  const finalizers = [...(metadata.finalizers ?? []).filter((each) => each !== trackingFinalizer), trackingFinalizer];
  const tracked: PodTemplateSpec = { ...template, metadata: { ...metadata, finalizers } };
  if (!isIndexed(job) || index === undefined || spec === undefined) return podFromTemplate(Job, job, tracked);
  const { name } = job.metadata;
  const suffix = `-${index}-`;
  const failures = hasLimitPerIndex(job) ? failureAnnotations(job, predecessor) : {};
  const draft = podFromTemplate(Job, job, {
    metadata: {
      ...tracked.metadata,
      labels: { ...metadata.labels, [completionIndexAnnotation]: String(index) },
      annotations: { ...metadata.annotations, [completionIndexAnnotation]: String(index), ...failures },
    },
    spec: {
      ...spec,
      hostname: `${name}-${index}`,
      containers: spec.containers.map(withIndex),
      ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withIndex) }),
    },
  });
  return { ...draft, metadata: { ...draft.metadata, generateName: name.slice(0, prefixLength - suffix.length) + suffix } };
}

/** Tells a container its index. */
function withIndex<C extends Container>(container: C): C {
  const { env = [] } = container;
  if (env.some(({ name }) => name === indexVariable)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${completionIndexAnnotation}']` } };
  return { ...container, env: [...env, { name: indexVariable, valueFrom }] };
}
