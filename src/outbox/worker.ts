import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Delivery, Outbox, OutboxMessage } from '../engine/engine.ts';
import type { Log, ReportProblem, Scheduler } from './ports.ts';
import { RetryDelays } from './retry-delays.ts';
import type { Transport, TransportOutcome } from './transport.ts';

/** After a commit the messages of the moments after it go along; nobody waits for a mail by the tenth of a second. */
const wakeDelayMs = 200;
/** How often what was put off is looked for. */
const pollMs = 10_000;
/** One receiver's messages between two notes of what became of them: each note is a write to the SD card. */
const batchSize = 20;
/** Receivers looked at in one go. */
const maxReceivers = 500;
/** A receiver that fails so often in a row is worth a word to the people of the house. */
const failuresToReport = 3;

export interface OutboxWorkerParts {
  /** Null while the ledger cannot be opened. */
  readonly outbox: () => Outbox | null;
  readonly transports: readonly Transport[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** By kind of message. */
  readonly reportProblem: (kind: string) => ReportProblem;
}

/** Drives what waits in the outbox out of the house. */
export interface OutboxWorker {
  /** Something may be waiting. Costs nothing now: the look itself comes a moment later. */
  wake(): void;
  /** What stood in the way of that kind has been put right: everything that waits is tried now. */
  retryNow(kind: string): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Lets go of everything under way, which is due again at the next start, and resolves soon, at `withinMs` at the latest. */
  stop(withinMs: number): Promise<void>;
}

/** Starts the pump. Whatever fails in here is told and tried again; nothing is thrown at anybody. */
export function startOutboxWorker(parts: OutboxWorkerParts): OutboxWorker {
  const { bus, clock, scheduler, log } = parts;
  /** One for each message under way: a signal that all of them shared would remember every one that ever was. */
  const activeSends = new Set<AbortController>();
  let isStopping = false;
  const retryDelays = new RetryDelays();
  const queues = new Map<string, Promise<void>>();
  const activeQueues = new Map<string, number>(parts.transports.map(({ kind }) => [kind, 0]));
  const reporters = new Map(parts.transports.map(({ kind }) => [kind, parts.reportProblem(kind)]));
  /** What is wrong, by kind and by whom. */
  const problems = new Map<string, Map<string, string>>(
    parts.transports.map(({ kind }) => [kind, new Map()]),
  );
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
        // Where nothing waits, nobody is in the way of anything: what waited was thrown away.
        for (const [kind, current] of problems)
          for (const key of [...current.keys()]) setProblem(kind, key, null);
        return;
      }
      for (const transport of parts.transports) startQueues(outbox, transport);
    } catch (err) {
      log.warn({ err }, 'the outbox cannot be read now');
    }
  }

  function startQueues(outbox: Outbox, transport: Transport): void {
    const { kind, maxConcurrent } = transport;
    const now = clock.now();
    if (retryDelays.isDelayed(kind, now.monoMs)) return;
    for (const target of outbox.receivers(kind, now, maxReceivers)) {
      if (activeQueues.get(kind)! >= maxConcurrent) return;
      const queue = queueKey(kind, target);
      if (queues.has(queue) || retryDelays.isDelayed(queue, now.monoMs)) continue;
      activeQueues.set(kind, activeQueues.get(kind)! + 1);
      // Not before this turn is over: a lane that ends at once must not end before it is known.
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
      for (const message of outbox.due({ kind, target }, clock.now(), batchSize)) {
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
      // They stay due: at least once is the promise, and the receiver can tell by the id.
      retryDelays.failed(queue, clock.now().monoMs);
      log.warn({ err }, 'what has left cannot be noted down now, so it will leave again');
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
      log.error({ err, kind: message.kind, topic: message.topic }, 'a message could not be made');
      return {
        kind: 'failed',
        error: 'The message could not be made; the log says why.',
        isFinal: false,
        blame: 'message',
      };
    } finally {
      activeSends.delete(abort);
    }
  }

  /** Remembers who failed and for how long they are left alone. */
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
    const { error, isFinal, blame, retryAfterMs = 0 } = outcome;
    // A final refusal is about this message; the one who refused it is well.
    const isRefusal = blame === 'message';
    const key = blame === 'transport' ? kind : queue;
    const retryDelayMs =
      isFinal && isRefusal
        ? 0
        : retryDelays.failed(key, clock.now().monoMs, { isRefusal, atLeastMs: retryAfterMs });
    log.warn(
      { kind, topic: message.topic, id: message.id, error },
      isFinal ? 'a message was refused' : 'a message waits',
    );
    if (blame === 'transport' || retryDelays.failures(key) >= failuresToReport) setProblem(kind, key, error);
    return { kind: 'failed', error, isFinal, blame, retryDelayMs };
  }

  function setProblem(kind: string, key: string, problem: string | null): void {
    const current = problems.get(kind)!;
    if (problem === null) current.delete(key);
    else current.set(key, problem);
    reporters.get(kind)!(current.size === 0 ? null : [...new Set(current.values())].join(' '));
  }

  const unsubscribers = [
    bus.on('drink.recorded', wake),
    bus.on('database.changed', wake),
    scheduler.every(pollMs, poll),
  ];
  // What a power cut left behind is the first to go.
  wake();

  async function idle(): Promise<void> {
    while (queues.size > 0) await Promise.all(queues.values());
  }

  return {
    wake,
    idle,
    retryNow(kind) {
      retryDelays.reset(kind);
      parts.outbox()?.retryNow(kind);
      wake();
    },
    async stop(withinMs) {
      for (const done of unsubscribers) done();
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
