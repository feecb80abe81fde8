import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Scheduler } from './ports.ts';

/** Programs that may wait at once, from anywhere and from one address: a bar has a few screens and a bot or two. */
const maxPolls = 100;
const maxPollsPerAddress = 8;

/**
 * Nobody gives up a seat sooner, milliseconds. Nine screens on eight seats would else answer one another as fast as they
 * can ask again.
 */
const minWaitMs = 1_000;

/** Somebody who wants to be answered when something has happened. */
export interface PollRequest {
  /** Where he asks from; one address has only so many seats. */
  readonly address: string;
  /** Asked after every change of the ledger: whether there is now what he waits for. */
  readonly isReady: () => boolean;
  readonly timeoutMs: number;
}

/** Those who wait for the house's diary to go on. */
export interface PendingPolls {
  /**
   * Ends when it has come, when the time is up, when others need the seat, and when the house closes. Rejects with
   * `unavailable` where every seat has only just been taken.
   */
  wait(request: PollRequest): Promise<void>;
  readonly waiting: number;
}

export interface PendingPollsOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly most?: { readonly all: number; readonly perAddress: number };
}

/** Listens to the bus for as long as the bus lives; owns one timer for each who waits. */
export function createPendingPolls({ bus, scheduler, clock, most }: PendingPollsOptions): PendingPolls {
  const { all, perAddress } = most ?? { all: maxPolls, perAddress: maxPollsPerAddress };
  // In the order of their coming.
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
    // Not at once: a pour must not wait for those who wait for it.
    scheduler.after(0, checkReady);
  }

  for (const type of ['drink.recorded', 'database.changed'] as const) bus.on(type, onChange);
  bus.on('daemon.stopping', () => {
    isStopping = true;
    for (const poll of [...pending.values()]) poll.answer();
  });

  /** Who has waited longest is answered for the newcomer's sake: often he has hung up long ago. */
  function evictFor(address: string): void {
    const ofAddress = [...pending].filter(([request]) => request.address === address);
    if (ofAddress.length >= perAddress) evict(ofAddress[0]![1]);
    if (pending.size >= all) evict(pending.values().next().value!);
  }

  function evict(poll: { readonly sinceMonoMs: number; answer(): void }): void {
    if (clock.now().monoMs - poll.sinceMonoMs < minWaitMs) {
      throw new AppError('unavailable', 'Too many wait for news at once: ask again in a few seconds.');
    }
    poll.answer();
  }

  return {
    async wait(request) {
      if (isStopping || request.isReady()) return;
      evictFor(request.address);
      return new Promise((resolve) => {
        const answer = () => {
          callOff();
          pending.delete(request);
          resolve();
        };
        const callOff = scheduler.after(request.timeoutMs, answer);
        pending.set(request, { sinceMonoMs: clock.now().monoMs, answer });
      });
    },
    get waiting() {
      return pending.size;
    },
  };
}
