import { type Answer, request } from '../../../api/client.ts';
import type { BeerType, NewBeverage } from '../../../api/generated.ts';
import type { PictureChange } from '../../../components/picture/picture-field.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undo } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { loadPicture, sendPicture, sendPictureChange } from './catalogue-pictures.ts';

/** Values of a beer's form. */
export type BeerValues = Omit<NewBeverage, 'producer_id'> & { readonly producer_id: number };

/** Changes a beer, then its picture; shows a toast with undo. */
export async function saveBeer(
  beer: BeerType,
  values: BeerValues,
  picture: PictureChange,
): Promise<Answer<unknown>> {
  const path = { id: Number(beer.id) };
  const item = { kind: 'beverage', id: path.id } as const;
  const before = picture === null ? null : await loadPicture(beer.picture);
  const saved = await request('PATCH /beverages/{id}', { path, body: values });
  if (!saved.ok) return saved;
  const pictured = await sendPictureChange(item, picture);
  if (!pictured.ok) return pictured;
  showToast(
    t('common.saved'),
    () =>
      void undo(async () => {
        const restored = await request('PUT /beverages/{id}', { path, body: toNewBeverage(beer) });
        return restored.ok && picture !== null ? sendPicture(item, before) : restored;
      }),
  );
  return saved;
}

/**
 * Creates a beer, then sets its picture; shows a toast with undo. When only the picture failed the beer exists: its id is
 * passed to `onCreated`, so that the next attempt changes it.
 */
export async function createBeer(
  values: BeerValues,
  picture: PictureChange,
  onCreated: (beer: BeerType) => void,
): Promise<Answer<unknown>> {
  const created = await request('POST /beverages', { body: values });
  if (!created.ok) return created;
  const { beverage } = created.result;
  onCreated(beverage);
  const id = Number(beverage.id);
  const pictured = await sendPictureChange({ kind: 'beverage', id }, picture);
  if (!pictured.ok) return pictured;
  showToast(
    t('beers.added', { name: beverage.name }),
    () => void undo(() => request('DELETE /beverages/{id}', { path: { id } })),
  );
  return created;
}

/** Deletes a beer that is in no keg; the toast's undo adds it again. */
export async function removeBeer(beer: BeerType): Promise<Answer<unknown>> {
  const picture = await loadPicture(beer.picture);
  const removed = await request('DELETE /beverages/{id}', { path: { id: Number(beer.id) } });
  if (!removed.ok) return removed;
  showToast(
    t('beers.deleted', { name: beer.name }),
    () =>
      void undo(async () => {
        const added = await request('POST /beverages', { body: toNewBeverage(beer) });
        if (!added.ok || picture === null) return added;
        return sendPicture({ kind: 'beverage', id: Number(added.result.beverage.id) }, picture);
      }),
  );
  return removed;
}

/** Undoes a merge of beers or breweries. */
export const undoMerge = (id: number): Promise<void> =>
  undo(() => request('POST /merges/{id}/undo', { path: { id } }));

/** All values of a beer, as they are sent to create it. */
const toNewBeverage = (beer: BeerType): NewBeverage => ({
  name: beer.name,
  producer_id: beer.producer.id,
  beverage_type: beer.beverage_type,
  style: beer.style_id || null,
  description: beer.description,
  vintage_year: beer.vintage_year,
  abv_percent: beer.abv,
  calories_per_ml: beer.calories_per_ml,
  carbs_per_ml: beer.carbs_per_ml,
  color_hex: beer.color_hex,
  original_gravity: beer.original_gravity,
  specific_gravity: beer.specific_gravity,
  srm: beer.srm,
  ibu: beer.ibu,
  star_rating: beer.star_rating,
  untappd_beer_id: beer.untappd_beer_id,
  allergens: beer.allergens,
});
