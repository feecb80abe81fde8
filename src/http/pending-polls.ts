import { AppError } from '../core/app-error.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Scheduler } from './ports.ts';
import { toAddressGroup } from './server/overload.ts';
import { overloadLimits } from './server/overload-limits.ts';
import { createSlots } from './server/slots.ts';

/** A request that is answered when something has happened. */
interface PollRequest {
  /** Address of the client; the number of polls per address is limited. */
  readonly address: string;
  /** Called after every change of the database: true when the answer is available. */
  readonly isReady: () => boolean;
  readonly timeoutMs: number;
}

/** A poll that waits for its answer. */
interface PendingPoll {
  readonly isReady: () => boolean;
  readonly sinceMonoMs: number;
  answer(): void;
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

interface PendingPollsOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly limits?: { readonly total: number; readonly perAddress: number };
}

/** Creates the pending polls. Stays subscribed to the bus; each poll has one timer. */
export function createPendingPolls({ bus, scheduler, clock, limits }: PendingPollsOptions): PendingPolls {
  const { minWaitMs } = overloadLimits.longPolls;
  const slots = createSlots<PendingPoll>(limits ?? overloadLimits.longPolls, {
    isEvictable: ({ sinceMonoMs }) => clock.now().monoMs - sinceMonoMs >= minWaitMs,
    evict: (poll) => poll.answer(),
  });
  let isCheckScheduled = false;
  let isStopping = false;

  function checkReady(): void {
    isCheckScheduled = false;
    for (const poll of slots.holders()) if (poll.isReady()) poll.answer();
  }

  function onChange(): void {
    if (slots.size === 0 || isCheckScheduled) return;
    isCheckScheduled = true;
    // Deferred, so that the polls do not delay the recording of a pour.
    scheduler.after(0, checkReady);
  }

  for (const type of ['drink.recorded', 'database.changed'] as const) bus.on(type, onChange);
  for (const type of ['daemon.stopping', 'database.closing'] as const) {
    bus.on(type, () => {
      isStopping = true;
      for (const poll of slots.holders()) poll.answer();
    });
  }

  return {
    async wait({ address, isReady, timeoutMs }) {
      if (isStopping || isReady()) return;
      return new Promise((resolve) => {
        const poll: PendingPoll = {
          isReady,
          sinceMonoMs: clock.now().monoMs,
          answer() {
            cancelTimeout();
            slots.release(poll);
            resolve();
          },
        };
        if (!slots.acquire(poll, toAddressGroup(address))) {
          throw new AppError(
            'unavailable',
            'Too many clients are waiting for events: try again in a few seconds.',
          );
        }
        const cancelTimeout = scheduler.after(timeoutMs, poll.answer);
      });
    },
    get waiting() {
      return slots.size;
    },
  };
}
