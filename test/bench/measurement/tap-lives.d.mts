import type { Random } from '../../../src/devices/simulated/flow-model/random.ts';

/** Kinds of taps whose hands, pressure or meter change. */
export declare const lives: Readonly<Record<string, (random: Random) => unknown>>;

/** What became of the pours of one tap. */
export interface TapLife {
  readonly pours: number;
  /** Times that staff were asked whether the keg is empty while there was beer. */
  readonly falseQuestions: number;
  /** Kegs that ran empty, and those of which staff were asked. */
  readonly ends: number;
  readonly asked: number;
  /** Ticks of the meter, and those in drinks, held pours and deleted gas. */
  readonly ticks: number;
  readonly recordedTicks: number;
}

/** Pours `pours` times at a tap with that life. */
export declare function liveTap(
  life: (random: Random) => unknown,
  options: { readonly pours: number; readonly random: Random },
): TapLife;
