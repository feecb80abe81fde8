import type { GrantEnd, GrantedTap, GrantLimits, NewGrant } from '../../core/access/live-grants.ts';
import { normalizeToken } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import type { GrantTapRow } from '../../store/access/grant-taps-table.ts';
import type { StoredGrant } from '../../store/access/grants-table.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPageBy } from '../shared/paging.ts';
import { change, type EngineParts, newId } from '../shared/parts.ts';
import { checkToken, recordPresentment } from './presentment.ts';

/** A token presented to one of our own readers, or to a serial board. */
export interface ReaderPresentment {
  /** Controller of the reader. */
  readonly controller: string;
  readonly authDevice: string;
  readonly token: string;
  /** What the reader sent, where it is more than the token. */
  readonly raw?: string;
  /** The reader's tap as declared in the configuration file; absent means every tap of the controller. */
  readonly tap?: { readonly name: string; readonly meterPort?: string };
}

type PresentmentResult =
  | { readonly kind: 'granted'; readonly grant: NewGrant }
  | { readonly kind: 'denied'; readonly reason: string };

/** Taps no longer opened by a grant; `isOver` when none is left. */
interface TapRelease {
  readonly grantId: string;
  readonly tapIds: readonly number[];
  readonly reason: GrantEnd;
  readonly isOver: boolean;
  readonly volumeMl: number;
}

/** A grant with its taps, for staff. */
export interface GrantView {
  readonly grant: StoredGrant;
  /** For grants at our own taps; the taps of a kegboard's grant are known only to the kegboard. */
  readonly taps: readonly GrantTapRow[];
}

/** Grants at taps whose relays are on this machine or on a serial board. */
export type Grants = ReturnType<typeof createGrants>;

/** Ends after 30 s without flow. */
const defaultLimits: GrantLimits = { maxVolumeMl: 0, maxDurationMs: 0, maxIdleMs: 30_000 };

/**
 * Default duration where the bar sets none, as on kegboards; the maximum equals the longest time a relay may
 * stay open.
 */
const defaultDurationMs = 300_000;
const longestGrantMs = 3_600_000;

export function createGrants(parts: EngineParts) {
  const { store, ids, settings, hooks } = parts;
  const configured = settings.grants ?? defaultLimits;
  const limits: GrantLimits = {
    ...configured,
    maxDurationMs: Math.min(configured.maxDurationMs || defaultDurationMs, longestGrantMs),
  };

  return {
    /**
     * Checks a token and stores the grant; opens nothing. The presentment is recorded either way. `beforeGrant`
     * ends other grants running on the taps and returns the moment from which the new grant counts.
     */
    present(
      { controller, authDevice, token, raw, tap }: ReaderPresentment,
      now: Moment,
      beforeGrant: (taps: readonly GrantedTap[]) => Moment = () => now,
    ): PresentmentResult {
      const result = store.transaction(() => {
        recordPresentment(store, { authDevice, token, device: controller, ...omitUndefined({ raw }) }, now);
        return checkToken(store, { authDevice, token }, now);
      });
      if ('reason' in result) return { kind: 'denied', reason: result.reason };
      const found = tap === undefined ? findTaps(store, controller) : findNamedTap(store, controller, tap);
      if (found.length === 0) return { kind: 'denied', reason: 'No tap is assigned to this reader yet' };
      const taps = found.filter(({ tapId }) => hooks.closedState(tapId) === null);
      if (taps.length === 0) return { kind: 'denied', reason: 'The line of this tap is closed for cleaning' };

      const from = beforeGrant(taps);
      const id = newId('g', ids);
      const { id: userId, username } = result.user;
      const { bootId, monoMs } = from;
      store.transaction(() => {
        // Whatever form the reader sent, the drinks are of the token.
        const { authDevice: ownDevice, tokenValue } = result.token;
        const identity = { id, device: controller, userId, authDevice: ownDevice, tokenValue };
        store.access.grants.add({ ...identity, bootId, grantedTimeMs: toKnownTimeMs(from) });
        for (const { tapId, meter, toggle } of taps) {
          store.access.grantTaps.add({ grantId: id, tapId, meter, toggle, bootId, monoMs });
        }
      });
      return { kind: 'granted', grant: { id, username, limits, taps } };
    },

    /** Records that taps were released. Idempotent. */
    release({ grantId, tapIds, reason, isOver, volumeMl }: TapRelease, now: Moment): void {
      store.transaction(() => {
        for (const tapId of tapIds) store.access.grantTaps.release(grantId, tapId, now.monoMs);
        if (!isOver) return;
        store.access.grantTaps.releaseAll(grantId, now.bootId, now.monoMs);
        store.access.grants.endOwn(grantId, reason, toKnownTimeMs(now));
        store.access.grants.setVolume(grantId, volumeMl);
      });
    },

    /**
     * The running grants that must end although no limit is reached, with the reason: closed by staff, token
     * disabled or deleted, one of its taps closed; account inactive.
     */
    findInvalidated(grantIds: readonly string[]): ReadonlyMap<string, GrantEnd> {
      const ends = new Map<string, GrantEnd>();
      for (const id of grantIds) {
        const grant = store.access.grants.byId(id);
        if (grant === null || grant.endedReason !== null || !isValid(store, grant)) ends.set(id, 'command');
        else if (!isActive(store, grant.username)) ends.set(id, 'user');
        else if (opensClosedTap(parts, id)) ends.set(id, 'command');
      }
      return ends;
    },

    /**
     * Ends grants left by the previous run, before anything is granted: an old grant never opens a tap again.
     * Returns how many.
     */
    endStale(now: Moment): number {
      return store.transaction(() => {
        const stale = store.access.grants.open();
        for (const { id } of stale) {
          store.access.grants.endOwn(id, 'restart', toKnownTimeMs(now));
          store.access.grantTaps.releaseAll(id, now.bootId, now.monoMs);
        }
        return stale.length;
      });
    },

    /** Ends the grants of a tap for staff; without a tap all of ours. Returns how many grants ended. */
    deauthorize({ tapId }: { readonly tapId?: number }, actor: Actor, now: Moment): number {
      return change(
        parts,
        () => {
          if (tapId !== undefined) requireFound(store.taps.byId(tapId), `tap ${tapId}`);
          const open =
            tapId === undefined
              ? store.access.grants.open().map(({ id }) => id)
              : findOpenGrants(store, tapId);
          for (const id of open) store.access.grants.endOwn(id, 'command', toKnownTimeMs(now));
          const subject = { kind: 'tap', id: tapId ?? 'all' };
          writeAudit(store, { actor, action: 'tap.deauthorized', subject, after: { grants: open } }, now);
          return open.length;
        },
        'operation',
      );
    },

    /** Logs that staff switched a relay manually: opened for so long, or closed with null. */
    recordManualSwitch(
      toggleId: number,
      opened: { readonly seconds: number; readonly ml?: number } | null,
      actor: Actor,
      now: Moment,
    ): void {
      const { name } = requireFound(store.taps.toggles.byId(toggleId), `flow toggle ${toggleId}`);
      const action = opened === null ? 'toggle.closed' : 'toggle.opened';
      const after = { name, ...(opened === null ? {} : opened) };
      store.transaction(() => {
        writeAudit(store, { actor, action, subject: { kind: 'flow_toggle', id: toggleId }, after }, now);
      });
    },

    /** Includes grants on kegboards. Newest first. */
    list: (page: PageRequest): Page<GrantView> =>
      readPageBy(
        page,
        store.access.grants.count(),
        (slice) =>
          store.access.grants.page(slice).map((grant) => ({
            grant,
            taps: grant.bootId === null ? [] : store.access.grantTaps.byGrant(grant.id),
          })),
        ({ grant }) => ({ id: grant.serial }),
      ),
  };
}

/**
 * The user of one of our own pours: the owner of the grant that ran on its meter while it flowed, whoever has
 * the token now.
 */
export function resolveGrantUser(
  store: Store,
  pour: Pick<EndedPour, 'meter' | 'bootId' | 'startedMonoMs' | 'durationMs'>,
): { readonly userId: number | null; readonly authToken: string | null } {
  const { meter, bootId, startedMonoMs: startMonoMs } = pour;
  const endMonoMs = startMonoMs + pour.durationMs;
  const grantId = store.access.grantTaps.covering({ meter, bootId, startMonoMs, endMonoMs });
  const grant = grantId === null ? null : store.access.grants.byId(grantId);
  if (grant === null) return { userId: null, authToken: null };
  const user = grant.username === null ? null : store.users.byName(grant.username);
  // The user was erased while the grant ran.
  if (grant.tokenValue === '') return { userId: null, authToken: null };
  const authToken = [...`${grant.authDevice}|${grant.tokenValue}`].slice(0, 256).join('');
  return { userId: user?.id ?? null, authToken };
}

/** Every tap with a meter or relay on that controller, as kegboards open all of their taps. */
function findTaps(store: Store, controllerName: string): readonly GrantedTap[] {
  const controller = store.controllers.byName(controllerName);
  if (controller === null) return [];
  const isOwn = (part: { readonly controllerId: number } | null) => part?.controllerId === controller.id;
  return store.taps
    .all()
    .filter(({ id }) => isOwn(store.taps.meters.byTap(id)) || isOwn(store.taps.toggles.byTap(id)))
    .map(({ id }) => toGrantedTap(store, id));
}

/**
 * Finds a tap by its declaration in the configuration file, whatever its current name; else by its current
 * name.
 */
function findNamedTap(
  store: Store,
  controller: string,
  { name, meterPort }: NonNullable<ReaderPresentment['tap']>,
): readonly GrantedTap[] {
  const key = meterPort === undefined ? `tap ${name}` : `meter ${controller}.${meterPort}`;
  const declared = store.taps.declared(key)?.tapId ?? null;
  const tapId = declared ?? store.taps.all().find((tap) => tap.name === name)?.id ?? null;
  return tapId === null ? [] : [toGrantedTap(store, tapId)];
}

function toGrantedTap(store: Store, tapId: number): GrantedTap {
  const meter = store.taps.meters.byTap(tapId);
  const toggle = store.taps.toggles.byTap(tapId);
  return {
    tapId,
    meter: meter?.name ?? null,
    toggle: toggle?.name ?? null,
    ticksPerMl: meter?.ticksPerMl ?? null,
  };
}

const findOpenGrants = (store: Store, tapId: number): readonly string[] => [
  ...new Set(store.access.grantTaps.openByTap(tapId)),
];

function isActive(store: Store, username: string | null): boolean {
  return username !== null && (store.users.byName(username)?.isActive ?? false);
}

/** Whether the grant is open at a tap that is closed. */
const opensClosedTap = ({ store, hooks }: EngineParts, grantId: string): boolean =>
  store.access.grantTaps
    .byGrant(grantId)
    .some(({ tapId, isOpen }) => isOpen && tapId !== null && hooks.closedState(tapId) !== null);

/**
 * Whether the token still opens taps. Its current owner does not matter: the tap was opened for the previous
 * bearer.
 */
function isValid(store: Store, { authDevice, tokenValue }: StoredGrant): boolean {
  const { device, value } = normalizeToken(authDevice, tokenValue);
  return store.access.tokens.find(device, value)?.enabled ?? false;
}

const toKnownTimeMs = (now: Moment): number | null =>
  now.synced ? Math.max(0, Math.round(now.wallMs)) : null;
