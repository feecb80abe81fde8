import type { UndoKind } from '../shared/corrections/undo-kinds.ts';
import { leastRoleToUndo, readChangedAccount, undoAccountChange } from './account-corrections.ts';

export const usersUndoKinds: readonly UndoKind[] = [
  {
    name: 'user',
    isByPin: false,
    leastRole: leastRoleToUndo,
    undo: undoAccountChange,
    shutOut(store, correction) {
      const user = readChangedAccount(store, correction);
      return user === null || user.isActive ? null : user.username;
    },
  },
];
