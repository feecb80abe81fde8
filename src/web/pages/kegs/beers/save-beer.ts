import { request } from '../../../api/client.ts';
import type { BeerType, NewBeverage } from '../../../api/generated.ts';
import type { RecordRequests } from './save-record.ts';

/** Values of a beer's form. */
export type BeerValues = Omit<NewBeverage, 'producer_id'> & { readonly producer_id: number };

/** How beers are changed. */
export const beerRequests: RecordRequests<BeerType, BeerValues> = {
  kind: 'beverage',
  async create(values) {
    const created = await request('POST /beverages', { body: values });
    return created.ok ? { ok: true, result: created.result.beverage } : created;
  },
  change: (id, values) => request('PATCH /beverages/{id}', { path: { id }, body: values }),
  restore: (beer) =>
    request('PUT /beverages/{id}', { path: { id: Number(beer.id) }, body: toNewBeverage(beer) }),
  remove: (id) => request('DELETE /beverages/{id}', { path: { id } }),
};

/** All values of a beer, as they are sent to restore it. */
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
