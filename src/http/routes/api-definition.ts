import type { IncomingMessage } from 'node:http';
import type Type from 'typebox';
import type { AppError } from '../../core/app-error.ts';
import type { BodyReader } from '../body/read-body.ts';
import type { Route } from './route.ts';
import type { RetiredPath } from './route-table.ts';

/** How a face wraps success and failure, and how the printed document says so. */
export interface WireForm {
  /** Names the view of a route that this form shows. */
  readonly name: string;
  ok(value: unknown): unknown;
  okSchema(body: Type.TSchema): Type.TSchema;
  fail(error: AppError): { readonly status: number; readonly body: unknown };
  readonly failSchema: Type.TSchema;
  /** Headers of answers in this form; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** What is done with the printed answer last. */
  readonly wrap?: (json: string) => string;
}

/** One age of the interface, as data. Editions share atoms and the engine, never one another's objects. */
export interface ApiDefinition {
  readonly name: string;
  readonly title: string;
  /** `/api/v1`; no slash at the end. */
  readonly prefix: string;
  /** On every answer, whatever its status. */
  readonly headers: Readonly<Record<string, string>>;
  readonly routes: readonly Route[];
  readonly retired: readonly RetiredPath[];
  /** Media types read here; the rest is `wrong_media`. */
  readonly bodyReaders: readonly BodyReader[];
  /** Read in their place where a route takes files; absent where the usual ones read files too. */
  readonly fileReaders?: readonly BodyReader[];
  /** True when texts and nulls inside JSON are read by the rules of forms, as patient old faces do. */
  readonly lenientJson: boolean;
  /** True when `Authorization: Basic api:<key>` carries a key here. */
  readonly basicKeys: boolean;
  /** Where a login counts beside a key: on every route, or where the site's privacy decides. Absent, nowhere. */
  readonly logins?: 'everywhere' | 'viewer';
  /** True when those nobody knows are told to wait until the house is set up. */
  readonly requiresSetUp?: boolean;
  /** All wire forms; the first is the usual one. */
  readonly forms: readonly WireForm[];
  /** Chosen for each request, before anything else is known of it. */
  formFor(request: IncomingMessage): WireForm;
}

/** Whether a login lets anybody in on a route. */
export const acceptsLogins = ({ logins }: ApiDefinition, { access }: Pick<Route, 'access'>): boolean =>
  logins === 'everywhere' || (logins === 'viewer' && access === 'viewer');

/** What reads the bodies of a route. */
export const bodyReadersFor = (
  { bodyReaders, fileReaders }: ApiDefinition,
  { accepts }: Route,
): readonly BodyReader[] => (accepts.files === undefined ? bodyReaders : (fileReaders ?? bodyReaders));
