import { type Answer, request } from '../../../api/client.ts';
import type { PictureChange } from '../../../components/picture/picture-field.tsx';
import type { Undoable } from '../../../components/undo.ts';

/** Long, since the Pi has to resize the picture. */
const timeoutMs = 120_000;

/** A beer or a brewery with its picture. */
export interface PicturedItem {
  readonly kind: 'beverage' | 'producer';
  readonly id: number;
}

/** Sets the picture, or removes it. */
async function sendPicture({ kind, id }: PicturedItem, picture: Blob | null): Promise<Answer<Undoable>> {
  const path = { id };
  if (picture === null) {
    return kind === 'beverage'
      ? request('DELETE /beverages/{id}/picture', { path })
      : request('DELETE /beverage-producers/{id}/picture', { path });
  }
  const body = new FormData();
  body.set('image', picture, 'label');
  return kind === 'beverage'
    ? request('POST /beverages/{id}/picture', { path, body }, { timeoutMs })
    : request('POST /beverage-producers/{id}/picture', { path, body }, { timeoutMs });
}

/** Sends the change of a form's picture; succeeds when there is none. */
export const sendPictureChange = (item: PicturedItem, change: PictureChange): Promise<Answer<Undoable>> =>
  change === null
    ? Promise.resolve({ ok: true, result: { correction_id: null } })
    : sendPicture(item, change === 'removed' ? null : change.cropped);
