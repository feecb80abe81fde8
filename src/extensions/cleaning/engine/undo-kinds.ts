import { restoring, type UndoKind } from '../../../engine/shared/corrections/undo-kinds.ts';
import { withCleanings } from '../store/cleaning-store.ts';
import { readChangedPlans, undoPlanChange } from './cleaning-plan-corrections.ts';

export const cleaningUndoKinds: readonly UndoKind[] = [
  {
    name: 'cleaning_plans',
    isByPin: false,
    undo: restoring({
      restore: (store, correction) => undoPlanChange(withCleanings(store), correction),
      read: (store, correction) => readChangedPlans(withCleanings(store), correction),
    }),
  },
];
