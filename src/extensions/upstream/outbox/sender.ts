import type { Clock, Moment } from '../../../core/clock/moment.ts';
import type { EventBus } from '../../../core/event-bus.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import type { Log, ReportProblem, Scheduler } from '../../../outbox/outbox-interfaces.ts';
import type { Upstream, UpstreamTarget } from '../engine/upstream.ts';
import { parseAnswer, type UpstreamResult } from './answer.ts';
import { composeBatch, maxEvents, type UpstreamBatch } from './batch.ts';
import type { UpstreamPost } from './post.ts';
import { type TransientEventParts, TransientEvents } from './transient-events.ts';

/** Retry delay after the first failure, and the maximum, as of a kegboard, milliseconds. */
const firstDelayMs = 30_000;
const maxDelayMs = 300_000;
/** While pairing is pending: interval of requests, and for how long before the heartbeat interval, ms. */
const pendingPollMs = 5_000;
const pendingPollForMs = 60_000;
/** Delay after a write, so that events written together are sent in one batch, milliseconds. */
const wakeDelayMs = 200;
/** Delay while the database is closed, and after an internal error, milliseconds. */
const databaseRetryMs = 5_000;
/** A timer that is later than this did not run, milliseconds. */
const timerToleranceMs = 1_000;
/**
 * How long events of an earlier boot wait for the clock to be set, since their age is unknown before,
 * milliseconds.
 */
const maxClockWaitMs = 600_000;
/** Consecutive refusals after which sending slows down, because the server probably refuses everything. */
const refusalsToDelay = 3;
/** Consecutive failures before a problem is reported; one lost answer is none. */
const failuresToReport = 2;

/** State of the connection to the upstream server. */
export type UpstreamState = 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';

export interface UpstreamSenderParts extends TransientEventParts {
  /** Null while the database cannot be opened. */
  readonly upstream: () => Upstream | null;
  readonly target: UpstreamTarget;
  readonly post: UpstreamPost;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** From 0 up to 1: spreads the retries of many clients after an outage of their server. */
  readonly random: () => number;
  readonly log: Log;
  readonly reportProblem: ReportProblem;
}

/** Reports local pours to an upstream server. */
export interface UpstreamSender {
  state(): {
    readonly state: UpstreamState;
    readonly problem: Problem | null;
    readonly lastAnswerMs: number | null;
    /** The server's code for this request while pairing is pending; null if it sends none. */
    readonly pairingCode: string | null;
  };
  /** Sends at once, whatever was answered before. */
  retryNow(): void;
  /** Resolves when no request is in flight. */
  idle(): Promise<void>;
  /** Aborts the request in flight; its events are sent again at the next start. */
  stop(): Promise<void>;
}

/** Starts reporting, one batch at a time. Every failure is reported and retried. */
export function startUpstream(parts: UpstreamSenderParts): UpstreamSender {
  const { target, bus, clock, scheduler, log } = parts;
  const startedMonoMs = clock.now().monoMs;
  const abort = new AbortController();
  let isStopping = false;
  let transient: TransientEvents | null = null;
  let inFlight: Promise<void> | null = null;
  let timer: { readonly atMonoMs: number; readonly cancel: () => void } | null = null;
  let notBeforeMonoMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let refusals = 0;
  let tokensReceived = 0;
  /** After a refused batch its events are sent one by one, so that only the invalid one is set aside. */
  let singlesLeft = 0;
  let pendingSince: number | null = null;
  let downSince: string | null = null;
  let state: UpstreamState = 'starting';
  let problem: Problem | null = null;
  let lastAnswerMs: number | null = null;
  let pairingCode: string | null = null;

  function schedule(ms: number): void {
    if (isStopping) return;
    const { monoMs } = clock.now();
    const atMonoMs = monoMs + ms;
    // A timer that is overdue did not run and is replaced.
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
        log.warn({ err }, 'the upstream queue cannot be read or written now; its events wait');
        return databaseRetryMs;
      })
      .then((delayMs) => {
        inFlight = null;
        if (state !== 'denied') schedule(delayMs);
      });
  }

  /** Sends one batch if there is one. Returns the delay until the next step, milliseconds. */
  async function step(): Promise<number> {
    const upstream = parts.upstream();
    if (upstream === null) return databaseRetryMs;
    const now = clock.now();
    if (now.monoMs < notBeforeMonoMs) return notBeforeMonoMs - now.monoMs;
    // Another opening of the database is another boot with new event numbers.
    if (transient?.upstream !== upstream) transient = new TransientEvents(upstream, parts);
    const limit = singlesLeft > 0 ? 1 : maxEvents;
    const batch = composeBatch({
      device: target.device,
      bootId: upstream.bootId,
      waiting: upstream.waiting(limit),
      transient: transient.events(now),
      limit,
      isClockTrusted: now.synced || now.monoMs - startedMonoMs >= maxClockWaitMs,
      now,
    });
    if (batch === null) return Math.max(wakeDelayMs, transient.statusDueMonoMs - now.monoMs);
    const token = upstream.token(target);
    const result = parseAnswer(await parts.post({ body: batch.body, token, signal: abort.signal }));
    // The database was replaced meanwhile: the server recognises the repeated events by boot and number.
    if (parts.upstream() !== upstream) return 0;
    if (isStopping && result.kind === 'trouble') return 0;
    return handleResult(result, { upstream, transient, batch }, clock.now());
  }

  function handleResult(
    result: UpstreamResult,
    sent: { readonly upstream: Upstream; readonly transient: TransientEvents; readonly batch: UpstreamBatch },
    now: Moment,
  ): number {
    pairingCode = result.kind === 'pending' ? result.code : null;
    if (result.kind !== 'trouble') {
      lastAnswerMs = Math.max(0, Math.round(now.wallMs));
      downSince = null;
      failures = 0;
    }
    switch (result.kind) {
      case 'accepted': {
        const { upstream, batch } = sent;
        upstream.markDelivered(batch.rowIds);
        sent.transient.markDelivered(batch.transientIds);
        sent.transient.run(result.commands, now);
        pendingSince = null;
        tokensReceived = 0;
        refusals = 0;
        singlesLeft = Math.max(0, singlesLeft - 1);
        setState('connected', setAsideProblem(upstream));
        return 0;
      }
      case 'allowed':
        sent.upstream.setToken(target, result.token);
        log.info({}, 'the upstream server has allowed this controller');
        // Without a delay, a server that rejects the tokens it issues would be asked in a loop.
        return tokensReceived++ === 0 ? 0 : waitAtLeast(pendingPollMs, now);
      case 'pending':
        sent.upstream.setToken(target, null);
        pendingSince ??= now.monoMs;
        setState('pending', createProblem('upstream_pending', { device: target.device }));
        return waitAtLeast(
          now.monoMs - pendingSince < pendingPollForMs ? pendingPollMs : parts.heartbeatMs,
          now,
        );
      case 'denied':
        sent.upstream.setToken(target, null);
        setState('denied', createProblem('upstream_denied', { device: target.device }));
        return 0;
      case 'refused':
        return handleRefusal(result.reason, sent, now);
      case 'trouble':
        return handleFailure(result, now);
    }
  }

  function handleRefusal(
    reason: string,
    { upstream, transient, batch }: { upstream: Upstream; transient: TransientEvents; batch: UpstreamBatch },
    now: Moment,
  ): number {
    const count = batch.rowIds.length + batch.transientIds.length;
    if (count > 1) {
      singlesLeft = count;
      return 0;
    }
    log.warn({ reason }, 'the upstream server refused an event');
    for (const id of batch.rowIds) upstream.setAside(id, reason);
    transient.markDelivered(batch.transientIds);
    singlesLeft = Math.max(0, singlesLeft - 1);
    refusals += 1;
    setState('connected', setAsideProblem(upstream));
    return refusals < refusalsToDelay ? 0 : waitAtLeast(retryDelayMs(refusals - refusalsToDelay + 1), now);
  }

  function handleFailure(
    { reason, isAnswered, retryAfterMs }: Extract<UpstreamResult, { kind: 'trouble' }>,
    now: Moment,
  ): number {
    failures += 1;
    downSince ??= now.synced ? `${new Date(now.wallMs).toISOString().slice(0, 16)}Z` : 'unknown';
    log.info({ reason, failures }, 'the upstream server accepted nothing; the batch is sent again');
    if (failures >= failuresToReport) {
      const answer = isAnswered ? { code: 'unknown', answer: reason } : { code: reason, answer: '' };
      setState('trouble', createProblem('upstream_failing', { since: downSince, ...answer }));
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

  function setState(newState: UpstreamState, newProblem: Problem | null): void {
    state = newState;
    if (newProblem?.message === problem?.message) return;
    problem = newProblem;
    parts.reportProblem(newProblem === null ? [] : [newProblem]);
  }

  function wakeForPour(): void {
    // A new pour ends the delay after failures, but not the interval of a pending pairing.
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
    state: () => ({ state, problem, lastAnswerMs, pairingCode }),
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

function setAsideProblem(upstream: Upstream): Problem | null {
  const reports = upstream.setAsideCount();
  return reports === 0 ? null : createProblem('upstream_refused', { reports });
}
