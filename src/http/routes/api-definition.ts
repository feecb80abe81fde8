import type { IncomingMessage } from 'node:http';
import type Type from 'typebox';
import type { OperationExamples } from '../openapi/examples.ts';
import type { BodyReader } from '../pipeline/body/read-body.ts';
import type { RetiredPath } from '../pipeline/route-table.ts';
import type { ReplyFormat } from './reply-format.ts';
import type { Route } from './route.ts';

/** An operation that another handler answers, for the OpenAPI document: a `POST` of JSON with its own replies. */
export interface OtherOperation {
  readonly id: string;
  /** The whole path. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly request: Type.TSchema;
  /** Bodies of a request and its reply, by name; tests send them. */
  readonly examples: OperationExamples;
  /** By status. */
  readonly replies: Readonly<Record<number, { readonly description: string; readonly body: Type.TSchema }>>;
}

/** One HTTP API as data. APIs share schema atoms and the engine, never each other's objects. */
export interface ApiDefinition {
  readonly name: string;
  readonly title: string;
  /** `/api/v1`, without a trailing slash. */
  readonly prefix: string;
  /** Headers of every answer, whatever its status. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts for the OpenAPI document, in Markdown. */
  readonly about: {
    readonly summary: string;
    readonly description: string;
    /** One sentence for each tag, in the order of the document; a route's tag is the first part of its path. */
    readonly tags: Readonly<Record<string, string>>;
  };
  readonly routes: readonly Route[];
  /** The feature whose address this is, relative to the prefix; null for an address of the base. */
  findFeature?(path: string): string | null;
  /** Operations of other handlers that its document contains. */
  readonly otherOperations?: readonly OtherOperation[];
  readonly retired: readonly RetiredPath[];
  /** Accepted media types; others are `wrong_media`. */
  readonly bodyReaders: readonly BodyReader[];
  /** Used instead on routes that accept files; absent if `bodyReaders` reads files too. */
  readonly fileReaders?: readonly BodyReader[];
  /** True if texts and nulls in JSON are converted like form values, for legacy clients. */
  readonly lenientJson: boolean;
  /**
   * True if hidden characters in texts are removed before validation, for legacy clients, which cannot correct them.
   * Otherwise the engine refuses them in what is stored.
   */
  readonly removesHiddenCharacters?: boolean;
  /** True if query parameters that a route does not declare are an error; legacy clients send unused ones. */
  readonly refusesUnknownQuery?: boolean;
  /** True if the answers of writes with an `Idempotency-Key` are kept, so that a repetition changes nothing. */
  readonly keepsAnswers?: boolean;
  /** True if the key may be a field of the body on every route, for legacy clients. Such a body is read before its sender is known. */
  readonly keysInBodies?: boolean;
  /** True if `Authorization: Basic api:<key>` is accepted. */
  readonly basicKeys: boolean;
  /** Where a login is accepted beside a key: on every route, or on `viewer` routes. Absent: nowhere. */
  readonly logins?: 'everywhere' | 'viewer';
  /**
   * True if reads have entity tags: `If-None-Match` is answered 304, and `If-Match` is checked before a write.
   */
  readonly entityTags?: boolean;
  /** True if pages of the listed origins (`http.cors_origins`) may use the API. */
  readonly crossOrigin?: boolean;
  /** True if unauthenticated callers must wait until the site is set up. */
  readonly requiresSetUp?: boolean;
  /** All reply formats; the first is the default. */
  readonly formats: readonly ReplyFormat[];
  /** Chooses the format of the reply before anything else is known. */
  formatFor(request: IncomingMessage): ReplyFormat;
  /**
   * Returns a sentence for the error of a request for which the API has no address, method or media type: null unless its
   * sender seems to take this API for another one.
   */
  hintFor?(request: IncomingMessage): string | null;
}

/** Appends the API's hint for the request to an error's message. */
export function withHint(message: string, { hintFor }: ApiDefinition, request: IncomingMessage): string {
  const hint = hintFor?.(request) ?? null;
  return hint === null ? message : `${message} ${hint}`;
}

/** True if a route accepts a login. */
export const acceptsLogins = ({ logins }: ApiDefinition, { access }: Pick<Route, 'access'>): boolean =>
  logins === 'everywhere' || (logins === 'viewer' && access === 'viewer');

/** True if the key may be a field of the route's body. */
export const acceptsKeyInBody = ({ keysInBodies }: ApiDefinition, { keyInBody }: Route): boolean =>
  keysInBodies === true || keyInBody === true;

/** Returns the body readers of a route. */
export const bodyReadersFor = (
  { bodyReaders, fileReaders }: ApiDefinition,
  { accepts }: Route,
): readonly BodyReader[] => (accepts.files === undefined ? bodyReaders : (fileReaders ?? bodyReaders));
