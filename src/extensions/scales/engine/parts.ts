import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { ScaleDatabase } from '../store/scales-store.ts';

/** What the services of scales are made with: the base's parts, with the tables of scales. */
export interface ScaleEngineParts extends EngineParts {
  readonly store: ScaleDatabase;
}
