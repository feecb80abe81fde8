import { accessUndoKinds } from './access/undo-kinds.ts';
import { drinksUndoKinds } from './drinks/corrections/undo-kinds.ts';
import { kegsUndoKinds } from './kegs/undo-kinds.ts';
import { reportsUndoKinds } from './reports/undo-kinds.ts';
import type { UndoKind } from './shared/corrections/undo-kinds.ts';
import { siteUndoKinds } from './site/undo-kinds.ts';
import { tapsUndoKinds } from './taps/undo-kinds.ts';
import { usersUndoKinds } from './users/undo-kinds.ts';

/** What each subject declares about undoing its changes. */
export const undoKinds: readonly UndoKind[] = [
  ...usersUndoKinds,
  ...kegsUndoKinds,
  ...tapsUndoKinds,
  ...accessUndoKinds,
  ...drinksUndoKinds,
  ...reportsUndoKinds,
  ...siteUndoKinds,
];
