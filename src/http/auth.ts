import type { IncomingMessage } from 'node:http';
import { KegError } from '../core/keg-error.ts';
import type { User } from '../core/ledger.ts';
import type { Moment } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import { isForeignOrigin, isFromThisMachine, namesThisHouse, namesThisHouseOrAddress } from './origin.ts';
import type { Access, Fields } from './route.ts';

/** Longer than any key we give out; a longer text is not worth hashing. */
const longestKey = 256;

/** Where a key may lie in one request. */
export interface KeyCarriers {
  readonly request: IncomingMessage;
  readonly body: Fields;
  readonly query: Fields;
  /** True when `Authorization: Basic api:<key>` counts. */
  readonly basic: boolean;
}

/** The key a request carries; the first found wins: header, field, query, Bearer, Basic. */
export function keyOf({ request, body, query, basic }: KeyCarriers): string | null {
  const { 'x-kegbot-api-key': header, authorization = '' } = request.headers;
  const candidates = [header, body.api_key, query.api_key, bearerKey(authorization)];
  if (basic) candidates.push(basicKey(authorization));
  for (const candidate of candidates) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate.trim();
  }
  return null;
}

/** What deciding on a request needs to know. */
export interface Admission {
  readonly engine: Engine;
  readonly request: IncomingMessage;
  readonly key: string | null;
  readonly now: Moment;
  /** Names under which this house is reached, beside its own host name. */
  readonly hosts: readonly string[];
}

/** Lets a request in, with the owner of its key if any is known, or throws `no_key`, `bad_key`, `not_allowed`. */
export function admit(access: Access, admission: Admission): User | null {
  switch (access) {
    case 'open':
      return knownOwner(admission);
    case 'viewer':
      return admitViewer(admission);
    case 'key':
      return ownerOf(admission);
    case 'staff':
      return mustBeStaff(ownerOf(admission));
    case 'loopback':
      return admitLoopback(admission);
    case 'same-origin':
      return admitSameOrigin(admission);
  }
}

function admitViewer(admission: Admission): User | null {
  switch (admission.engine.people.site().privacy) {
    case 'public':
      return knownOwner(admission);
    case 'members':
      return ownerOf(admission);
    case 'staff':
      return mustBeStaff(ownerOf(admission));
  }
}

function admitLoopback(admission: Admission): User | null {
  if (admission.key !== null) return mustBeStaff(ownerOf(admission));
  const { request, hosts } = admission;
  if (!isFromThisMachine(request)) {
    throw new KegError('no_key', 'Only this machine itself may do that without a key. Send a staff key.');
  }
  if (!namesThisHouse(request, hosts) || isForeignOrigin(request)) {
    throw new KegError('not_allowed', 'A page of another site may not do that here.');
  }
  return null;
}

function admitSameOrigin({ request, hosts }: Admission): null {
  if (isForeignOrigin(request)) {
    throw new KegError('not_allowed', 'A page of another site may not do that here.');
  }
  if (!namesThisHouseOrAddress(request, hosts)) {
    throw new KegError('not_allowed', 'Open the page by this machine’s own name or address, then try again.');
  }
  return null;
}

/** Where nobody needs a key, a good one still says who asks; a wrong one says nothing. */
function knownOwner({ engine, key, now }: Admission): User | null {
  if (key === null || key.length > longestKey) return null;
  const found = engine.people.byKey(key, now);
  return 'user' in found ? found.user : null;
}

function ownerOf({ engine, key, now }: Admission): User {
  if (key === null) throw new KegError('no_key', 'An API key is needed here, and none was sent.');
  const found = key.length <= longestKey ? engine.people.byKey(key, now) : ({ refused: 'unknown' } as const);
  if ('user' in found) return found.user;
  const why =
    found.refused === 'inactive' ? 'This API key or its owner is switched off.' : 'Nobody has this API key.';
  throw new KegError('bad_key', why);
}

function mustBeStaff(user: User): User {
  if (user.isStaff || user.isSuperuser) return user;
  throw new KegError('not_allowed', 'This needs the key of a staff member.');
}

function bearerKey(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** User name `api`, the key as password. */
function basicKey(authorization: string): string | undefined {
  const packed = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (packed === undefined) return undefined;
  const text = Buffer.from(packed, 'base64').toString('utf8');
  return text.startsWith('api:') ? text.slice('api:'.length) : undefined;
}
