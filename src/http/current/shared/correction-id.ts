import type { Engine } from '../../../engine/engine.ts';
import { Id, Nullable } from '../../routes/schemas.ts';

/** Members of a reply to a change that can be undone. */
export const correctionFields = {
  correction_id: Nullable({
    ...Id,
    description:
      'Id by which `POST /api/corrections/{id}/undo` undoes the change; null when nothing was changed.',
  }),
};

/** The members of `correctionFields` for the latest change of a kind; call it in the same step as the change. */
export const correctionOf = (
  { audit }: Engine,
  ...change: Parameters<Engine['audit']['latestCorrection']>
): { correction_id: number | null } => ({ correction_id: audit.latestCorrection(...change) });

/** The members of `correctionFields` for a change that says how it is undone. */
export const correctionIdOf = ({ correctionId }: { readonly correctionId: number | null }) => ({
  correction_id: correctionId,
});
