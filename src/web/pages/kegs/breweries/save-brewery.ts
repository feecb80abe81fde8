import { type Answer, request } from '../../../api/client.ts';
import type { NewProducer, Producer } from '../../../api/generated.ts';
import type { PictureChange } from '../../../components/picture/picture-field.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undo } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { loadPicture, sendPicture, sendPictureChange } from '../beers/catalogue-pictures.ts';

/** Changes a brewery, then its picture; shows a toast with undo. */
export async function saveBrewery(
  brewery: Producer,
  values: NewProducer,
  picture: PictureChange,
): Promise<Answer<unknown>> {
  const path = { id: brewery.id };
  const item = { kind: 'producer', id: brewery.id } as const;
  const before = picture === null ? null : await loadPicture(brewery.picture);
  const saved = await request('PATCH /beverage-producers/{id}', { path, body: values });
  if (!saved.ok) return saved;
  const pictured = await sendPictureChange(item, picture);
  if (!pictured.ok) return pictured;
  showToast(
    t('common.saved'),
    () =>
      void undo(async () => {
        const restored = await request('PUT /beverage-producers/{id}', {
          path,
          body: toNewProducer(brewery),
        });
        return restored.ok && picture !== null ? sendPicture(item, before) : restored;
      }),
  );
  return saved;
}

/** Creates a brewery, then sets its picture, as `createBeer` does. */
export async function createBrewery(
  values: NewProducer,
  picture: PictureChange,
  onCreated: (brewery: Producer) => void,
): Promise<Answer<unknown>> {
  const created = await request('POST /beverage-producers', { body: values });
  if (!created.ok) return created;
  const { id, name } = created.result.beverage_producer;
  onCreated(created.result.beverage_producer);
  const pictured = await sendPictureChange({ kind: 'producer', id }, picture);
  if (!pictured.ok) return pictured;
  showToast(
    t('beers.added', { name }),
    () => void undo(() => request('DELETE /beverage-producers/{id}', { path: { id } })),
  );
  return created;
}

/** Deletes a brewery without beers; the toast's undo adds it again. */
export async function removeBrewery(brewery: Producer): Promise<Answer<unknown>> {
  const picture = await loadPicture(brewery.picture);
  const removed = await request('DELETE /beverage-producers/{id}', { path: { id: brewery.id } });
  if (!removed.ok) return removed;
  showToast(
    t('beers.deleted', { name: brewery.name }),
    () =>
      void undo(async () => {
        const added = await request('POST /beverage-producers', { body: toNewProducer(brewery) });
        if (!added.ok || picture === null) return added;
        return sendPicture({ kind: 'producer', id: added.result.beverage_producer.id }, picture);
      }),
  );
  return removed;
}

/** All values of a brewery, as they are sent to create it. */
function toNewProducer({ id: _id, picture: _picture, ...values }: Producer): NewProducer {
  return values;
}
