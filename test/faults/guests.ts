import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/monotonic.ts';
import { SimulatedBoard } from '../kit/board.ts';
import { ask, type FaultBar, idleMs, pulse } from './fault-bar.ts';

/** A glass drawn at a simulated tap, on the kernel's monotonic clock, which daemon and test share. */
export interface Glass {
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
  /** The first tick fell between these two, milliseconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** False when the house died before it said that it pours. */
  readonly certain: boolean;
}

/** Ticks of a glass whose first tick fell at `startMs`, up to and including `untilMs`. */
export function fallen({ ticks, hz }: Glass, startMs: number, untilMs: number): number {
  if (untilMs < startMs) return 0;
  return Math.min(ticks, Math.floor(((untilMs - startMs) * hz) / 1_000) + 1);
}

/** Draws glass after glass at one tap until nobody answers; each is a pour of its own. */
export async function drawGlasses(
  url: string,
  { meter, random, drawn }: { meter: string; random: () => number; drawn: Glass[] },
): Promise<void> {
  await pause(random() * 300);
  for (;;) {
    const glass = { meter, ticks: 30 + Math.floor(random() * 400), hz: 200 + Math.floor(random() * 120) };
    const notBeforeMs = monotonicMs();
    const poured = pulse(url, meter, glass.ticks, glass.hz);
    const certain = await poured.then(
      () => true,
      () => false,
    );
    drawn.push({ ...glass, notBeforeMs, notAfterMs: monotonicMs(), certain });
    if (!certain) return;
    await pause((glass.ticks * 1_000) / glass.hz + idleMs + 150 + random() * 500);
  }
}

/** An old controller: posts its pours one by one, and posts again what was not answered. */
export class PostingController {
  readonly #name: string;
  /** The drink each answered pour became. */
  readonly answered = new Map<string, number>();
  #number = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get posted(): number {
    return this.#number + 1;
  }

  /** Posts until nobody answers; the pour under way is the first of the next time. */
  async post(url: string, bar: FaultBar, most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let n = 0; n < most; n++) {
      const pourId = `${this.#name}-${this.#number}`;
      const posted = ask(url, bar, `/api/v1/taps/pi.flow${n % 4}`, { ticks: 50, pour_id: pourId });
      const answer = await posted.catch(() => null);
      if (answer === null) return;
      if (answer.status !== 200) throw new Error(`A pour was answered ${answer.status}.`);
      const { object } = answer.body as unknown as { object: { id: number | string } };
      this.answered.set(pourId, Number(object.id));
      this.#number++;
      await pause(30);
    }
  }
}

/** A board over the network; what it is not answered for it says again. */
export function boardAt(url: () => string): SimulatedBoard {
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
export async function letIn(board: SimulatedBoard, url: string, bar: FaultBar): Promise<void> {
  board.status('boot');
  await board.deliver();
  const { status } = await ask(url, bar, `/api/admin/kegboards/${board.device}/allow`, {});
  if (status !== 200) throw new Error(`The board was not let in: ${status}.`);
  await board.deliver();
  await board.deliverAll();
}

/** A thermometer in the cellar: each reading a thousandth of a degree above the one before. */
export class Probe {
  sentC = 4;
  answeredC = 4;
  answered = 0;

  async read(url: string, bar: FaultBar): Promise<void> {
    for (;;) {
      this.sentC = Math.round(this.sentC * 1_000 + 1) / 1_000;
      const body = { temp_c: this.sentC };
      const answer = await ask(url, bar, '/api/v1/thermo-sensors/cellar', body).catch(() => null);
      if (answer === null) return;
      if (answer.status !== 200) throw new Error(`A temperature was answered ${answer.status}.`);
      this.answeredC = this.sentC;
      this.answered++;
      await pause(40);
    }
  }
}
