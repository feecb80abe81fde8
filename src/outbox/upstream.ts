import type { EventBus } from '../core/event-bus.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { Upstream, UpstreamTarget } from '../engine/engine.ts';
import type { Log, ReportProblem, Scheduler } from './ports.ts';
import { parseAnswer, type UpstreamResult } from './upstream-answer.ts';
import { composeBatch, maxEvents, type UpstreamBatch } from './upstream-batch.ts';
import { type LiveParts, UpstreamLive } from './upstream-live.ts';
import type { UpstreamPost } from './upstream-post.ts';

/** Pause after the first failure, and the longest, milliseconds: those of a board. */
const firstDelayMs = 30_000;
const maxDelayMs = 300_000;
/** A house that has not let us in yet is asked so often at first, and for so long. */
const pendingPollMs = 5_000;
const pendingPollForMs = 60_000;
/** What is written in one go leaves in one batch. */
const wakeDelayMs = 200;
/** While the ledger is closed, and after a fault of our own. */
const databaseRetryMs = 5_000;
/** A timer is never so late, milliseconds. */
const timerToleranceMs = 1_000;
/** So long reports of an earlier boot wait for somebody to set the clock: without it nobody knows how old they are. */
const maxClockWaitMs = 600_000;
/** A house that refuses so many in a row refuses us, not them: they are tried at the pace of a failure. */
const refusalsToDelay = 3;
/** One answer that got lost is no news. */
const failuresToReport = 2;

/** How the other house and this one stand. */
export type UpstreamState = 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';

export interface UpstreamSenderParts extends LiveParts {
  /** Null while the ledger cannot be opened. */
  readonly upstream: () => Upstream | null;
  readonly target: UpstreamTarget;
  readonly post: UpstreamPost;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** From 0 up to 1: houses that lost the same server must not come back all at once. */
  readonly random: () => number;
  readonly log: Log;
  readonly tell: ReportProblem;
}

/** Reports what this house pours to another one. */
export interface UpstreamSender {
  state(): {
    readonly state: UpstreamState;
    readonly problem: string | null;
    readonly lastAnswerMs: number | null;
  };
  /** Asks at once, whatever was answered before. */
  retryNow(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Lets go of what is under way; it is sent again at the next start. */
  stop(): Promise<void>;
}

/** Starts reporting. One batch is under way at a time; whatever fails is told and tried again. */
export function startUpstream(parts: UpstreamSenderParts): UpstreamSender {
  const { target, bus, clock, scheduler, log } = parts;
  const startedMonoMs = clock.now().monoMs;
  const abort = new AbortController();
  let isStopping = false;
  let live: UpstreamLive | null = null;
  let inFlight: Promise<void> | null = null;
  let timer: { readonly atMonoMs: number; readonly cancel: () => void } | null = null;
  let notBeforeMonoMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let refusals = 0;
  let tokensReceived = 0;
  /** After a refused batch its events go one by one, so that only the bad one is set aside. */
  let singlesLeft = 0;
  let pendingSince: number | null = null;
  let downSince: string | null = null;
  let state: UpstreamState = 'starting';
  let problem: string | null = null;
  let lastAnswerMs: number | null = null;

  function schedule(ms: number): void {
    if (isStopping) return;
    const { monoMs } = clock.now();
    const atMonoMs = monoMs + ms;
    // An alarm that should have rung was set by a timer that slept.
    if (timer !== null && timer.atMonoMs <= atMonoMs && timer.atMonoMs > monoMs - timerToleranceMs) return;
    timer?.cancel();
    const cancel = scheduler.after(ms, () => {
      timer = null;
      startStep();
    });
    timer = { atMonoMs, cancel };
  }

  function startStep(): void {
    if (inFlight !== null || isStopping || state === 'denied') return;
    inFlight = step()
      .catch((err: unknown) => {
        log.warn({ err }, 'what is reported cannot be read or noted down now; it waits');
        return databaseRetryMs;
      })
      .then((delayMs) => {
        inFlight = null;
        if (state !== 'denied') schedule(delayMs);
      });
  }

  /** Sends what can be sent. Gives when to look again, milliseconds from now. */
  async function step(): Promise<number> {
    const upstream = parts.upstream();
    if (upstream === null) return databaseRetryMs;
    const now = clock.now();
    if (now.monoMs < notBeforeMonoMs) return notBeforeMonoMs - now.monoMs;
    // Another ledger is another boot, whose numbers begin anew.
    if (live?.upstream !== upstream) live = new UpstreamLive(upstream, parts);
    const limit = singlesLeft > 0 ? 1 : maxEvents;
    const batch = composeBatch({
      device: target.device,
      bootId: upstream.bootId,
      waiting: upstream.waiting(limit),
      live: live.events(now),
      limit,
      isClockTrusted: now.synced || now.monoMs - startedMonoMs >= maxClockWaitMs,
      now,
    });
    if (batch === null) return Math.max(wakeDelayMs, live.statusDueMonoMs - now.monoMs);
    const token = upstream.token(target);
    const result = parseAnswer(await parts.post({ body: batch.body, token, signal: abort.signal }));
    // What was under way when the ledger was changed is known again by its boot and number.
    if (parts.upstream() !== upstream) return 0;
    if (isStopping && result.kind === 'trouble') return 0;
    return handleResult(result, { upstream, live, batch }, clock.now());
  }

  function handleResult(
    result: UpstreamResult,
    sent: { readonly upstream: Upstream; readonly live: UpstreamLive; readonly batch: UpstreamBatch },
    now: Moment,
  ): number {
    if (result.kind !== 'trouble') {
      lastAnswerMs = Math.max(0, Math.round(now.wallMs));
      downSince = null;
      failures = 0;
    }
    switch (result.kind) {
      case 'taken': {
        const { upstream, batch } = sent;
        upstream.markDelivered(batch.rowIds);
        sent.live.markDelivered(batch.liveIds);
        sent.live.run(result.commands, now);
        pendingSince = null;
        tokensReceived = 0;
        refusals = 0;
        singlesLeft = Math.max(0, singlesLeft - 1);
        setState('connected', setAsideProblem(upstream));
        return 0;
      }
      case 'allowed':
        sent.upstream.setToken(target, result.token);
        log.info({}, 'the upstream server has let this house in');
        // A house that gives tokens and believes none of them is not asked without a pause.
        return tokensReceived++ === 0 ? 0 : waitAtLeast(pendingPollMs, now);
      case 'pending':
        sent.upstream.setToken(target, null);
        pendingSince ??= now.monoMs;
        setState(
          'pending',
          `The upstream server has not let this house in yet: allow “${target.device}” there.`,
        );
        return waitAtLeast(
          now.monoMs - pendingSince < pendingPollForMs ? pendingPollMs : parts.heartbeatMs,
          now,
        );
      case 'denied':
        sent.upstream.setToken(target, null);
        setState(
          'denied',
          `The upstream server has refused “${target.device}”: let it in there, then ask again.`,
        );
        return 0;
      case 'refused':
        return handleRefusal(result.reason, sent, now);
      case 'trouble':
        return handleFailure(result, now);
    }
  }

  function handleRefusal(
    reason: string,
    { upstream, live, batch }: { upstream: Upstream; live: UpstreamLive; batch: UpstreamBatch },
    now: Moment,
  ): number {
    const count = batch.rowIds.length + batch.liveIds.length;
    if (count > 1) {
      singlesLeft = count;
      return 0;
    }
    log.warn({ reason }, 'the upstream server refused an event');
    for (const id of batch.rowIds) upstream.setAside(id, reason);
    live.markDelivered(batch.liveIds);
    singlesLeft = Math.max(0, singlesLeft - 1);
    refusals += 1;
    setState('connected', setAsideProblem(upstream));
    return refusals < refusalsToDelay ? 0 : waitAtLeast(retryDelayMs(refusals - refusalsToDelay + 1), now);
  }

  function handleFailure(
    { reason, retryAfterMs }: Extract<UpstreamResult, { kind: 'trouble' }>,
    now: Moment,
  ): number {
    failures += 1;
    downSince ??= now.synced ? ` since ${new Date(now.wallMs).toISOString().slice(0, 16)}Z` : '';
    log.info({ reason, failures }, 'the upstream server took nothing; it is tried again');
    if (failures >= failuresToReport) {
      setState(
        'trouble',
        `The upstream server has not answered well${downSince} (${reason}). What is poured waits.`,
      );
    } else state = 'trouble';
    return waitAtLeast(Math.max(retryDelayMs(failures), Math.min(retryAfterMs, maxDelayMs)), now);
  }

  function retryDelayMs(failuresInRow: number): number {
    const fullMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failuresInRow - 1, 10));
    return Math.round(fullMs * (0.75 + parts.random() / 2));
  }

  function waitAtLeast(ms: number, now: Moment): number {
    notBeforeMonoMs = now.monoMs + ms;
    return ms;
  }

  function setState(newState: UpstreamState, newProblem: string | null): void {
    state = newState;
    if (newProblem === problem) return;
    problem = newProblem;
    parts.tell(newProblem);
  }

  function wakeForPour(): void {
    // Whoever has just drunk is worth a try; who only waits to be let in asks at the usual pace.
    if (failures > 0) {
      failures = 1;
      notBeforeMonoMs = Number.NEGATIVE_INFINITY;
    }
    schedule(wakeDelayMs);
  }

  const unsubscribers = [
    bus.on('drink.recorded', wakeForPour),
    bus.on('database.changed', () => schedule(wakeDelayMs)),
  ];
  schedule(0);

  async function idle(): Promise<void> {
    while (inFlight !== null) await inFlight;
  }

  return {
    idle,
    state: () => ({ state, problem, lastAnswerMs }),
    retryNow() {
      notBeforeMonoMs = Number.NEGATIVE_INFINITY;
      pendingSince = null;
      if (state === 'denied') setState('starting', null);
      schedule(0);
    },
    async stop() {
      isStopping = true;
      for (const unsubscribe of unsubscribers) unsubscribe();
      timer?.cancel();
      abort.abort();
      await idle();
    },
  };
}

function setAsideProblem(upstream: Upstream): string | null {
  const setAside = upstream.setAsideCount();
  if (setAside === 0) return null;
  return `The upstream server has refused ${setAside === 1 ? 'a report' : `${setAside} reports`} of this house: look at what was set aside.`;
}
