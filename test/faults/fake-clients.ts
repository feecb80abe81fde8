import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/clock-readings.ts';
import { logInConfirmed } from '../kit/confirmed-login.ts';
import { SimulatedBoard } from '../kit/simulated-board.ts';
import { type FaultBar, idleMs, pulse, request } from './fault-bar.ts';

/** A simulated pour, with times of the kernel's monotonic clock, which daemon and test share. */
export interface FakePour {
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
  /** Bounds of the time of the first tick. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** False when the daemon was killed before it replied to the request. */
  readonly isConfirmed: boolean;
}

/** Ticks of a pour with its first tick at `startMs`, up to and including `untilMs`. */
export function countTicks({ ticks, hz }: FakePour, startMs: number, untilMs: number): number {
  if (untilMs < startMs) return 0;
  return Math.min(ticks, Math.floor(((untilMs - startMs) * hz) / 1_000) + 1);
}

/** Makes one pour after the other at one tap until the daemon does not reply. */
export async function pourRepeatedly(
  url: string,
  { meter, random, pours }: { meter: string; random: () => number; pours: FakePour[] },
): Promise<void> {
  await pause(random() * 300);
  for (;;) {
    const pour = { meter, ticks: 30 + Math.floor(random() * 400), hz: 200 + Math.floor(random() * 120) };
    const notBeforeMs = monotonicMs();
    const reply = pulse(url, meter, pour.ticks, pour.hz);
    const isConfirmed = await reply.then(
      () => true,
      () => false,
    );
    pours.push({ ...pour, notBeforeMs, notAfterMs: monotonicMs(), isConfirmed });
    if (!isConfirmed) return;
    await pause((pour.ticks * 1_000) / pour.hz + idleMs + 150 + random() * 500);
  }
}

/** A legacy controller: posts its pours one by one and repeats those without a reply. */
export class PostingController {
  readonly #name: string;
  /** Drink id by the pour_id of each acknowledged pour. */
  readonly confirmed = new Map<string, number>();
  #number = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get posted(): number {
    return this.#number + 1;
  }

  /** Posts until the daemon does not reply; the next call repeats that pour. */
  async post(url: string, bar: FaultBar, maxPosts = Number.POSITIVE_INFINITY): Promise<void> {
    for (let n = 0; n < maxPosts; n++) {
      const pourId = `${this.#name}-${this.#number}`;
      // A repetition is of the same meter.
      const meter = `pi.flow${this.#number % 4}`;
      const posted = request(url, bar, `/api/v1/taps/${meter}`, { ticks: 50, pour_id: pourId });
      const answer = await posted.catch(() => null);
      if (answer === null) return;
      if (answer.status !== 200) throw new Error(`The reply to a pour was ${answer.status}.`);
      const { object } = answer.body as unknown as { object: { id: number | string } };
      this.confirmed.set(pourId, Number(object.id));
      this.#number++;
      await pause(30);
    }
  }
}

/** A network kegboard; it repeats batches without a reply. */
export function createBoard(url: () => string): SimulatedBoard {
  return new SimulatedBoard({
    nowMs: () => Math.floor(monotonicMs()),
    async wire(batch, token) {
      try {
        const answer = await fetch(`${url()}/api/device-event`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(batch),
        });
        return { status: answer.status, body: (await answer.json()) as object };
      } catch {
        return { status: 0, body: {} };
      }
    },
  });
}

/** Pairs a board and delivers its status, which lists its meters. */
export async function pairBoard(board: SimulatedBoard, url: string, bar: FaultBar): Promise<void> {
  board.status('boot');
  await board.deliver();
  const headers = await logInConfirmed(url, 'carl', bar.password);
  const path = `/api/admin/kegboards/${board.device}/allow`;
  const { status } = await fetch(url + path, { method: 'POST', headers });
  if (status !== 200) throw new Error(`The board could not be allowed: ${status}.`);
  await board.deliver();
  await board.deliverAll();
}

/** A client that posts temperatures, each 0.001 °C above the one before. */
export class FakeThermometer {
  sentC = 4;
  confirmedC = 4;
  confirmedCount = 0;

  async read(url: string, bar: FaultBar): Promise<void> {
    for (;;) {
      this.sentC = Math.round(this.sentC * 1_000 + 1) / 1_000;
      const body = { temp_c: this.sentC };
      const answer = await request(url, bar, '/api/v1/thermo-sensors/cellar', body).catch(() => null);
      if (answer === null) return;
      if (answer.status !== 200) throw new Error(`The reply to a temperature was ${answer.status}.`);
      this.confirmedC = this.sentC;
      this.confirmedCount++;
      await pause(40);
    }
  }
}
