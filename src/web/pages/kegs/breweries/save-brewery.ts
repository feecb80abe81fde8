import { request } from '../../../api/client.ts';
import type { NewProducer, Producer, ProducerChange } from '../../../api/generated.ts';
import type { RecordRequests } from '../beers/save-record.ts';

/** How breweries are changed. */
export const breweryRequests: RecordRequests<Producer, NewProducer, ProducerChange> = {
  kind: 'producer',
  async create(values) {
    const created = await request('POST /beverage-producers', { body: values });
    return created.ok ? { ok: true, result: created.result.beverage_producer } : created;
  },
  change: (id, changes) => request('PATCH /beverage-producers/{id}', { path: { id }, body: changes }),
  remove: (id) => request('DELETE /beverage-producers/{id}', { path: { id } }),
};
