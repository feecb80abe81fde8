import type { Pour, PourStep } from './pour.ts';

/** Bursts a meter may have seen while another tap's silence was still being waited for. */
const rememberedSpans = 16;

/** First and last tick, kernel-monotonic milliseconds. */
interface Span {
  readonly firstMonoMs: number;
  readonly lastMonoMs: number;
}

/**
 * Remembers what the other taps did. A switching compressor is seen on all lines at once; two people may well start
 * to pour in the same instant, but they do not also stop in it.
 *
 * Tell it every step of every meter of a drain before asking about the pours that ended in that drain: after a stall one
 * batch may hold the whole burst.
 */
export class PourCompany {
  readonly #simultaneousMs: number;
  readonly #current = new Map<string, Span>();
  readonly #past = new Map<string, Span[]>();

  /** 0 switches the judgement off. */
  constructor({ simultaneousMs }: { readonly simultaneousMs: number }) {
    this.#simultaneousMs = simultaneousMs;
  }

  /** Takes note of one step of one meter's tracker; drips are company too. */
  saw(meter: string, step: PourStep): void {
    switch (step.kind) {
      case 'started':
        this.#current.set(meter, { firstMonoMs: step.startedMonoMs, lastMonoMs: step.startedMonoMs });
        return;
      case 'flowing': {
        const current = this.#current.get(meter);
        if (current) this.#current.set(meter, { ...current, lastMonoMs: step.lastTickMonoMs });
        return;
      }
      case 'drip':
        this.#ended(meter, spanOf(step));
        return;
      case 'ended':
        this.#ended(meter, spanOf(step.pour));
    }
  }

  /** Whether another meter's ticks began and ended with this pour's. */
  isSimultaneous(meter: string, pour: Pick<Pour, 'startedMonoMs' | 'durationMs'>): boolean {
    if (this.#simultaneousMs <= 0) return false;
    const span = spanOf(pour);
    for (const [other, current] of this.#current) {
      if (other !== meter && this.#coincide(span, current)) return true;
    }
    for (const [other, past] of this.#past) {
      if (other !== meter && past.some((one) => this.#coincide(span, one))) return true;
    }
    return false;
  }

  #ended(meter: string, span: Span): void {
    this.#current.delete(meter);
    const past = this.#past.get(meter) ?? [];
    past.push(span);
    if (past.length > rememberedSpans) past.shift();
    this.#past.set(meter, past);
  }

  #coincide(a: Span, b: Span): boolean {
    return (
      Math.abs(a.firstMonoMs - b.firstMonoMs) <= this.#simultaneousMs &&
      Math.abs(a.lastMonoMs - b.lastMonoMs) <= this.#simultaneousMs
    );
  }
}

function spanOf({ startedMonoMs, durationMs }: Pick<Pour, 'startedMonoMs' | 'durationMs'>): Span {
  return { firstMonoMs: startedMonoMs, lastMonoMs: startedMonoMs + durationMs };
}
