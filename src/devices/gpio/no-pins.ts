import type { Problem } from '../../core/health/problems.ts';
import type { LineFault } from '../device-interfaces.ts';
import { monotonicMs } from './edge-buffer.ts';
import type { OpenPins } from './open-pins.ts';
import type { PinPlan } from './pin-plan.ts';
import { throwToggleError } from './toggle-rules.ts';

/**
 * Placeholder without a driver: every line is a fault with `problem`, and opening a relay throws that
 * problem.
 */
export function openNoPins(plan: PinPlan, problem: Problem): OpenPins {
  const broken = [...plan.meters, ...plan.relays];
  const faults: LineFault[] = [...plan.faults, ...broken.map(({ name }) => ({ name, problem }))];
  return {
    input: {
      driver: 'none',
      description: [problem],
      faults,
      drain: () => ({ lines: [], untilMonoMs: monotonicMs() }),
      lines: () => plan.meters.map(({ name, pin }) => ({ name, pin, received: 0, lost: null, level: null })),
      close: async () => undefined,
    },
    toggles: {
      open: (name) => throwToggleError(name, faults),
      shut: () => undefined,
      isOpen: () => false,
      heartbeat: () => undefined,
      close: async () => undefined,
    },
  };
}
