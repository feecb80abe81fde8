import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import {
  type Actor,
  type ActorContext,
  type Engine,
  type Tablet,
  toActor,
  toTabletActor,
  type Upload,
} from '../../engine/engine.ts';
import type { Log } from '../ports.ts';

/** The context of a handler. */
export interface RouteContext {
  readonly engine: Engine;
  /** The time of the request. */
  readonly now: Moment;
  /** Owner of the key or login; null if the route needs none and none was sent. */
  readonly user: User | null;
  /** Id of the login; null without a login, or if a key was used. */
  readonly login: number | null;
  /** The shared tablet, if neither login nor key was used; `user` is then the one who entered their PIN. */
  readonly tablet: Tablet | null;
  /** Address of the client; a forwarded address is used only behind a trusted proxy. */
  readonly address: string;
  /**
   * Base URL of this server, `http://bar.local:8080`, if the request proves it; else null. Never a name that only the
   * client claims.
   */
  readonly ownAddress: string | null;
  /** True if the request came over HTTPS, also through a trusted proxy. */
  readonly isSecure: boolean;
  /** True if this server itself received the request over HTTPS. */
  readonly isOverOwnTls: boolean;
  /** Base URL of this server over HTTPS for the browser of the request; null while HTTPS is not served. */
  readonly httpsAddress: string | null;
  /** True if secrets in plain HTTP are refused for this client. */
  readonly mustUseHttps: boolean;
  /** Over HTTPS: ends the login over plain HTTP that this browser has beside, and removes its cookie. */
  endPlainLogin(): void;
  /** Sets the login cookie (the token of `logins.open`), or removes it. */
  setLogin(token: string | null): void;
  /** Sets the cookie of a shared tablet (the token of `tablets.enrol`), or removes it. */
  setTablet(token: string | null): void;
  /** True if the request would still be allowed now; for long-running answers. */
  isStillAllowed(): boolean;
  /** True if the requester is now staff, a superuser, or a shared tablet, on which staff act by their PINs. */
  actsAsStaff(): boolean;
  /** Throws unless the requester has a login and has entered its password again within five minutes. */
  requireConfirmedLogin(): void;
  /**
   * Throws unless the requester is a superuser by login who has entered the password again within five minutes; for a route
   * of which only some fields need it.
   */
  requireConfirmedSuperuser(): void;
  /**
   * Throws `precondition_failed` unless `If-Match` still names what the request is about to change. The pipeline calls it before
   * each handler of a write; a handler that waits calls it again right before it writes.
   */
  requireUnchanged(): void;
  /** For programmers: what the answer does not say. */
  readonly log: Log;
  /** Keeps an uploaded file beyond the answer; the caller discards it. */
  keepUpload(upload: Upload): void;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Returns the address of this request, path and query, with some query parameters changed or, if undefined, removed.
   * Never contains the API key.
   */
  addressWith(changes: Readonly<Record<string, string | undefined>>): string;
}

/** Returns the actor of an authenticated request: the user, and whether by key, page or tablet. */
export function requestActor({
  user,
  login,
  tablet,
}: Pick<RouteContext, 'user' | 'login' | 'tablet'>): Actor {
  if (user === null) throw new Error('The route must require an authenticated user.');
  if (tablet !== null) return toTabletActor(user, tablet.name);
  return toActor(user, login === null ? 'key' : 'page');
}

/** Returns who makes a change, and when. The route must require an authenticated user. */
export const actorContext = (
  context: Pick<RouteContext, 'user' | 'login' | 'tablet' | 'now'>,
): ActorContext => ({
  actor: requestActor(context),
  now: context.now,
});

/** Returns the base URL for links in mails: the setting, else the address of the request, else null. */
export const siteAddress = ({ engine, ownAddress }: Pick<RouteContext, 'engine' | 'ownAddress'>) =>
  engine.notifications.mail.settings().baseUrl || ownAddress;

/** As `siteAddress`, but throws `conflict` when no address is known. */
export function requireSiteAddress(context: Pick<RouteContext, 'engine' | 'ownAddress'>): string {
  const address = siteAddress(context);
  if (address !== null) return address;
  throw new AppError(
    'conflict',
    'Links in mails need the address of this server. Ask staff to set it (`base_url`), or open the page by the machine’s own name.',
    { reason: { name: 'no_site_address' } },
  );
}
