import type { Engine } from '../../../engine/engine.ts';
import type { RouteParts } from '../../extension.ts';
import type { CleaningServices } from '../engine/cleanings.ts';

/** What the routes need of the valves: their background service has it. */
export interface CleaningValves {
  /** Keeps a relay open while the cleaning runs. Throws `unavailable` or `not_found` when it cannot be switched. */
  open(cleaning: { readonly id: number; readonly tapId: number }, toggle: string): void;
  /** Shuts it again, unless somebody else needs it. */
  release(cleaningId: number): void;
}

export type CleaningRouteParts = RouteParts<CleaningServices, CleaningValves>;

/** Finds the services of the extension. */
export interface FindsServices {
  readonly servicesOf: (engine: Engine) => CleaningServices;
}
