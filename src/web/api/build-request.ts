import type { Files, Operations } from './generated.ts';

type AnyOperation = Operations & Files;

/** One part of an operation's input. It is optional when all its members are optional. */
type InputPart<Operation, Name extends string> = Name extends keyof Operation
  ? Partial<Operation[Name]> extends Operation[Name]
    ? { readonly [N in Name]?: Operation[Name] }
    : { readonly [N in Name]: Operation[Name] }
  : { readonly [N in Name]?: never };

/** Input of an operation: path parameters, query and body. */
export type OperationInput<O extends keyof AnyOperation> = InputPart<AnyOperation[O], 'path'> &
  InputPart<AnyOperation[O], 'query'> &
  InputPart<AnyOperation[O], 'body'>;

/** Argument list of the input and what follows it; the input is optional when nothing in it is required. */
export type OperationArguments<O extends keyof AnyOperation, Options = never> =
  Partial<OperationInput<O>> extends OperationInput<O>
    ? readonly [input?: OperationInput<O>, options?: Options]
    : readonly [input: OperationInput<O>, options?: Options];

/** The input without the types of the operation. */
interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/**
 * Returns the method of an operation, its address below `/api` with the path parameters filled in, and the
 * body.
 */
export function buildRequest(operation: string, { path = {}, query = {}, body }: RequestParts = {}) {
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return { method, address: search.size > 0 ? `${filled}?${search}` : filled, body };
}
