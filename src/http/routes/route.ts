import type { IncomingMessage, ServerResponse } from 'node:http';
import type Type from 'typebox';
import type { Static } from 'typebox';
import type { Moment } from '../../core/moment.ts';
import type { User } from '../../core/records.ts';
import type { Engine, Tablet, Upload } from '../../engine/engine.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call a route. Judged before anything is looked up, so that a refusal tells nothing about what exists. */
export type Access =
  | 'open' // everybody, on a private site too
  | 'viewer' // what the site's privacy says: everybody, everybody known, or the staff
  | 'member' // everybody known, by a key or a login, whatever the site's privacy
  | 'staff' // staff members and superusers, by a key or a login; by their PIN where the route says so
  | 'tablet' // a shared tablet of the house itself, whoever stands before it
  | 'setup' // everybody who has the code, and nobody once the house is set up
  | 'loopback' // a program or page on this very machine; from elsewhere the staff
  | 'same-origin'; // everybody, but no page of a foreign site

/** What an attempt is counted as: names with passwords, codes, or what makes the house write to somebody. */
export type Attempt = 'login' | 'code' | 'mail';

/** What a request may carry. Params and query are texts, read by the rules of forms. */
export interface Accepts {
  readonly params?: Type.TObject;
  readonly query?: Type.TObject;
  readonly body?: Type.TObject;
  /** Names of the files a multipart body may bring; others are dropped. */
  readonly files?: readonly string[];
}

/** A file too large to be taken from just anybody: what comes before it in the body says whether it is. */
export interface LargeFile {
  /** Bytes; less where the disk has less room. */
  readonly maxBytes: number;
  /** Looks at the fields before the file, and throws what the route itself would. Counts as the route's attempt. */
  checkFields(before: Fields): void;
}

type Read<S> = S extends Type.TSchema ? Static<S> : Record<string, never>;

/** What the handler is given: checked, converted and typed by the schemas of `accepts`. */
export interface RouteInput<A extends Accepts> {
  readonly params: Read<A['params']>;
  readonly query: Read<A['query']>;
  readonly body: Read<A['body']>;
  /** By name; they are cleared away after the answer. */
  readonly files: ReadonlyMap<string, Upload>;
}

/** The handler's surroundings. */
export interface RouteContext {
  readonly engine: Engine;
  /** The instant the request is answered for. */
  readonly now: Moment;
  /** Owner of the key or the login; null where none was needed and none was sent. */
  readonly user: User | null;
  /** The login the request came by; null without one, and where a key decided. */
  readonly login: number | null;
  /** The shared tablet the request came from, where no login and no key decided; `user` has then typed their PIN. */
  readonly tablet: Tablet | null;
  /** Where the request comes from, as far as it can be believed. */
  readonly address: string;
  /**
   * What links to this house begin with, `http://bar.local:8080`, as far as the request shows it beyond doubt; else
   * null. Never what somebody only claims.
   */
  readonly ownAddress: string | null;
  /** Gives the browser a login to keep (the token of `logins.open`), or takes it away. */
  setLogin(token: string | null): void;
  /** Makes the browser a shared tablet (the token of `tablets.enrol`), or an ordinary one again. */
  setTablet(token: string | null): void;
  /** Whether who asks would be let in now as well: for answers that go on for long. */
  isStillAllowed(): boolean;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** How a result looks in one wire form. */
export interface View<R> {
  readonly body: Type.TSchema;
  show(result: R): unknown;
}

/** A view whose function must give what its schema says. */
export const view = <R, S extends Type.TSchema>(body: S, show: (result: R) => Static<S>): View<R> => ({
  body,
  show,
});

/** Fields of a body before they are checked. */
export type Fields = Readonly<Record<string, unknown>>;

interface RouteDeclaration<A extends Accepts> {
  /** Unique within its edition; the operation's name in the printed document. */
  readonly id: string;
  readonly method: Method;
  /** Below the edition's prefix, `/taps/{ref}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** True for what staff may also do, or look at, by their PIN on a shared tablet: what every night needs. */
  readonly byPin?: boolean;
  /** True for what a house answers to everybody before it is set up. */
  readonly allowedBeforeSetUp?: boolean;
  /** Failures are counted by address, letters whatever comes of them; too many in a while are refused unheard. */
  readonly attempt?: Attempt;
  readonly accepts: A;
  /** Where the file may be larger than any picture. */
  readonly largeFile?: LargeFile;
  /** Drops what this body's own rules say is not even to be looked at; runs before the schema is applied. */
  readonly tidyBody?: (fields: Fields) => Fields;
}

/** An answer in JSON, wrapped by the edition's wire form. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  /**
   * The unchanging thing that alone decides the answer: for the same one it is printed once. Absent where every answer
   * is new.
   */
  readonly cacheKey?: ((result: never) => object) | undefined;
  /** By the wire form's name; `any` serves every form that is not named. */
  readonly views: Readonly<Record<string, View<never>>>;
  run(context: RouteContext, input: RouteInput<Accepts>): unknown;
}

/** An answer the route writes itself: a stream of events, a document. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly mediaType: string;
  /** Further ones that a parameter may ask for. */
  readonly otherMediaTypes: readonly string[];
  send(
    context: RouteContext,
    exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
    input: RouteInput<Accepts>,
  ): void | Promise<void>;
}

/** A declared route, its types folded away. */
export interface Route extends RouteDeclaration<Accepts> {
  readonly answer: JsonAnswer | RawAnswer;
}

/** Declares a route whose answer looks the same in every wire form of its edition. */
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

/** Declares a route that finds one result and shows it in each wire form of its edition. */
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
    send(
      context: RouteContext,
      exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
      input: RouteInput<A>,
    ): void | Promise<void>;
  },
): Route {
  const { mediaType, otherMediaTypes = [], send, ...declared } = route;
  return {
    ...declared,
    answer: { kind: 'raw', mediaType, otherMediaTypes, send: send as RawAnswer['send'] },
  };
}
