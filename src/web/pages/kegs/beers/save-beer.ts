import { request } from '../../../api/client.ts';
import type { BeerType, BeverageChange, NewBeverage } from '../../../api/generated.ts';
import type { RecordRequests } from './save-record.ts';

/** Values of a beer's form. */
export type BeerValues = Omit<NewBeverage, 'producer_id'> & { readonly producer_id: number };

/** How beers are changed. */
export const beerRequests: RecordRequests<BeerType, BeerValues, BeverageChange> = {
  kind: 'beverage',
  async create(values) {
    const created = await request('POST /beverages', { body: values });
    return created.ok ? { ok: true, result: created.result.beverage } : created;
  },
  change: (id, changes) => request('PATCH /beverages/{id}', { path: { id }, body: changes }),
  remove: (id) => request('DELETE /beverages/{id}', { path: { id } }),
};
