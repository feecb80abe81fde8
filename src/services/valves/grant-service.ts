import {
  type GrantEnd,
  type GrantedTap,
  type GrantRelease,
  LiveGrants,
  type NewGrant,
  type PresentedToken,
} from '../../core/access/live-grants.ts';
import { AppError } from '../../core/app-error.ts';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { BusEventOf, EventBus } from '../../core/event-bus.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Grants, ReaderPresentment } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';
import { EndedGrants } from './ended-grants.ts';
import { isFeature } from './feature-valves.ts';
import { GrantFlow } from './grant-flow.ts';
import { type ManualLimit, ManualOpenings, manualHolder } from './manual-openings.ts';
import { PresentedTokens } from './presented-tokens.ts';
import { relayStuck, type Valves } from './valves.ts';

/**
 * A relay that shuts itself at its volume limit is noticed before its last ticks arrive; when they take
 * longer, it is a fault.
 */
const earlyShutMs = 300;

/** A relay counts rejected edges too, so it may shut a little before the volume is reached. */
const nearlyFullShare = 0.8;

interface GrantServiceOptions {
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the database is closed. */
  readonly grants: () => Grants;
  readonly valves: Valves;
  /** The tap of a local reader; undefined for all taps of its controller. */
  readonly findTap: (reader: string) => ReaderPresentment['tap'];
  /** Ends the running pour of a meter. */
  readonly endPour: (meter: string) => void;
  readonly log: Logger;
}

/** Holders that are no grant. */
const isNoGrant = (holder: string): boolean => holder === manualHolder || isFeature(holder);

/**
 * Opens valves for presented tokens and ends their grants. Owns no timer: `everyHeartbeat` and `everySecond`
 * drive it.
 */
export class GrantService {
  readonly #options: GrantServiceOptions;
  readonly #live = new LiveGrants();
  readonly #recentTokens = new PresentedTokens();
  readonly #flow = new GrantFlow();
  readonly #ended: EndedGrants;
  /** Relays that shut by themselves, with the time when that was noticed. */
  readonly #earlyShuts = new Map<string, number>();
  readonly #manual: ManualOpenings;
  #isClosed = false;

  constructor(options: GrantServiceOptions) {
    this.#options = options;
    this.#ended = new EndedGrants(options.grants, options.log);
    this.#manual = new ManualOpenings(options.valves);
  }

  /** Subscribes to the events of readers, meters and database. Returns the unsubscribe function. */
  subscribe(): () => void {
    const { bus } = this.#options;
    const subscriptions = [
      bus.on('token.presented', (event) => this.#onPresented(event)),
      bus.on('token.removed', (event) => this.#onRemoved(event)),
      bus.on('pour.started', ({ meter, pourId }) => this.#countTicks(meter, pourId, 0)),
      bus.on('pour.flowing', ({ meter, pourId, ticks }) => this.#countTicks(meter, pourId, ticks)),
      bus.on('pour.ended', ({ pour }) => this.#countTicks(pour.meter, pour.pourId, pour.ticks)),
      bus.on('pour.dripped', ({ meter, pourId, ticks }) => this.#countTicks(meter, pourId, ticks)),
      bus.on('database.changed', () => this.#endRevoked()),
    ];
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  /**
   * Called every 50 ms: checks limits, relays that shut by themselves, and residual flow after ended grants.
   */
  everyHeartbeat(): void {
    const { monoMs } = this.#now();
    for (const release of this.#live.step(monoMs)) this.#release(release);
    for (const { toggle, holders } of this.#options.valves.poll()) {
      // One with a volume limit shuts by itself when it is reached.
      if (holders.includes(manualHolder) && !this.#manual.removeLimit(toggle))
        this.#options.valves.reportUnexpectedShut(toggle);
      this.#earlyShuts.set(toggle, monoMs);
    }
    for (const [toggle, sinceMonoMs] of [...this.#earlyShuts]) {
      if (monoMs - sinceMonoMs < earlyShutMs) continue;
      this.#earlyShuts.delete(toggle);
      this.#resolveEarlyShut(toggle);
    }
    for (const meter of this.#flow.takeFinished(monoMs)) this.#options.endPour(meter);
  }

  /** Called every second: stores ended grants that still wait, and ends grants that are no longer allowed. */
  everySecond(): void {
    this.#ended.store(this.#now());
    this.#endRevoked();
  }

  /**
   * Opens a relay for `ms` or until the meter of `limit` has counted its ticks, independently of any grant. Throws when it
   * cannot be switched.
   */
  openManually(toggle: string, ms: number, limit?: ManualLimit): void {
    this.#manual.open(toggle, this.#now().monoMs + ms, limit);
  }

  /**
   * Shuts a relay whatever it was opened for and ends its grant. Throws `unavailable` when it cannot be
   * switched.
   */
  shut(toggle: string): void {
    this.#manual.removeLimit(toggle);
    for (const release of this.#live.endToggle(toggle, 'command')) this.#release(release);
    if (this.#options.valves.shut(toggle)) return;
    throw new AppError('unavailable', relayStuck(toggle), {
      reason: { name: 'relay_stuck', relay: toggle },
    });
  }

  /** The open relays, with the seconds left at most and the grant. */
  open(): readonly {
    readonly toggle: string;
    readonly secondsLeft: number;
    readonly grantId: string | null;
    readonly manual: boolean;
  }[] {
    const { monoMs } = this.#now();
    const needs = this.#options.valves.needs();
    return [...new Set(needs.map(({ toggle }) => toggle))].map((toggle) => {
      const own = needs.filter((need) => need.toggle === toggle);
      const untilMonoMs = Math.max(...own.map((need) => need.untilMonoMs));
      return {
        toggle,
        secondsLeft: Math.max(0, Math.ceil((untilMonoMs - monoMs) / 1_000)),
        grantId: own.find(({ holder }) => !isNoGrant(holder))?.holder ?? null,
        manual: own.some(({ holder }) => isNoGrant(holder)),
      };
    });
  }

  /** Ends every grant, shuts every relay, and ignores tokens from now on. */
  close(): void {
    this.#isClosed = true;
    for (const release of this.#live.endAll('stopped')) this.#release(release);
    for (const { toggle } of this.#options.valves.needs()) this.#options.valves.shut(toggle);
    this.#ended.store(this.#now());
  }

  #onPresented(event: BusEventOf<'token.presented'>): void {
    const token = toToken(event);
    const now = this.#now();
    const isNew = this.#recentTokens.isNew(token, now.monoMs);
    if (this.#isClosed || this.#live.renew(token, now.monoMs) || !isNew) return;
    const { log, grants, findTap } = this.#options;
    const { controller, reader, device, value } = token;
    if (reader === undefined)
      this.#options.bus.publish({ type: 'token.reported', controller, device, value });
    const details = {
      controller,
      ...omitUndefined({ reader }),
      device,
      endsIn: value.slice(-4),
    };
    const tap = reader === undefined ? undefined : findTap(reader);
    try {
      const answer = grants().present(
        { controller, authDevice: device, token: value, ...omitUndefined({ tap, raw: event.raw }) },
        now,
        (taps) => this.#endPours(taps),
      );
      if (answer.kind === 'denied') log.info({ ...details, reason: answer.reason }, 'a token was denied');
      else this.#start(answer.grant, token);
    } catch (err) {
      log.warn({ ...details, err }, 'a token could not be checked; the taps stay shut');
    }
  }

  /**
   * Ends the running pours of taps that a new grant takes over: the flow until now belongs to the former
   * grant.
   */
  #endPours(taps: readonly GrantedTap[]): Moment {
    const grantedMeters = new Set(this.#live.all().flatMap((grant) => grant.taps.map(({ meter }) => meter)));
    for (const { meter } of taps) {
      if (meter === null) continue;
      const isResidual = this.#flow.endResidual(meter);
      if (isResidual || grantedMeters.has(meter)) this.#options.endPour(meter);
    }
    return this.#now();
  }

  #start(grant: NewGrant, token: PresentedToken): void {
    const { log, valves } = this.#options;
    const { monoMs } = this.#now();
    log.info(
      { user: grant.username, grant: grant.id, taps: grant.taps.map(({ tapId }) => tapId) },
      'grant started',
    );
    const replaced = this.#live.begin(grant, token, monoMs);
    const { maxVolumeMl, maxDurationMs } = grant.limits;
    const failed: string[] = [];
    for (const { toggle, meter, ticksPerMl } of grant.taps) {
      if (toggle === null) continue;
      this.#earlyShuts.delete(toggle);
      const limitsVolume = meter !== null && ticksPerMl !== null && maxVolumeMl > 0;
      const ticks = limitsVolume ? { meter, maxTicks: Math.max(1, Math.ceil(maxVolumeMl * ticksPerMl)) } : {};
      try {
        valves.open(toggle, grant.id, { untilMonoMs: monoMs + maxDurationMs, ...ticks });
      } catch {
        // `Valves` has reported the problem.
        failed.push(toggle);
      }
    }
    // After opening, so that a relay that passes from one grant to the next does not click.
    for (const release of replaced) this.#release(release);
    for (const toggle of failed) {
      for (const release of this.#live.endToggle(toggle, 'fault')) this.#release(release);
    }
  }

  #onRemoved(event: BusEventOf<'token.removed'>): void {
    const token = toToken(event);
    this.#recentTokens.remove(token);
    for (const release of this.#live.tokenRemoved(token)) this.#release(release);
  }

  #countTicks(meter: string, pourId: string, ticks: number): void {
    const added = this.#flow.newTicks(meter, pourId, ticks);
    if (added === 0) return;
    this.#live.addTicks(meter, added, this.#now().monoMs);
    this.#manual.countTicks(meter, added);
  }

  /**
   * A relay shut by itself while its grant runs: either the volume limit was reached, or the relay is broken.
   */
  #resolveEarlyShut(toggle: string): void {
    const grant = this.#live.all().find(({ taps }) => taps.some((tap) => tap.toggle === toggle));
    if (grant === undefined) return;
    const { maxVolumeMl } = grant.limits;
    const isFull = maxVolumeMl > 0 && grant.volumeMl >= maxVolumeMl * nearlyFullShare;
    if (!isFull) this.#options.valves.reportUnexpectedShut(toggle);
    const reason: GrantEnd = isFull ? 'max_volume' : 'fault';
    for (const release of this.#live.endToggle(toggle, reason)) this.#release(release);
  }

  /** Ends grants whose tap was closed or whose account was switched off, by any route or another program. */
  #endRevoked(): void {
    const ids = this.#live.all().map(({ id }) => id);
    if (ids.length === 0) return;
    try {
      for (const [id, reason] of this.#options.grants().findInvalidated(ids)) {
        for (const release of this.#live.end(id, reason)) this.#release(release);
      }
    } catch (err) {
      this.#options.log.warn({ err }, 'the grants could not be checked against the database');
    }
  }

  /** Shuts the valve before it writes, so that a full disk keeps no valve open. */
  #release(release: GrantRelease): void {
    const { valves, log } = this.#options;
    const now = this.#now();
    for (const { toggle, meter } of release.taps) {
      if (toggle !== null) valves.release(toggle, release.grantId);
      // The pour of a replaced grant was ended before the next grant started.
      if (meter !== null && release.reason !== 'replaced')
        this.#flow.startResidual(meter, { hasValve: toggle !== null, nowMonoMs: now.monoMs });
    }
    const { grantId, username, reason, volumeMl } = release;
    log.info({ user: username, grant: grantId, reason, volumeMl: Math.round(volumeMl) }, 'grant ended');
    this.#ended.add(release, now);
  }

  #now(): Moment {
    return this.#options.clock.now();
  }
}

function toToken({
  controller,
  reader,
  device,
  value,
}: Omit<BusEventOf<'token.presented'>, 'type'>): PresentedToken {
  return { controller, device, value, ...omitUndefined({ reader }) };
}
