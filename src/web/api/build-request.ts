import type { Files, Operations } from './operations.ts';

type AnyOperation = Operations & Files;

/** One thing a caller gives; it may be left out where nothing in it is needed. */
type InputPart<Operation, Name extends string> = Name extends keyof Operation
  ? Partial<Operation[Name]> extends Operation[Name]
    ? { readonly [N in Name]?: Operation[Name] }
    : { readonly [N in Name]: Operation[Name] }
  : { readonly [N in Name]?: never };

/** What a caller gives with an operation: the places of its path, the query and the body. */
export type OperationInput<O extends keyof AnyOperation> = InputPart<AnyOperation[O], 'path'> &
  InputPart<AnyOperation[O], 'query'> &
  InputPart<AnyOperation[O], 'body'>;

/** As an argument: it may be left out where nothing has to be given. */
export type OperationArguments<O extends keyof AnyOperation> =
  Partial<OperationInput<O>> extends OperationInput<O>
    ? readonly [given?: OperationInput<O>]
    : readonly [given: OperationInput<O>];

/** The same with its types folded away. */
interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** The method of an operation, its address below `/api` with every place filled, and the body. */
export function buildRequest(operation: string, input: readonly unknown[]) {
  const [{ path = {}, query = {}, body } = {}] = input as readonly [RequestParts?];
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return { method, address: search.size > 0 ? `${filled}?${search}` : filled, body };
}
