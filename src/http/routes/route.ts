import type { IncomingMessage, ServerResponse } from 'node:http';
import type Type from 'typebox';
import type { Static } from 'typebox';
import type { AppErrorCode } from '../../core/app-error.ts';
import type { Refusals } from '../../core/reasons.ts';
import type { Upload } from '../../engine/engine.ts';
import type { CredentialWrite } from './credential-proof.ts';
import type { RouteContext } from './route-context.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call a route. Decided before any look-up, so that a refusal does not reveal what exists. */
export type Access =
  | 'open' // everybody, also on a private site
  | 'viewer' // by the site's privacy: everybody, authenticated users, or staff
  | 'member' // authenticated users by key or login, whatever the site's privacy
  | 'viewing-member' // authenticated users by key or login who may see the site by its privacy
  | 'staff' // staff and superusers by key or login; by PIN if the route has `byPin`
  | 'superuser' // superusers by key or login
  | 'confirmed-superuser' // superusers by login who have entered their password again within five minutes
  | 'tablet' // a shared tablet
  | 'setup' // everybody with the set-up code, nobody once the site is set up
  | 'loopback' // a program or page on this machine; from elsewhere staff
  | 'same-origin'; // everybody except pages of a foreign site

/** How an attempt is counted: log-ins, codes, or requests that send a mail. */
export type Attempt = 'login' | 'code' | 'mail';

/** Schemas of a request. Path parameters and query are texts, converted like form values. */
export interface Accepts {
  readonly params?: Type.TObject;
  readonly query?: Type.TObject;
  readonly body?: Type.TObject;
  /** Field names of the files that a multipart body may have; others are discarded. */
  readonly files?: readonly string[];
  /** True if the request is accepted without files that do not fit or cannot be stored; they are named in `leftOutFiles`. */
  readonly areFilesOptional?: boolean;
}

/** A large file, accepted only after the fields before it in the body have been checked. */
interface LargeFile {
  /** Maximum size in bytes; less when the disk has less free space. */
  readonly maxBytes: number;
  /** Checks the fields before the file and throws the route's error. Counts as the route's attempt. */
  checkFields(before: Fields): void;
}

type Read<S> = S extends Type.TSchema ? Static<S> : Record<string, never>;

/** The handler's input: validated, converted and typed by the schemas of `accepts`. */
export interface RouteInput<A extends Accepts> {
  readonly params: Read<A['params']>;
  readonly query: Read<A['query']>;
  readonly body: Read<A['body']>;
  /** Uploaded files by field name; deleted after the answer. */
  readonly files: ReadonlyMap<string, Upload>;
  /** Optional files that were left out by field name, and why. */
  readonly leftOutFiles: ReadonlyMap<string, string>;
}

/** The representation of a result in one reply format. */
export interface View<R> {
  readonly body: Type.TSchema;
  show(result: R): unknown;
}

/** Creates a view whose function is typed by its schema. */
export const view = <R, S extends Type.TSchema>(body: S, show: (result: R) => Static<S>): View<R> => ({
  body,
  show,
});

/** Fields of a body before validation. */
export type Fields = Readonly<Record<string, unknown>>;

interface RouteDeclaration<A extends Accepts> {
  /** Unique within its API; the `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  /** Relative to the API's prefix, `/taps/{ref}`. */
  readonly path: string;
  /** One line, imperative, without a full stop. */
  readonly summary: string;
  /** What the operation does and what a client should know, one paragraph or more, Markdown. */
  readonly description?: string;
  readonly access: Access;
  /** True if staff may also use the route by PIN on a shared tablet: for daily work at the bar. */
  readonly byPin?: boolean;
  /** True if the log-in of a demo may read it, although not what else is below that path. */
  readonly isShownInDemo?: boolean;
  /** True if the key may be a field of the body, where the API does not permit it on every route. */
  readonly keyInBody?: boolean;
  /**
   * `https` if the route carries a secret, other than a password that counts as an attempt to log in, or the code of the set-up;
   * `any` if plain HTTP is never refused. By default it is refused, where HTTPS is required, for what staff change.
   */
  readonly transport?: 'https' | 'any';
  /** True if the route answers everybody before the site is set up. */
  readonly allowedBeforeSetUp?: boolean;
  /**
   * True if the route stores the `Idempotency-Key` with what it records. On the other routes of an API with `keepsAnswers`
   * the answers themselves are kept for some minutes.
   */
  readonly storesIdempotencyKey?: boolean;
  /** Set if the route writes a credential: what it needs besides `access`. The pipeline refuses requests without it. */
  readonly writesCredential?: CredentialWrite;
  /** Limits the failures per address (of mails: all requests); beyond the limit requests are rejected unread. */
  readonly attempt?: Attempt;
  readonly accepts: A;
  /**
   * Errors that the handler throws by itself: reasons by code; a code without a named reason has an empty list. Those that
   * follow from the rest of the declaration are not repeated here, see `route-errors.ts`.
   */
  readonly errors?: { readonly [C in AppErrorCode]?: readonly (keyof Refusals)[] };
  /** Set if the file may be larger than a picture. */
  readonly largeFile?: LargeFile;
  /** Removes fields that the route ignores; runs before validation. */
  readonly removeIgnoredFields?: (fields: Fields) => Fields;
}

/** A JSON answer, wrapped by the API's reply format. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  /**
   * Returns the immutable object on which alone the answer depends: the answer is serialized once per object. Absent
   * if answers are not cached.
   */
  readonly cacheKey?: ((result: never) => object) | undefined;
  /** By name of the reply format; `any` is used for formats that are not listed. */
  readonly views: Readonly<Record<string, View<never>>>;
  run(context: RouteContext, input: RouteInput<Accepts>): unknown;
}

/** An answer that the route writes itself: an event stream, a document. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly mediaType: string;
  /** Further media types that a parameter may select. */
  readonly otherMediaTypes: readonly string[];
  /** True if the answer has an `ETag` where the API has entity tags. */
  readonly hasEntityTag: boolean;
  /** The data of an event stream by name of the event. */
  readonly events?: Readonly<Record<string, Type.TSchema>> | undefined;
  send(
    context: RouteContext,
    exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
    input: RouteInput<Accepts>,
  ): void | Promise<void>;
}

/** A declared route without its type parameters. */
export interface Route extends RouteDeclaration<Accepts> {
  readonly answer: JsonAnswer | RawAnswer;
}

/** Declares a route whose answer is the same in every reply format of its API. */
export function defineRoute<A extends Accepts, B extends Type.TSchema>(
  route: RouteDeclaration<A> & {
    readonly replies: { readonly status: number; readonly body: B };
    run(context: RouteContext, input: RouteInput<A>): Static<B> | Promise<Static<B>>;
  },
): Route {
  const { replies, run, ...declared } = route;
  const views = { any: { body: replies.body, show: (result: never) => result } };
  return {
    ...declared,
    answer: { kind: 'json', status: replies.status, views, run: run as JsonAnswer['run'] },
  };
}

/** Declares a route with one view of its result for each reply format of its API. */
export function defineViewedRoute<A extends Accepts, R>(
  route: RouteDeclaration<A> & {
    readonly status: number;
    run(context: RouteContext, input: RouteInput<A>): R | Promise<R>;
    /** See `JsonAnswer`. */
    readonly cacheKey?: (result: NoInfer<R>) => object;
    readonly views: Readonly<Record<string, View<NoInfer<R>>>>;
  },
): Route {
  const { status, run, views, cacheKey, ...declared } = route;
  return {
    ...declared,
    answer: {
      kind: 'json',
      status,
      cacheKey,
      views: views as JsonAnswer['views'],
      run: run as JsonAnswer['run'],
    },
  };
}

/** Declares a route that writes its own answer. */
export function defineRawRoute<A extends Accepts>(
  route: RouteDeclaration<A> & {
    readonly mediaType: string;
    readonly otherMediaTypes?: readonly string[];
    readonly hasEntityTag?: boolean;
    readonly events?: RawAnswer['events'];
    send(
      context: RouteContext,
      exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
      input: RouteInput<A>,
    ): void | Promise<void>;
  },
): Route {
  const { mediaType, otherMediaTypes = [], hasEntityTag = false, events, send, ...declared } = route;
  return {
    ...declared,
    answer: {
      kind: 'raw',
      mediaType,
      otherMediaTypes,
      hasEntityTag,
      events,
      send: send as RawAnswer['send'],
    },
  };
}
