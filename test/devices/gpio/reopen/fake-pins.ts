import { AppError } from '../../../../src/core/app-error.ts';
import { textProblem } from '../../../../src/core/health/problems.ts';
import type { LineBatch, LineFault } from '../../../../src/devices/device-interfaces.ts';
import type { OpenedPins } from '../../../../src/devices/gpio/choose-driver.ts';

/** A driver of some lines, controlled by a test. */
export class FakePins {
  readonly requested: ReadonlySet<string>;
  readonly faults: LineFault[];
  readonly opened = new Set<string>();
  batches: LineBatch[] = [];
  untilMonoMs = 0;
  hasEnded = false;
  isClosed = false;

  constructor(requested: Iterable<string>, faults: Readonly<Record<string, string>> = {}) {
    this.requested = new Set(requested);
    this.faults = Object.entries(faults).map(([name, problem]) => ({ name, problem: textProblem(problem) }));
  }

  /** Ends the driver as a dead pin thread does. */
  end(problem: string): void {
    this.hasEnded = true;
    this.faults.push(...[...this.requested].map((name) => ({ name, problem: textProblem(problem) })));
  }

  pulse(meter: string, ...stampsMonoMs: number[]): void {
    this.batches.push({ meter, stampsMonoMs, lost: 0 });
  }

  pins(driver: OpenedPins['driver'] = 'cdev'): OpenedPins {
    const find = (name: string): void => {
      if (!this.requested.has(name)) throw new AppError('not_found', `No relay is called "${name}".`);
    };
    return {
      driver,
      attempts: [],
      hasEnded: () => this.hasEnded,
      input: {
        driver,
        description: [textProblem([...this.requested].join(', '))],
        faults: this.faults,
        drain: () => ({ lines: this.batches.splice(0), untilMonoMs: this.untilMonoMs }),
        lines: () =>
          [...this.requested].map((name) => ({ name, pin: 17, received: 1, lost: 0, level: 1 as const })),
        close: async () => {
          this.isClosed = true;
        },
      },
      toggles: {
        open: (name, limits) => {
          find(name);
          this.opened.add(`${name} ${JSON.stringify(limits)}`);
        },
        shut: find,
        isOpen: () => this.opened.size > 0,
        heartbeat: () => undefined,
        close: async () => undefined,
      },
    };
  }
}
