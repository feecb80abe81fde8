import type { Valves } from './valves.ts';

/** The holder of a relay that staff opened manually. */
export const manualHolder = 'manual';

/** The volume for which a relay is opened manually. */
export interface ManualLimit {
  readonly meter: string;
  readonly maxTicks: number;
}

/** Relays that staff or a command opened for a time, and perhaps for a volume, independently of any grant. */
export class ManualOpenings {
  readonly #valves: Valves;
  /** What may still flow through relays that were opened for a volume. */
  readonly #limits = new Map<string, { readonly meter: string; ticksLeft: number }>();

  constructor(valves: Valves) {
    this.#valves = valves;
  }

  /** Opens a relay until `untilMonoMs` or until its meter has counted the ticks. Throws when it cannot be switched. */
  open(toggle: string, untilMonoMs: number, limit?: ManualLimit): void {
    // Checked first: a request for a relay that is not driven here is the caller's mistake, not a health
    // problem.
    this.#valves.requireDriver(toggle);
    this.#valves.open(toggle, manualHolder, { untilMonoMs, ...limit });
    if (limit === undefined) this.#limits.delete(toggle);
    else this.#limits.set(toggle, { meter: limit.meter, ticksLeft: limit.maxTicks });
  }

  /** Counts ticks of a meter, and releases the relays whose volume is reached. */
  countTicks(meter: string, added: number): void {
    for (const [toggle, limit] of this.#limits) {
      if (limit.meter !== meter) continue;
      limit.ticksLeft -= added;
      if (limit.ticksLeft > 0) continue;
      this.#limits.delete(toggle);
      this.#valves.release(toggle, manualHolder);
    }
  }

  /** Forgets the volume of a relay that was shut; false when it had none. */
  removeLimit(toggle: string): boolean {
    return this.#limits.delete(toggle);
  }
}
