import { cleaning } from '../../../src/extensions/cleaning/extension.ts';
import type { PopulatedServer } from '../../http/current/populated-server.ts';
import type { ExampleRequests } from '../../http/openapi/example-requests/example-request.ts';

const started = [['post', '/taps/1/cleaning', { kind: 'caustic', line_volume_ml: 500 }]] as const;
const firstEntry = ({ engine }: PopulatedServer) =>
  engine.serviceOf(cleaning).cleanings.get(1).entries[0]!.id;

/** Line cleaning. */
export const cleaningRequests: ExampleRequests = {
  listRunningCleanings: { before: started },
  startCleaning: {
    params: { ref: '1' },
    body: { kind: 'caustic', line_volume_ml: 500, contact_minutes: 15 },
  },
  startCleaningStep: { before: started, params: { id: 2 }, body: { step: 'contact' } },
  // A tap without a valve.
  openCleaningValve: {
    before: [['post', '/taps/2/cleaning', { kind: 'caustic' }]],
    params: { id: 2 },
  },
  finishCleaning: {
    before: started,
    params: { id: 2 },
    body: {
      result: 'passed',
      agent: 'Line cleaner',
      concentration_percent: 2,
      temp_c: 40,
      contact_minutes: 15,
      method: 'recirculation',
      rinse_ph: 7.2,
    },
  },
  cancelCleaning: { before: started, params: { id: 2 }, body: {} },
  applyCleaningPreset: { body: { preset: 'brewers_association', tap_ids: [1, 2] } },
  setCleaningPlan: { params: { ref: '1', kind: 'acid' }, body: { interval_days: 90 } },
  deleteCleaningPlan: { params: { ref: '1', kind: 'caustic' } },
  listCleanings: { query: { limit: 10 } },
  getCleaning: { params: { id: 1 } },
  addCleaning: {
    body: {
      tap: '2',
      kind: 'acid',
      started_time: '2026-05-02T10:00:00Z',
      ended_time: '2026-05-02T10:40:00Z',
      result: 'passed',
    },
  },
  correctCleaning: {
    prepare: (server) => ({ params: { id: 1 }, body: { entry_id: firstEntry(server), rinse_ph: 7.4 } }),
  },
  withdrawCleaning: {
    prepare: (server) => ({ params: { id: 1 }, body: { entry_id: firstEntry(server), note: 'Other tap' } }),
  },
  setCleaningPicture: { params: { id: 1 }, body: {}, files: ['image'] },
  markCleaning: { body: { drink_ids: [1, 2], kind: 'caustic' } },
  dismissCleaning: { body: { drink_ids: [1] } },
};
