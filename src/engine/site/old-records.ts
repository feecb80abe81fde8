import type { Moment } from '../../core/clock/moment.ts';
import type { EngineParts } from '../shared/parts.ts';

/** What extensions keep for some time only, also those that are off. */
export function createOldRecords({ store }: Pick<EngineParts, 'store'>) {
  return {
    /** Deletes what is older. Does nothing before the clock is set. */
    remove(now: Moment): void {
      if (!now.synced) return;
      const all = store.oldRecords(Math.round(now.wallMs));
      if (all.length === 0) return;
      store.transaction(() => {
        for (const remove of all) remove();
      });
    },
  };
}
