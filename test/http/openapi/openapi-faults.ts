import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { customKeywords } from '../../../src/http/pipeline/validate.ts';

/** The parts of an OpenAPI document that are checked. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly responses?: Readonly<Record<string, DeclaredResponse>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DeclaredResponse>>;
}

export interface DeclaredResponse {
  readonly $ref?: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema?: object }>>;
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

/** Resolves to every violation of OpenAPI 3.1; empty for a valid document. */
export async function openApiFaults(document: OpenApiDocument): Promise<string[]> {
  // The validator changes its input.
  const { valid, errors } = await new Validator({ strict: false }).validate(
    structuredClone(document) as never,
  );
  if (!valid) return (Array.isArray(errors) ? errors : [errors]).map((error) => JSON.stringify(error));
  return [
    ...referenceFaults(document, document),
    ...schemaFaults(document),
    ...idFaults(document),
    ...pathFaults(document),
    ...securityFaults(document),
  ];
}

/** Returns the answer of an operation with a status; answers that several operations share are components. */
export function responseFor(document: OpenApiDocument, operation: Operation, status: number) {
  const declared = operation.responses[status];
  const name = declared?.$ref?.replace('#/components/responses/', '');
  return name === undefined ? declared : document.components.responses?.[name];
}

/** Creates an Ajv with the document's components, so that any schema of it can be compiled. */
export function ajvFor({ components }: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const keyword of [...customKeywords, 'components']) ajv.addKeyword(keyword);
  ajv.addSchema({ $id: 'document', components } as object, 'document');
  return {
    compile: (schema: object) =>
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))),
  };
}

function referenceFaults(value: unknown, document: OpenApiDocument): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  const ownFaults =
    $ref !== undefined && !resolves(String($ref), document) ? [`${$ref} does not resolve`] : [];
  return [...ownFaults, ...Object.values(value).flatMap((inner) => referenceFaults(inner, document))];
}

function resolves(reference: string, document: OpenApiDocument): boolean {
  if (!reference.startsWith('#/')) return false;
  let at: unknown = document;
  for (const step of reference.slice(2).split('/')) at = (at as Record<string, unknown> | undefined)?.[step];
  return typeof at === 'object' && at !== null;
}

function schemaFaults(document: OpenApiDocument): string[] {
  const ajv = ajvFor(document);
  const schemas = [
    ...Object.entries(document.components.schemas),
    ...operations(document).flatMap(({ name, operation: { parameters = [], requestBody, responses } }) => [
      ...parameters.map(({ schema }) => [name, schema] as const),
      ...[requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).flatMap(({ schema }) => (schema ? [[name, schema] as const] : [])),
      ),
    ]),
  ];
  return schemas.flatMap(([name, schema]) => {
    try {
      ajv.compile(schema);
      return [];
    } catch (fault) {
      return [`${name}: ${(fault as Error).message}`];
    }
  });
}

function idFaults(document: OpenApiDocument): string[] {
  const ids = operations(document).map(({ operation: { operationId } }) => operationId);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two operations have the id ${id}`);
}

/** Checks that exactly the `{…}` of a path are declared, and that no two paths differ only in these names. */
function pathFaults(document: OpenApiDocument): string[] {
  const normalizedPaths = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
  const duplicates = normalizedPaths.filter((place, index) => normalizedPaths.indexOf(place) !== index);
  return [
    ...duplicates.map((place) => `${place} occurs twice`),
    ...operations(document).flatMap(({ name, path, operation: { parameters = [] } }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, word]) => word!).sort();
      const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      return declared.sort().join() === inPath.join()
        ? []
        : [`${name} declares ${declared.join() || 'nothing'}`];
    }),
  ];
}

function securityFaults(document: OpenApiDocument): string[] {
  const known = Object.keys(document.components.securitySchemes);
  return operations(document).flatMap(({ name, operation: { security = [] } }) =>
    security
      .flatMap((one) => Object.keys(one))
      .filter((scheme) => !known.includes(scheme))
      .map((scheme) => `${name} uses the unknown security scheme ${scheme}`),
  );
}

/** Returns every operation with its method and path. */
export function operations(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({
      name: `${method} ${path}`,
      method,
      path,
      operation: one,
    })),
  );
}
