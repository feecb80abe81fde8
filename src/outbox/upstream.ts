import type { EventBus } from '../core/event-bus.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { Upstream, UpstreamPlace } from '../engine/engine.ts';
import type { Log, Scheduler, Tell } from './ports.ts';
import { judgeAnswer, type Verdict } from './upstream-answers.ts';
import { composeBatch, mostEvents, type UpstreamBatch } from './upstream-batch.ts';
import { type LiveParts, UpstreamLive } from './upstream-live.ts';
import type { UpstreamPost } from './upstream-post.ts';

/** Pause after the first failure, and the longest, milliseconds: those of a board. */
const firstPauseMs = 30_000;
const longestPauseMs = 300_000;
/** A house that has not let us in yet is asked so often at first, and for so long. */
const pendingPauseMs = 5_000;
const pendingQuickMs = 60_000;
/** What is written in one go leaves in one batch. */
const gatherMs = 200;
/** While the ledger is closed, and after a fault of our own. */
const ledgerPauseMs = 5_000;
/** A timer is never so late, milliseconds. */
const overdueMs = 1_000;
/** So long reports of an earlier boot wait for somebody to set the clock: without it nobody knows how old they are. */
const waitsForClockMs = 600_000;
/** A house that refuses so many in a row refuses us, not them: they are tried at the pace of a failure. */
const refusalsToSlow = 3;
/** One answer that got lost is no news. */
const failuresToTell = 2;

/** How the other house and this one stand. */
export type UpstreamState = 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';

export interface UpstreamSenderParts extends LiveParts {
  /** Null while the ledger cannot be opened. */
  readonly upstream: () => Upstream | null;
  readonly place: UpstreamPlace;
  readonly post: UpstreamPost;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** From 0 up to 1: houses that lost the same server must not come back all at once. */
  readonly random: () => number;
  readonly log: Log;
  readonly tell: Tell;
}

/** Reports what this house pours to another one. */
export interface UpstreamSender {
  state(): {
    readonly state: UpstreamState;
    readonly problem: string | null;
    readonly lastAnswerMs: number | null;
  };
  /** Asks at once, whatever was answered before. */
  askAgain(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Lets go of what is under way; it is sent again at the next start. */
  stop(): Promise<void>;
}

/** Starts reporting. One batch is under way at a time; whatever fails is told and tried again. */
export function startUpstream(parts: UpstreamSenderParts): UpstreamSender {
  const { place, bus, clock, scheduler, log } = parts;
  const beganMonoMs = clock.now().monoMs;
  const letGo = new AbortController();
  let isEnding = false;
  let live: UpstreamLive | null = null;
  let underWay: Promise<void> | null = null;
  let alarm: { readonly atMonoMs: number; readonly callOff: () => void } | null = null;
  let notBeforeMonoMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let refusals = 0;
  let tokens = 0;
  /** After a refused batch its events go one by one, so that only the bad one is set aside. */
  let oneByOne = 0;
  let pendingSince: number | null = null;
  let downSince: string | null = null;
  let state: UpstreamState = 'starting';
  let problem: string | null = null;
  let lastAnswerMs: number | null = null;

  function arm(ms: number): void {
    if (isEnding) return;
    const { monoMs } = clock.now();
    const atMonoMs = monoMs + ms;
    // An alarm that should have rung was set by a timer that slept.
    if (alarm !== null && alarm.atMonoMs <= atMonoMs && alarm.atMonoMs > monoMs - overdueMs) return;
    alarm?.callOff();
    const callOff = scheduler.after(ms, () => {
      alarm = null;
      turn();
    });
    alarm = { atMonoMs, callOff };
  }

  function turn(): void {
    if (underWay !== null || isEnding || state === 'denied') return;
    underWay = step()
      .catch((err: unknown) => {
        log.warn({ err }, 'what is reported cannot be read or noted down now; it waits');
        return ledgerPauseMs;
      })
      .then((pauseMs) => {
        underWay = null;
        if (state !== 'denied') arm(pauseMs);
      });
  }

  /** Sends what can be sent. Gives when to look again, milliseconds from now. */
  async function step(): Promise<number> {
    const upstream = parts.upstream();
    if (upstream === null) return ledgerPauseMs;
    const now = clock.now();
    if (now.monoMs < notBeforeMonoMs) return notBeforeMonoMs - now.monoMs;
    // Another ledger is another boot, whose numbers begin anew.
    if (live?.upstream !== upstream) live = new UpstreamLive(upstream, parts);
    const limit = oneByOne > 0 ? 1 : mostEvents;
    const batch = composeBatch({
      device: place.device,
      bootId: upstream.bootId,
      waiting: upstream.waiting(limit),
      live: live.events(now),
      limit,
      mayDate: now.synced || now.monoMs - beganMonoMs >= waitsForClockMs,
      now,
    });
    if (batch === null) return Math.max(gatherMs, live.statusDueMonoMs - now.monoMs);
    const token = upstream.token(place);
    const verdict = judgeAnswer(await parts.post({ body: batch.body, token, signal: letGo.signal }));
    // What was under way when the ledger was changed is known again by its boot and number.
    if (parts.upstream() !== upstream) return 0;
    if (isEnding && verdict.kind === 'trouble') return 0;
    return hear(verdict, { upstream, live, batch }, clock.now());
  }

  function hear(
    verdict: Verdict,
    sent: { readonly upstream: Upstream; readonly live: UpstreamLive; readonly batch: UpstreamBatch },
    now: Moment,
  ): number {
    if (verdict.kind !== 'trouble') {
      lastAnswerMs = Math.max(0, Math.round(now.wallMs));
      downSince = null;
      failures = 0;
    }
    switch (verdict.kind) {
      case 'taken': {
        const { upstream, batch } = sent;
        upstream.taken(batch.kept);
        sent.live.taken(batch.live);
        sent.live.run(verdict.commands, now);
        pendingSince = null;
        tokens = 0;
        refusals = 0;
        oneByOne = Math.max(0, oneByOne - 1);
        say('connected', setAsideProblem(upstream));
        return 0;
      }
      case 'allowed':
        sent.upstream.keepToken(place, verdict.token);
        log.info({}, 'the upstream server has let this house in');
        // A house that gives tokens and believes none of them is not asked without a pause.
        return tokens++ === 0 ? 0 : later(pendingPauseMs, now);
      case 'pending':
        sent.upstream.keepToken(place, null);
        pendingSince ??= now.monoMs;
        say('pending', `The upstream server has not let this house in yet: allow “${place.device}” there.`);
        return later(now.monoMs - pendingSince < pendingQuickMs ? pendingPauseMs : parts.heartbeatMs, now);
      case 'denied':
        sent.upstream.keepToken(place, null);
        say('denied', `The upstream server has refused “${place.device}”: let it in there, then ask again.`);
        return 0;
      case 'refused':
        return refused(verdict.why, sent, now);
      case 'trouble':
        return failed(verdict, now);
    }
  }

  function refused(
    why: string,
    { upstream, live, batch }: { upstream: Upstream; live: UpstreamLive; batch: UpstreamBatch },
    now: Moment,
  ): number {
    const count = batch.kept.length + batch.live.length;
    if (count > 1) {
      oneByOne = count;
      return 0;
    }
    log.warn({ why }, 'the upstream server refused an event');
    for (const id of batch.kept) upstream.setAside(id, why);
    live.taken(batch.live);
    oneByOne = Math.max(0, oneByOne - 1);
    refusals += 1;
    say('connected', setAsideProblem(upstream));
    return refusals < refusalsToSlow ? 0 : later(pauseAfter(refusals - refusalsToSlow + 1), now);
  }

  function failed({ why, retryAfterMs }: Extract<Verdict, { kind: 'trouble' }>, now: Moment): number {
    failures += 1;
    downSince ??= now.synced ? ` since ${new Date(now.wallMs).toISOString().slice(0, 16)}Z` : '';
    log.info({ why, failures }, 'the upstream server took nothing; it is tried again');
    if (failures >= failuresToTell) {
      say('trouble', `The upstream server has not answered well${downSince} (${why}). What is poured waits.`);
    } else state = 'trouble';
    return later(Math.max(pauseAfter(failures), Math.min(retryAfterMs, longestPauseMs)), now);
  }

  function pauseAfter(failuresInRow: number): number {
    const fullMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failuresInRow - 1, 10));
    return Math.round(fullMs * (0.75 + parts.random() / 2));
  }

  function later(ms: number, now: Moment): number {
    notBeforeMonoMs = now.monoMs + ms;
    return ms;
  }

  function say(to: UpstreamState, why: string | null): void {
    state = to;
    if (why === problem) return;
    problem = why;
    parts.tell(why);
  }

  function wakeForPour(): void {
    // Whoever has just drunk is worth a try; who only waits to be let in asks at the usual pace.
    if (failures > 0) {
      failures = 1;
      notBeforeMonoMs = Number.NEGATIVE_INFINITY;
    }
    arm(gatherMs);
  }

  const leave = [bus.on('drink.recorded', wakeForPour), bus.on('database.changed', () => arm(gatherMs))];
  arm(0);

  async function idle(): Promise<void> {
    while (underWay !== null) await underWay;
  }

  return {
    idle,
    state: () => ({ state, problem, lastAnswerMs }),
    askAgain() {
      notBeforeMonoMs = Number.NEGATIVE_INFINITY;
      pendingSince = null;
      if (state === 'denied') say('starting', null);
      arm(0);
    },
    async stop() {
      isEnding = true;
      for (const off of leave) off();
      alarm?.callOff();
      letGo.abort();
      await idle();
    },
  };
}

function setAsideProblem(upstream: Upstream): string | null {
  const setAside = upstream.setAsideCount();
  if (setAside === 0) return null;
  return `The upstream server has refused ${setAside === 1 ? 'a report' : `${setAside} reports`} of this house: look at what was set aside.`;
}
