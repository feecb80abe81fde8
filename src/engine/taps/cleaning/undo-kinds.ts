import { restoring, type UndoKind } from '../../shared/corrections/undo-kinds.ts';
import { readChangedPlans, undoPlanChange } from './cleaning-plan-corrections.ts';

export const cleaningUndoKinds: readonly UndoKind[] = [
  {
    name: 'cleaning_plans',
    isByPin: false,
    undo: restoring({ restore: undoPlanChange, read: readChangedPlans }),
  },
];
