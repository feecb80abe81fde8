import type { Files, Operations } from './operations.ts';

type Every = Operations & Files;

/** One thing a caller gives; it may be left out where nothing in it is needed. */
type Member<Of, Name extends string> = Name extends keyof Of
  ? Partial<Of[Name]> extends Of[Name]
    ? { readonly [N in Name]?: Of[Name] }
    : { readonly [N in Name]: Of[Name] }
  : { readonly [N in Name]?: never };

/** What a caller gives with an operation: the places of its path, the query and the body. */
export type Given<O extends keyof Every> = Member<Every[O], 'path'> &
  Member<Every[O], 'query'> &
  Member<Every[O], 'body'>;

/** As an argument: it may be left out where nothing has to be given. */
export type GivenTo<O extends keyof Every> =
  Partial<Given<O>> extends Given<O> ? readonly [given?: Given<O>] : readonly [given: Given<O>];

/** The same with its types folded away. */
interface Parts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** The method of an operation, its address below `/api` with every place filled, and the body. */
export function requestFor(operation: string, given: readonly unknown[]) {
  const [{ path = {}, query = {}, body } = {}] = given as readonly [Parts?];
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(path[name])));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  return { method, address: asked.size > 0 ? `${filled}?${asked}` : filled, body };
}
