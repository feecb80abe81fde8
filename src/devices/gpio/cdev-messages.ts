import type { LineFault } from '../ports.ts';
import type { RingMemory } from './edge-ring.ts';
import type { Roots } from './host-info.ts';
import type { PinPlan } from './pin-plan.ts';
import type { ControlMemory } from './shared-control.ts';

/** What the pin thread is given at its start. Lines and relays are known by their index in the plan. */
export interface CdevStart {
  readonly plan: PinPlan;
  /** Label or path of the chip, absent for the known ones. */
  readonly chip?: string;
  readonly roots: Roots;
  /** Name shown as the owner of our lines, at most 31 characters. */
  readonly consumer: string;
  readonly ring: RingMemory;
  readonly control: ControlMemory;
}

/** Main to thread. `command` counts up per relay, so that both know which one was the last. */
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

/** Thread to main. */
export type CdevReport =
  | {
      readonly kind: 'opened';
      readonly describe: string;
      readonly faults: readonly LineFault[];
      /** Main writes eight bytes here to wake the thread, and closes it when the thread has ended. */
      readonly wakeFd: number;
    }
  | { readonly kind: 'failed'; readonly problem: string }
  /** Something went wrong while running; `isOver` when no line counts any more. */
  | {
      readonly kind: 'fault';
      readonly problem: string;
      readonly isOver: boolean;
      /** Full name of the relay that could not be switched. */
      readonly relay?: string;
    };
