/** A flow meter on a pin of this machine, as superusers chose it on the page. */
export interface PinMeter {
  readonly kind: 'meter';
  /** Name on this machine's controller, unique among meters and relays. */
  readonly port: string;
  /** GPIO line. */
  readonly pin: number;
  /** Model of the catalogue; null without one. */
  readonly model: string | null;
  /** Calibration a new meter starts with, ticks/mL; null takes that of the model. */
  readonly ticksPerMl: number | null;
  /** Edges closer than this to the last counted one are bounce; null takes what follows from the model. */
  readonly minGapMs: number | null;
  readonly bias: 'pull-up' | 'pull-down' | 'none';
  readonly edge: 'falling' | 'rising';
}

/** A relay on a pin of this machine, as superusers chose it on the page. */
export interface PinRelay {
  readonly kind: 'relay';
  /** Name on this machine's controller, unique among meters and relays. */
  readonly port: string;
  /** GPIO line. */
  readonly pin: number;
  /** True when the relay is on at low level. */
  readonly activeLow: boolean;
  /** Mark of the machine that it was wired to, see `system/machine-identity.ts`; null when that was unknown. */
  readonly machine: string | null;
}

/** A part on a pin that is kept in the database. */
export type PinEntry = PinMeter | PinRelay;

/** Most entries of each kind, in the settings file and in the database together. */
export const maxPinEntries = 64;

/** The highest GPIO line that can be chosen. */
export const highestPin = 63;
