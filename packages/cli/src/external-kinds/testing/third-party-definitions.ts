/** Definitions as other projects write them: certificates, routes of a group of Kubernetes' own, a database, a policy without a spec, and an application with a field beside its own. */
export const thirdPartyDefinitions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: certificates.pki.example.com }
spec:
  group: pki.example.com
  scope: Namespaced
  names: { kind: Certificate, plural: certificates, singular: certificate, shortNames: [cert, certs], categories: [pki] }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          description: A certificate that is kept up to date in a Secret.
          required: [spec]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              description: What is wanted.
              required: [secretName, issuerRef]
              properties:
                secretName: { type: string, minLength: 1, maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }
                commonName: { type: string, description: "Longest 64 characters.", maxLength: 64 }
                duration: { type: string, format: duration }
                notBefore: { type: string, format: date-time, nullable: true }
                dnsNames: { type: array, items: { type: string, format: hostname }, maxItems: 100, x-kubernetes-list-type: set }
                revisionHistoryLimit: { type: integer, format: int32, minimum: 1 }
                serial: { type: integer }
                size: { type: integer, format: int64, enum: [2048, 4096] }
                issuerRef:
                  type: object
                  required: [name]
                  x-kubernetes-map-type: atomic
                  properties:
                    name: { type: string }
                    kind: { type: string, default: Issuer }
                usages: { type: array, items: { type: string, enum: [signing, "any", "server auth"] }, default: [signing] }
              x-kubernetes-validations:
                - { rule: "has(self.commonName) || has(self.dnsNames)", message: a name is needed, reason: FieldValueRequired, fieldPath: .dnsNames }
                - { rule: "self.secretName == oldSelf.secretName", messageExpression: "'was ' + oldSelf.secretName" }
            status:
              type: object
              properties:
                revision: { type: integer }
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status]
                    properties:
                      type: { type: string }
                      status: { type: string, enum: ["True", "False", Unknown] }
                      lastTransitionTime: { type: string, format: date-time }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: sloperoutes.slopes.networking.k8s.io
  annotations: { api-approved.kubernetes.io: "https://example.com/pull/1" }
spec:
  group: slopes.networking.k8s.io
  scope: Namespaced
  names: { kind: SlopeRoute, plural: sloperoutes }
  versions:
    - { name: v1beta1, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                rules:
                  type: array
                  maxItems: 16
                  x-kubernetes-list-type: atomic
                  default: [{ matches: [{ path: { value: / } }] }]
                  items:
                    type: object
                    properties:
                      matches:
                        type: array
                        maxItems: 8
                        x-kubernetes-list-type: atomic
                        items:
                          type: object
                          properties:
                            path:
                              type: object
                              properties:
                                type: { type: string, enum: [Exact, Prefix], default: Prefix }
                                value: { type: string, maxLength: 1024, default: / }
                              x-kubernetes-validations:
                                - { rule: "self.value.startsWith('/')", message: must begin with a slash }
                      weight: { type: integer, format: int32, minimum: 0, maximum: 1000000, default: 1 }
                      port: { anyOf: [{ type: integer }, { type: string }], x-kubernetes-int-or-string: true }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: databases.data.example.com }
spec:
  group: data.example.com
  scope: Cluster
  names: { kind: Database, plural: databases, singular: db }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [engine, replicas]
              oneOf: [{ required: [storage] }, { required: [ephemeral] }]
              properties:
                engine: { type: string, enum: [postgres, mysql] }
                replicas: { type: integer, default: 1, minimum: 0, exclusiveMinimum: true, multipleOf: 1 }
                storage: { x-kubernetes-int-or-string: true, pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(Ki|Mi|Gi)?$' }
                ephemeral: { type: boolean }
                mode: { type: string, nullable: true, enum: [fast, safe, null] }
                ratio: { type: number, format: double, maximum: 1 }
                parameters: { type: object, additionalProperties: { type: string, maxLength: 64 }, maxProperties: 10 }
                template: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true }
                extra: { x-kubernetes-preserve-unknown-fields: true }
                users:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name, host]
                  items:
                    type: object
                    required: [name]
                    properties: { name: { type: string }, host: { type: string, default: "%" } }
                affinity: { type: object, x-kubernetes-preserve-unknown-fields: true, properties: { zone: { type: string } } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: policies.rules.example.com }
spec:
  group: rules.example.com
  scope: Cluster
  names: { kind: Policy, plural: policies, shortNames: [pol] }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [allow]
          properties:
            allow: { type: array, minItems: 1, items: { type: string } }
            deny: { type: array, items: { type: string } }
          x-kubernetes-validations:
            - { rule: "!has(self.deny) || self.deny.all(each, !(each in self.allow))", message: allowed and denied, fieldPath: .deny }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: applications.apps.example.com }
spec:
  group: apps.example.com
  scope: Namespaced
  names: { kind: Application, plural: applications }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [metadata, spec]
          properties:
            metadata: { type: object }
            operation: { type: object, properties: { retry: { type: integer }, by: { type: string, nullable: true, default: null } } }
            spec: { type: object, required: [project], properties: { project: { type: string } } }
            status: { type: object, properties: { health: { type: string } } }
`;
