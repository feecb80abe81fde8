import { scaleFindingKinds } from '../../../src/extensions/scales/core/scale-findings.ts';
import { scales } from '../../../src/extensions/scales/extension.ts';
import { scalesStore } from '../../../src/extensions/scales/store/scales-store.ts';
import type { PopulatedServer } from '../../http/current/populated-server.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';

const weighed = ['post', '/taps/1/keg-weight', { weight_g: 38_250, temp_c: 4.5 }] as const;

/** The keg of the left tap gets a scale, and was moved. */
function findMovedKeg({ engine, store }: PopulatedServer): void {
  const now = { monoMs: 0, wallMs: Date.UTC(2026, 4, 3, 17), synced: true, bootId: 'boot-1' };
  const { view } = engine.serviceOf(scales).scales.receiveAt(engine.taps.find(1)!, { weightG: 38_250 }, now);
  const figures = { scaleMl: 9_000, meterMl: 0, uMl: 10, ratio: null };
  store
    .tablesOf(scalesStore)
    .scaleFindings.add({ scaleId: view.id, kind: 'keg_moved', kegId: 1, timeMs: now.wallMs, ...figures });
}

export const cases: ExtensionCases = {
  name: 'scales',
  choices: { 'mails.scale_disagrees.text finding': { values: scaleFindingKinds, other: 'wrong_keg_size' } },
  wholeLists: ['listScaleFindings', 'listScaleReadings'],
  smallTables: ['scales'],
  namedRecords: [['/scales', 'name', {}]],
  evidence: {
    'the daemon has answered that it did what was asked': ['scales.closed'],
    'weights against the meter, for ten minutes': ['scales.findings.*', 'scales.findingSince'],
    'the message of the scale as it was read': ['scales.faults.*'],
  },
  exampleRequests: {
    reportKegWeight: { params: { ref: '1' }, body: { weight_g: 38_250, temp_c: 4.5 } },
    listScales: { before: [weighed] },
    getScale: { before: [weighed] },
    createScale: { body: { name: 'Keg scale', tap_id: '1', topic: 'keg-scale/sensor/weight/state' } },
    replaceScale: { before: [weighed], body: { name: 'Keg scale', tap_id: '1', empty_weight_g: 9_400 } },
    changeScale: { before: [weighed], body: { empty_weight_g: 9_400, unit: 'kg' } },
    removeScale: { before: [weighed] },
    listScaleReadings: { before: [weighed] },
    listScaleFindings: {
      prepare(server) {
        findMovedKeg(server);
        return { params: { id: 1 } };
      },
    },
    closeScaleFinding: {
      prepare(server) {
        findMovedKeg(server);
        return { params: { id: 1 }, body: {} };
      },
    },
  },
  beforeAnswers({ engine }) {
    engine.serviceOf(scales).scales.create({ name: 'Left', tapId: 1 });
  },
};
