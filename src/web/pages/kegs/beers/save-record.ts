import { type ChangeKeys, withChangeKeys } from '../../../api/change-keys.ts';
import type { Answer } from '../../../api/client.ts';
import type { Picture } from '../../../api/generated.ts';
import type { PictureChange } from '../../../components/picture/picture-field.tsx';
import { showToast } from '../../../components/toast.tsx';
import { showUndoable, type Undoable, undo } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { sendPictureChange } from './catalogue-pictures.ts';

/** A beer or a brewery as the API returns it. */
interface CatalogueRecord {
  readonly id: string | number;
  readonly name: string;
  readonly picture: Picture | null;
}

/** How the records of one kind, R, are made from the values V of their form and changed by the changes C. */
export interface RecordRequests<R extends CatalogueRecord, V, C> {
  readonly kind: 'beverage' | 'producer';
  create(values: V): Promise<Answer<R>>;
  change(id: number, changes: C): Promise<Answer<Undoable>>;
  remove(id: number): Promise<Answer<Undoable>>;
}

/** Changes a record, then its picture; shows a toast with undo. `keys` are those of the form. */
export async function saveRecord<R extends CatalogueRecord, C>(
  requests: RecordRequests<R, never, C>,
  record: R,
  changes: C,
  picture: PictureChange,
  keys: ChangeKeys,
): Promise<Answer<unknown>> {
  const item = { kind: requests.kind, id: Number(record.id) };
  const saved = await withChangeKeys(keys, () => requests.change(item.id, changes));
  if (!saved.ok) return saved;
  const pictured = await sendPictureChange(item, picture);
  if (!pictured.ok) return pictured;
  showUndoable(t('common.saved'), [saved.result, pictured.result]);
  return saved;
}

/**
 * Creates a record, then sets its picture; shows a toast with undo. When only the picture failed the record exists: it is
 * passed to `onCreated`, so that the next attempt changes it.
 */
export async function createRecord<R extends CatalogueRecord, V>(
  requests: RecordRequests<R, V, never>,
  values: V,
  picture: PictureChange,
  onCreated: (record: R) => void,
): Promise<Answer<unknown>> {
  const created = await requests.create(values);
  if (!created.ok) return created;
  onCreated(created.result);
  const id = Number(created.result.id);
  const pictured = await sendPictureChange({ kind: requests.kind, id }, picture);
  if (!pictured.ok) return pictured;
  showToast(t('beers.added', { name: created.result.name }), () => void undo(() => requests.remove(id)));
  return created;
}

/** Deletes a record that nothing uses; undo restores it with its prices and picture. */
export async function removeRecord<R extends CatalogueRecord>(
  requests: RecordRequests<R, never, never>,
  record: R,
): Promise<Answer<unknown>> {
  const removed = await requests.remove(Number(record.id));
  if (removed.ok) showUndoable(t('beers.deleted', { name: record.name }), removed.result);
  return removed;
}
