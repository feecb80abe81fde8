import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/monotonic.ts';
import { SimulatedBoard } from '../kit/board.ts';
import { type FaultBar, idleMs, pulse, request } from './fault-bar.ts';

/** A glass drawn at a simulated tap, on the kernel's monotonic clock, which daemon and test share. */
export interface FakePour {
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
  /** The first tick fell between these two, milliseconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** False when the house died before it said that it pours. */
  readonly isConfirmed: boolean;
}

/** Ticks of a glass whose first tick fell at `startMs`, up to and including `untilMs`. */
export function countTicks({ ticks, hz }: FakePour, startMs: number, untilMs: number): number {
  if (untilMs < startMs) return 0;
  return Math.min(ticks, Math.floor(((untilMs - startMs) * hz) / 1_000) + 1);
}

/** Draws glass after glass at one tap until nobody answers; each is a pour of its own. */
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

/** An old controller: posts its pours one by one, and posts again what was not answered. */
export class PostingController {
  readonly #name: string;
  /** The drink each answered pour became. */
  readonly confirmed = new Map<string, number>();
  #number = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get posted(): number {
    return this.#number + 1;
  }

  /** Posts until nobody answers; the pour under way is the first of the next time. */
  async post(url: string, bar: FaultBar, maxPosts = Number.POSITIVE_INFINITY): Promise<void> {
    for (let n = 0; n < maxPosts; n++) {
      const pourId = `${this.#name}-${this.#number}`;
      const posted = request(url, bar, `/api/v1/taps/pi.flow${n % 4}`, { ticks: 50, pour_id: pourId });
      const answer = await posted.catch(() => null);
      if (answer === null) return;
      if (answer.status !== 200) throw new Error(`A pour was answered ${answer.status}.`);
      const { object } = answer.body as unknown as { object: { id: number | string } };
      this.confirmed.set(pourId, Number(object.id));
      this.#number++;
      await pause(30);
    }
  }
}

/** A board over the network; what it is not answered for it says again. */
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

/** Lets a board in and has it say what hangs on it. */
export async function pairBoard(board: SimulatedBoard, url: string, bar: FaultBar): Promise<void> {
  board.status('boot');
  await board.deliver();
  const { status } = await request(url, bar, `/api/admin/kegboards/${board.device}/allow`, {});
  if (status !== 200) throw new Error(`The board was not let in: ${status}.`);
  await board.deliver();
  await board.deliverAll();
}

/** A thermometer in the cellar: each reading a thousandth of a degree above the one before. */
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
      if (answer.status !== 200) throw new Error(`A temperature was answered ${answer.status}.`);
      this.confirmedC = this.sentC;
      this.confirmedCount++;
      await pause(40);
    }
  }
}
