import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Scheduler } from './ports.ts';

/** Programs that may wait at once, from anywhere and from one address: a bar has a few screens and a bot or two. */
const mostWaiting = 100;
const mostFromOneAddress = 8;

/**
 * Nobody gives up a seat sooner, milliseconds. Nine screens on eight seats would else answer one another as fast as they
 * can ask again.
 */
const securelySeatedMs = 1_000;

/** Somebody who wants to be answered when something has happened. */
export interface Waiter {
  /** Where he asks from; one address has only so many seats. */
  readonly address: string;
  /** Asked after every change of the ledger: whether there is now what he waits for. */
  readonly hasCome: () => boolean;
  readonly atMostMs: number;
}

/** Those who wait for the house's diary to go on. */
export interface EventWait {
  /**
   * Ends when it has come, when the time is up, when others need the seat, and when the house closes. Rejects with
   * `unavailable` where every seat has only just been taken.
   */
  wait(waiter: Waiter): Promise<void>;
  readonly waiting: number;
}

export interface EventWaitOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly most?: { readonly all: number; readonly fromOneAddress: number };
}

/** Listens to the bus for as long as the bus lives; owns one timer for each who waits. */
export function createEventWait({ bus, scheduler, clock, most }: EventWaitOptions): EventWait {
  const { all, fromOneAddress } = most ?? { all: mostWaiting, fromOneAddress: mostFromOneAddress };
  // In the order of their coming.
  const seats = new Map<Waiter, { readonly sinceMonoMs: number; answer(): void }>();
  let isLooking = false;
  let isClosing = false;

  function look(): void {
    isLooking = false;
    for (const [waiter, seat] of [...seats]) if (waiter.hasCome()) seat.answer();
  }

  function changed(): void {
    if (seats.size === 0 || isLooking) return;
    isLooking = true;
    // Not at once: a pour must not wait for those who wait for it.
    scheduler.after(0, look);
  }

  for (const type of ['drink.recorded', 'database.changed'] as const) bus.on(type, changed);
  bus.on('daemon.stopping', () => {
    isClosing = true;
    for (const seat of [...seats.values()]) seat.answer();
  });

  /** Who has waited longest is answered for the newcomer's sake: often he has hung up long ago. */
  function makeRoom(address: string): void {
    const ofAddress = [...seats].filter(([waiter]) => waiter.address === address);
    if (ofAddress.length >= fromOneAddress) giveUp(ofAddress[0]![1]);
    if (seats.size >= all) giveUp(seats.values().next().value!);
  }

  function giveUp(seat: { readonly sinceMonoMs: number; answer(): void }): void {
    if (clock.now().monoMs - seat.sinceMonoMs < securelySeatedMs) {
      throw new AppError('unavailable', 'Too many wait for news at once: ask again in a few seconds.');
    }
    seat.answer();
  }

  return {
    async wait(waiter) {
      if (isClosing || waiter.hasCome()) return;
      makeRoom(waiter.address);
      return new Promise((resolve) => {
        const answer = () => {
          callOff();
          seats.delete(waiter);
          resolve();
        };
        const callOff = scheduler.after(waiter.atMostMs, answer);
        seats.set(waiter, { sinceMonoMs: clock.now().monoMs, answer });
      });
    },
    get waiting() {
      return seats.size;
    },
  };
}
