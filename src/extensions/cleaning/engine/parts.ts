import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';

/** What the services of this extension are created with. */
export interface CleaningEngineParts extends EngineParts {
  readonly store: CleaningDatabase;
}
