import type { DeclaredResponse, OpenApiDocument, Operation } from '../openapi/openapi-faults.ts';
import { ajvFor } from '../openapi/openapi-faults.ts';
import { closeSchemas } from './close-schemas.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Creates the check of answers against a document. It returns everything that the document does not declare. */
export function createAnswerCheck(document: OpenApiDocument) {
  const closed = closeSchemas(document);
  const ajv = ajvFor(closed);
  const compiled = new Map<object, (value: unknown) => unknown>();
  const fits = (schema: object, value: unknown): boolean => {
    const check = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, check);
    return check(value) === true;
  };

  function bodyFaults(declared: DeclaredResponse, { headers, text }: Answer): readonly string[] {
    const mediaType = (headers.get('content-type') ?? '').split(';')[0]!;
    const content = resolve(closed, declared).content ?? {};
    if (Object.keys(content).length === 0) return text === '' ? [] : ['has an undeclared body'];
    if (!(mediaType in content)) return [`has the undeclared media type “${mediaType}”`];
    const { schema } = content[mediaType]!;
    if (schema === undefined || mediaType !== 'application/json') return [];
    return fits(schema, JSON.parse(text)) ? [] : ['differs from its schema'];
  }

  const headerFaults = (declared: DeclaredResponse, { headers }: Answer): readonly string[] =>
    Object.entries(resolve(closed, declared).headers ?? {})
      .filter(([name, header]) => resolve(closed, header).required === true && !headers.has(name))
      .map(([name]) => `lacks the header ${name}`);

  /** A client compares only what has a tag: it is declared exactly where the answer has one. */
  const tagFaults = (declared: DeclaredResponse, { headers }: Answer): readonly string[] => {
    const isDeclared = 'ETag' in (resolve(closed, declared).headers ?? {});
    if (isDeclared === headers.has('etag')) return [];
    return [isDeclared ? 'lacks its entity tag' : 'has an undeclared entity tag'];
  };

  return {
    faults({ operationId }: Operation, answer: Answer): readonly string[] {
      const { status } = answer;
      const { responses } = operationsById(closed).get(operationId)!;
      const declared = responses[status];
      if (status >= 500) return [`has the status ${status}`];
      if (declared === undefined) return [`has the undeclared status ${status}`];
      return [
        ...bodyFaults(declared, answer),
        ...headerFaults(declared, answer),
        ...tagFaults(declared, answer),
      ];
    },
  };
}

/** Follows a reference to a component. */
function resolve<T extends object>(document: OpenApiDocument, value: T): T {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value;
  const found = $ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, step) => (at as Record<string, unknown>)[step], document as unknown);
  return found as T;
}

const indexes = new WeakMap<OpenApiDocument, ReadonlyMap<string, Operation>>();

function operationsById(document: OpenApiDocument): ReadonlyMap<string, Operation> {
  const known = indexes.get(document);
  if (known) return known;
  const index = new Map(
    Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .map((operation) => [operation.operationId, operation] as const),
  );
  indexes.set(document, index);
  return index;
}
