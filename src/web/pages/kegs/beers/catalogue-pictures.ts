import { type Answer, request } from '../../../api/client.ts';
import { toHref } from '../../../app/routing.ts';
import type { PictureChange } from '../../../components/picture/picture-field.tsx';
import type { Undoable } from '../../../components/undo.ts';

/** Long, since the Pi has to resize the picture. */
const timeoutMs = 120_000;

/** A beer or a brewery with its picture. */
export interface PicturedItem {
  readonly kind: 'beverage' | 'producer';
  readonly id: number;
}

/** Returns the stored picture, to be uploaded again by an undo; null without one or when it cannot be loaded. */
export async function loadPicture(
  picture: { readonly resized_url: string } | null | undefined,
): Promise<Blob | null> {
  if (!picture) return null;
  try {
    const reply = await fetch(toHref(picture.resized_url));
    return reply.ok ? await reply.blob() : null;
  } catch {
    return null;
  }
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
