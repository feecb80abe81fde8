import type { Problem } from '../../../../core/health/problems.ts';
import type { LineFault } from '../../../device-interfaces.ts';
import type { Roots } from '../../host-info.ts';
import type { PinPlan } from '../../pin-plan.ts';
import type { RingMemory } from './edge-ring.ts';
import type { ControlMemory } from './shared-control.ts';

/** Start parameters of the pin thread. Lines and relays are identified by their index in the plan. */
export interface CdevStart {
  readonly plan: PinPlan;
  /** Label or path of the chip; absent to choose a known header chip. */
  readonly chip?: string;
  readonly roots: Roots;
  /** Name the kernel shows as the owner of the lines, at most 31 characters. */
  readonly consumer: string;
  readonly ring: RingMemory;
  readonly control: ControlMemory;
}

/** Main thread to pin thread. `command` is a counter per relay that identifies the newest command. */
export type CdevCommand =
  | {
      readonly kind: 'open';
      readonly relay: number;
      readonly command: number;
      readonly maxMs: number;
      /** Index of the meter whose ticks are counted. */
      readonly line?: number;
      readonly maxTicks?: number;
    }
  | { readonly kind: 'shut'; readonly relay: number; readonly command: number };

/** Pin thread to main thread. */
export type CdevReport =
  | {
      readonly kind: 'opened';
      readonly description: Problem;
      readonly faults: readonly LineFault[];
      /**
       * The main thread writes eight bytes here to wake the pin thread, and closes it after the thread has
       * ended.
       */
      readonly wakeFd: number;
      /** Descriptors of the lines, for the main thread to close if the pin thread dies without doing so. */
      readonly lineFds: readonly number[];
    }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** A failure while running; `isOver` is true when no line counts any more. */
  | {
      readonly kind: 'fault';
      readonly problem: Problem;
      readonly isOver: boolean;
      /** Full name of the relay that could not be switched. */
      readonly relay?: string;
    };
