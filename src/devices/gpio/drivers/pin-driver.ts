import type { OpenPins, PinRequest } from '../open-pins.ts';

/**
 * What a driver of real pins declares about itself. `list.ts` names the drivers; the settings, the doctor and the counting take
 * from there what they need to know, so that no other file knows a driver by its name.
 */
export interface PinDriver<Name extends string = string> {
  /** The value of the setting `gpio.driver`. */
  readonly name: Name;
  /** What it is, for the table of settings. */
  readonly description: string;
  /** Why `auto` takes it, after those before it in the list did not work; null where only the setting chooses it. */
  readonly autoReason: string | null;
  /** True when each edge is stamped by itself, in the kernel or by DMA, not when the main loop receives it. */
  readonly hasExactStamps: boolean;
  /** True when a second instance would end the first one: its lines are those of the start. */
  readonly isOnlyOnce: boolean;
  /** How the kernel shows the daemon as the holder of its lines; null for a driver that requests none from the kernel. */
  readonly holder: {
    readonly pattern: RegExp;
    /** True when other programs are shown alike: then a line is the daemon's only while the daemon runs. */
    readonly isShared: boolean;
  } | null;
  /** The optional library that it needs; null when it needs none. npm skips it silently on a Pi without a compiler. */
  readonly library: {
    readonly name: string;
    /** Debian packages that its installation needs. */
    readonly packages: string;
    /** Where `auto` needs it, as a sentence without its end. */
    readonly autoNeed?: string;
  } | null;
  /** Opens the lines. Rejects with `unavailable` when it cannot be used here. */
  open(request: PinRequest): Promise<OpenPins>;
}
