import { AppError } from '../../core/app-error.ts';
import type { TokenImage } from '../../store/access/tokens-table.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import { restoring, type UndoKind } from '../shared/corrections/undo-kinds.ts';

export const accessUndoKinds: readonly UndoKind[] = [
  { name: 'token', isByPin: false, undo: restoring({ restore: undoTokenRemoval }) },
];

/**
 * Creates a deleted token again as it was; without an owner if that account is gone. Throws `conflict` when there is a token
 * of that device and value again. Call it in a transaction.
 */
function undoTokenRemoval(store: Store, correction: CorrectionRow): void {
  const token = JSON.parse(correction.before) as TokenImage;
  const other = store.access.tokens.find(token.authDevice, token.tokenValue);
  if (other !== null) {
    throw new AppError('conflict', 'This cannot be undone: the token was added again since.', {
      reason: { name: 'token_added_since' },
    });
  }
  const owner = token.userId === null ? null : store.users.byId(token.userId);
  store.access.tokens.restore({ ...token, userId: owner?.id ?? null });
}
