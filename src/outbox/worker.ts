import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import { createProblem, type Problem } from '../core/health/problems.ts';
import type { Delivery, Outbox, OutboxMessage } from '../engine/engine.ts';
import type { Log, ReportProblem, Scheduler } from './outbox-interfaces.ts';
import { RetryDelays } from './retry-delays.ts';
import type { RunningTransport, Transport, TransportOutcome } from './transport.ts';

/** Delay after a commit, so that messages of the following commits are sent together, milliseconds. */
const wakeDelayMs = 200;
/** Interval for messages whose retry delay has ended, milliseconds. */
const pollMs = 10_000;
/** Messages for one receiver per transaction of outcomes, since each transaction writes to the SD card. */
const batchSize = 20;
/** Receivers read in one poll. */
const maxReceivers = 500;
/** Consecutive failures of a receiver before a problem is reported. */
const failuresToReport = 3;

interface OutboxWorkerParts {
  /** Null while the database cannot be opened. */
  readonly outbox: () => Outbox | null;
  /** Those that it begins with. */
  readonly transports: readonly Transport[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Returns the reporter for a kind of message. */
  readonly reportProblem: (kind: string) => ReportProblem;
}

/** Sends the waiting messages of the outbox. */
interface OutboxWorker {
  /** Schedules a poll, because a message may be waiting. */
  wake(): void;
  /** Sends messages of one more kind, of which it then reports the problems. */
  add(transport: Transport, reportProblem: ReportProblem): RunningTransport;
  /** Retries all waiting messages of a kind at once, after its problem was fixed. */
  retryNow(kind: string): void;
  /** Resolves when no message is being sent. */
  idle(): Promise<void>;
  /**
   * Aborts all running sends, which are due again at the next start. Resolves after `withinMs` at the latest.
   */
  stop(withinMs: number): Promise<void>;
}

/** Starts the worker. Failures are reported and retried; nothing is thrown. */
export function startOutboxWorker(parts: OutboxWorkerParts): OutboxWorker {
  const { bus, clock, scheduler, log } = parts;
  /** One for each running send: a shared signal would keep a listener for every message ever sent. */
  const activeSends = new Set<AbortController>();
  let isStopping = false;
  const retryDelays = new RetryDelays();
  const queues = new Map<string, Promise<void>>();
  const activeQueues = new Map<string, number>();
  const transports = new Map<string, Transport>();
  const reporters = new Map<string, ReportProblem>();
  /** Current problems by kind, then by queue or kind. */
  const problems = new Map<string, Map<string, Problem>>();
  let cancelWake: (() => void) | null = null;

  function wake(): void {
    if (cancelWake !== null || isStopping) return;
    cancelWake = scheduler.after(wakeDelayMs, () => {
      cancelWake = null;
      poll();
    });
  }

  function poll(): void {
    const outbox = parts.outbox();
    if (outbox === null || isStopping) return;
    try {
      if (!outbox.hasWaiting()) {
        // Nothing waits, so no problem is left: the messages concerned were removed.
        for (const [kind, current] of problems)
          for (const key of [...current.keys()]) setProblem(kind, key, null);
        return;
      }
      for (const transport of transports.values()) startQueues(outbox, transport);
    } catch (err) {
      log.warn({ err }, 'the outbox cannot be read now');
    }
  }

  function startQueues(outbox: Outbox, transport: Transport): void {
    const { kind, maxConcurrent } = transport;
    const now = clock.now();
    if (transport.isReady?.() === false || retryDelays.isDelayed(kind, now.monoMs)) return;
    for (const target of outbox.receivers(kind, now, maxReceivers)) {
      const active = activeQueues.get(kind) ?? 0;
      if (active >= maxConcurrent) return;
      const queue = queueKey(kind, target);
      if (queues.has(queue) || retryDelays.isDelayed(queue, now.monoMs)) continue;
      activeQueues.set(kind, active + 1);
      // Starts asynchronously: a queue that ends at once must not end before it is in the map.
      queues.set(
        queue,
        Promise.resolve().then(() => runQueue(outbox, transport, target)),
      );
    }
  }

  async function runQueue(outbox: Outbox, transport: Transport, target: string): Promise<void> {
    const { kind } = transport;
    const queue = queueKey(kind, target);
    const done: Delivery[] = [];
    try {
      for (const message of outbox.due({ kind, target }, clock.now(), transport.batchSize ?? batchSize)) {
        const outcome = await send(transport, message);
        if (isStopping && outcome.kind !== 'sent') break;
        done.push({ message, outcome: applyRetryDelay(transport, message, outcome) });
        const mustWait = outcome.kind === 'failed' && !outcome.isFinal;
        if (mustWait || isStopping || retryDelays.isDelayed(kind, clock.now().monoMs)) break;
      }
    } catch (err) {
      retryDelays.failed(queue, clock.now().monoMs);
      log.warn({ err }, 'the outbox cannot be read now');
    }
    try {
      outbox.recordOutcomes(done, clock.now());
    } catch (err) {
      // The messages stay due: delivery is at least once, and receivers recognise duplicates by the id.
      retryDelays.failed(queue, clock.now().monoMs);
      log.warn({ err }, 'the outcome of sent messages cannot be recorded now, so they will be sent again');
    }
    queues.delete(queue);
    activeQueues.set(kind, activeQueues.get(kind)! - 1);
    wake();
  }

  async function send(transport: Transport, message: OutboxMessage): Promise<TransportOutcome> {
    const abort = new AbortController();
    activeSends.add(abort);
    try {
      return await transport.send(message, abort.signal);
    } catch (err) {
      log.error({ err, kind: message.kind, topic: message.topic }, 'creating a message failed');
      return {
        kind: 'failed',
        problem: createProblem('message_not_created'),
        isFinal: false,
        scope: 'message',
      };
    } finally {
      activeSends.delete(abort);
    }
  }

  /** Updates retry delays and problems. Returns the outcome with its retry delay. */
  function applyRetryDelay(
    transport: Transport,
    message: OutboxMessage,
    outcome: TransportOutcome,
  ): Delivery['outcome'] {
    const { kind } = transport;
    const queue = queueKey(kind, message.target);
    if (outcome.kind !== 'failed') {
      if (outcome.kind === 'sent')
        for (const key of [kind, queue]) if (retryDelays.succeeded(key)) setProblem(kind, key, null);
      return outcome;
    }
    const { problem, isFinal, scope, retryAfterMs = 0 } = outcome;
    // A final refusal concerns this message only; its receiver works.
    const isRefusal = scope === 'message';
    const key = scope === 'transport' ? kind : queue;
    const retryDelayMs =
      isFinal && isRefusal
        ? 0
        : retryDelays.failed(key, clock.now().monoMs, { isRefusal, atLeastMs: retryAfterMs });
    log.warn(
      { kind, topic: message.topic, id: message.id, error: problem.message },
      isFinal ? 'a message was refused' : 'a message could not be sent; it will be sent again',
    );
    if (scope === 'transport' || retryDelays.failures(key) >= failuresToReport)
      setProblem(kind, key, problem);
    return { kind: 'failed', problem, isFinal, scope, retryDelayMs };
  }

  function setProblem(kind: string, key: string, problem: Problem | null): void {
    const current = problems.get(kind);
    // Its transport was removed while it sent.
    if (current === undefined) return;
    if (problem === null) current.delete(key);
    else current.set(key, problem);
    const byText = new Map([...current.values()].map((one) => [one.message, one]));
    reporters.get(kind)?.([...byText.values()]);
  }

  function retryNow(kind: string): void {
    retryDelays.reset(kind);
    parts.outbox()?.retryNow(kind);
    wake();
  }

  function add(transport: Transport, reportProblem: ReportProblem): RunningTransport {
    const { kind } = transport;
    transports.set(kind, transport);
    reporters.set(kind, reportProblem);
    problems.set(kind, new Map());
    wake();
    return {
      retryNow: () => retryNow(kind),
      remove() {
        if (transports.get(kind) !== transport) return;
        transports.delete(kind);
        problems.delete(kind);
        reporters.delete(kind);
        if (!isStopping) reportProblem([]);
      },
    };
  }

  for (const transport of parts.transports) add(transport, parts.reportProblem(transport.kind));
  const unsubscribers = [
    bus.on('drink.recorded', wake),
    bus.on('database.changed', wake),
    scheduler.every(pollMs, poll),
  ];
  // Sends the messages left by a power cut first.
  wake();

  async function idle(): Promise<void> {
    while (queues.size > 0) await Promise.all(queues.values());
  }

  return {
    wake,
    idle,
    add,
    retryNow,
    async stop(withinMs) {
      for (const unsubscribe of unsubscribers) unsubscribe();
      cancelWake?.();
      isStopping = true;
      for (const abort of activeSends) abort.abort();
      let cancelTimeout: () => void = () => {};
      const timeout = new Promise<void>((resolve) => {
        cancelTimeout = scheduler.after(withinMs, resolve);
      });
      await Promise.race([idle(), timeout]);
      cancelTimeout();
    },
  };
}

const queueKey = (kind: string, target: string): string => `${kind} ${target}`;
