import { AppError } from '../core/app-error.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Scheduler } from './ports.ts';

/** Maximum number of pending polls, in total and per address. A bar has a few screens and a bot or two. */
const maxPolls = 100;
const maxPollsPerAddress = 8;

/**
 * A poll is not evicted earlier than this, milliseconds. Otherwise nine screens that share eight polls would evict each
 * other as fast as they can repeat their requests.
 */
const minWaitMs = 1_000;

/** A request that is answered when something has happened. */
export interface PollRequest {
  /** Address of the client; the number of polls per address is limited. */
  readonly address: string;
  /** Called after every change of the database: true when the answer is available. */
  readonly isReady: () => boolean;
  readonly timeoutMs: number;
}

/** Long polls that wait for new events. */
export interface PendingPolls {
  /**
   * Resolves when the answer is available, on time-out, when a newer poll evicts this one, and when the daemon stops.
   * Rejects with `unavailable` when no poll is old enough to be evicted.
   */
  wait(request: PollRequest): Promise<void>;
  readonly waiting: number;
}

export interface PendingPollsOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly limits?: { readonly all: number; readonly perAddress: number };
}

/** Creates the pending polls. Stays subscribed to the bus; each poll has one timer. */
export function createPendingPolls({ bus, scheduler, clock, limits }: PendingPollsOptions): PendingPolls {
  const { all, perAddress } = limits ?? { all: maxPolls, perAddress: maxPollsPerAddress };
  // In order of arrival.
  const pending = new Map<PollRequest, { readonly sinceMonoMs: number; answer(): void }>();
  let isCheckScheduled = false;
  let isStopping = false;

  function checkReady(): void {
    isCheckScheduled = false;
    for (const [request, poll] of [...pending]) if (request.isReady()) poll.answer();
  }

  function onChange(): void {
    if (pending.size === 0 || isCheckScheduled) return;
    isCheckScheduled = true;
    // Deferred, so that the polls do not delay the recording of a pour.
    scheduler.after(0, checkReady);
  }

  for (const type of ['drink.recorded', 'database.changed'] as const) bus.on(type, onChange);
  bus.on('daemon.stopping', () => {
    isStopping = true;
    for (const poll of [...pending.values()]) poll.answer();
  });

  /** Answers the oldest poll when the limit is reached: often its client has disconnected. */
  function evictFor(address: string): void {
    const pollsOfAddress = [...pending].filter(([request]) => request.address === address);
    if (pollsOfAddress.length >= perAddress) evict(pollsOfAddress[0]![1]);
    if (pending.size >= all) evict(pending.values().next().value!);
  }

  function evict(poll: { readonly sinceMonoMs: number; answer(): void }): void {
    if (clock.now().monoMs - poll.sinceMonoMs < minWaitMs) {
      throw new AppError(
        'unavailable',
        'Too many clients are waiting for events: try again in a few seconds.',
      );
    }
    poll.answer();
  }

  return {
    async wait(request) {
      if (isStopping || request.isReady()) return;
      evictFor(request.address);
      return new Promise((resolve) => {
        const answer = () => {
          cancelTimeout();
          pending.delete(request);
          resolve();
        };
        const cancelTimeout = scheduler.after(request.timeoutMs, answer);
        pending.set(request, { sinceMonoMs: clock.now().monoMs, answer });
      });
    },
    get waiting() {
      return pending.size;
    },
  };
}
