import request from 'supertest';
import type { PopulatedServer } from '../../current/populated-server.ts';
import { dot } from '../../fuzz/forms.ts';
import { openingMs } from '../../test-server.ts';
import type { ExampleRequests } from './example-request.ts';

const stout = { beverage_name: 'Stout', producer_name: 'Schwarz', style_name: 'Stout' };
const cancelled = [['delete', '/drinks/3']] as const;
const weighing = { weight_g: 31_400, empty_weight_g: 9_300, balance_g: 100 };
const weighKeg = [['post', '/kegs/1/weighings', weighing]] as const;
/** Measured pours of the left meter, from which it learns. */
const measuredPours = [
  [
    'post',
    '/flow-meters/1/calibrate',
    {
      ticks_per_ml: 2.1,
      method: 'pours',
      uncertainty: 0.005,
      measured: { pours: 6, ticks: 6_300, volume_ml: 3_000 },
    },
  ],
] as const;

/** Factors of a meter at half and at full flow. */
const points = [
  { hz: 60, ticks_per_ml: 1.96 },
  { hz: 120, ticks_per_ml: 2.0 },
];

/** Lets the left tap drip 90 mL on the first day, beside 24 mL that only moved in its line. */
function dripOnSaturday({ engine }: PopulatedServer) {
  const left = { ticks: 228, drips: 12, backFlowTicks: 48 };
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  engine.drinks.pours.countDrips({ byMeter: new Map([['pi.flow0', left]]), counters: [] }, now);
  return {};
}

/** Drinks, kegs, taps and temperatures. */
export const beerRequests: ExampleRequests = {
  setServingSizes: {
    body: { serving_sizes: [{ volume_ml: 300 }, { volume_ml: 500, name: 'Pint', names: { de: 'Halbe' } }] },
  },
  setBeveragePrices: { params: { id: 1 }, body: { prices: [{ serving_size_id: 1, price_minor: 480 }] } },
  listDrinks: { query: { user: 'bert', limit: 2 } },
  getDrink: { params: { id: 1 } },
  listDrinkCorrections: { before: [['patch', '/drinks/1', { volume_ml: 250 }]] },
  listSessionPictures: {
    async prepare(server) {
      await uploadDrinkPicture(server);
      return {};
    },
  },
  editDrink: { params: { id: 1 }, body: { shout: 'Prost!', volume_ml: 290 } },
  cancelDrink: { params: { id: 3 }, query: { spilled: true } },
  countDrinkAsBeer: { params: { id: 1 } },
  reassignDrink: { params: { id: 4 }, body: { username: 'bert' } },
  assignDrinks: { body: { drinks: [4], username: 'bert' } },
  claimDrink: {
    by: 'member',
    params: { id: 8 },
    before: [
      ['patch', '/site', { allow_claims: true }],
      ['post', '/taps/1/record-drink', { volume_ml: 300 }],
    ],
  },
  unclaimDrink: {
    by: 'superuser',
    params: { id: 8 },
    before: [
      ['patch', '/site', { allow_claims: true }],
      ['post', '/taps/1/record-drink', { volume_ml: 300 }],
      ['post', '/drinks/8/claim'],
    ],
  },
  splitDrink: { params: { id: 3 }, body: { volume_ml: 200, username: 'bert' } },
  joinDrinks: { params: { id: 1 }, body: { drink_id: 3 } },
  moveDrink: { params: { id: 6 }, body: { keg_id: 1 } },
  undoDrink: { params: { id: 3 }, before: cancelled },
  undoCorrection: {
    before: cancelled,
    prepare: ({ engine }) => ({ params: { id: engine.audit.list({ limit: 1 }).items[0]!.id } }),
  },
  forgetUnknownToken: {
    prepare({ store }) {
      const token = { authDevice: 'core.rfid', tokenValue: '0bad5eed' };
      store.access.presentedTokens.note({ ...token, device: 'pi', lastTimeMs: 0 });
      return { params: { token: 'core.rfid|0bad5eed' } };
    },
  },
  listClaims: {
    by: 'member',
    before: [
      ['patch', '/site', { allow_claims: true }],
      ['post', '/taps/1/record-drink', { volume_ml: 300 }],
    ],
  },
  setDrinkPicture: { params: { id: 1 }, body: { caption: 'First of the day' }, files: ['image'] },
  keepHeldPour: { params: { id: 7 }, body: { tap: 'pi.flow1', username: 'anna' } },
  discardHeldPour: { params: { id: 7 } },
  undoHeldPour: { params: { id: 7 }, before: [['post', '/held-pours/7/discard']] },
  listTapLosses: { prepare: dripOnSaturday },
  spillTapLoss: { params: { date: '2026-05-02' }, prepare: dripOnSaturday },
  recordDrink: { body: { volume_ml: 330, username: 'anna', shout: 'Prost!' } },
  listEvents: { query: { since: 4, limit: 2 } },
  getCurrentSession: { before: [['post', '/taps/1/record-drink', { volume_ml: 300 }]] },
  getPicture: {
    async prepare(server) {
      const { picture } = await uploadDrinkPicture(server);
      return { params: { file: picture.resized_url.split('/').at(-1) } };
    },
  },
  estimateCalibration: {
    body: {
      pours: [
        { ticks: 1_000, volume_ml: 495, hz: 120 },
        { ticks: 1_004, grams: 870, tare_grams: 370, hz: 118 },
      ],
    },
  },
  previewMeterCurve: { body: { points, apply_to_keg: 1 } },
  putMeterCurve: { body: { points, method: 'pours', uncertainty: 0.005, apply_to_keg: 1 } },
  deleteMeterCurve: {
    before: [['put', '/flow-meters/1/curve', { points }]],
    query: { apply_to_keg: 1 },
  },
  previewCalibration: { body: { ticks_per_ml: 2.1, apply_to_keg: 1 } },
  calibrateFlowMeter: {
    body: {
      ticks_per_ml: 2.1,
      apply_to_keg: 1,
      method: 'pours',
      uncertainty: 0.005,
      measured: { pours: 6, ticks: 6_300, volume_ml: 3_000 },
    },
  },
  getMeterLearning: { params: { id: 1 }, before: measuredPours },
  changeMeterEvidence: {
    params: { id: 1, evidence_id: 1 },
    body: { is_discarded: true },
    before: measuredPours,
  },
  applyLearnedFactor: { params: { id: 1 }, body: { apply_to_keg: 1 }, before: measuredPours },
  declareMeterReplaced: { body: { ticks_per_ml: 2.2 }, before: measuredPours },
  listKegWeighings: { params: { id: 1 }, before: weighKeg },
  addKegWeighing: { params: { id: 1 }, body: weighing },
  changeKegWeighing: { params: { id: 1, weighing_id: 1 }, body: { weight_g: 31_450 }, before: weighKeg },
  removeKegWeighing: { params: { id: 1, weighing_id: 1 }, before: weighKeg },
  createTap: { body: { name: 'Cellar', sort_order: 4 } },
  replaceTap: { body: { name: 'Left', notes: 'Sticks when cold' } },
  changeTap: { body: { notes: 'Sticks when cold' } },
  removeTap: { params: { ref: 'pi.flow1' } },
  setTapOrder: { body: { tap_ids: [2, 1, 3], renumber: true } },
  attachKeg: { params: { ref: 'pi.flow1' }, body: { keg_id: 2 } },
  startKeg: { params: { ref: 'pi.flow1' }, body: { ...stout, keg_type: 'corny' } },
  connectKeg: { params: { ref: 'pi.flow1' }, body: { keg_id: 1 } },
  disconnectKeg: {
    params: { ref: 'pi.flow1', keg_id: 1 },
    before: [['post', '/taps/pi.flow1/kegs', { keg_id: 1 }]],
  },
  answerKegEmpty: { params: { ref: 'pi.flow0' }, body: { is_empty: true } },
  setNext: { params: { ref: 'pi.flow0' }, body: { keg_id: 2 } },
  connectMeter: { params: { ref: '3' }, body: { meter_id: 3 } },
  swapMeters: { params: { ref: '1' }, body: { tap: '2', exchange_factors: true } },
  connectToggle: { params: { ref: 'pi.flow1' }, body: { toggle_id: 1, move: true } },
  connectThermo: { params: { ref: 'pi.flow1' }, body: { thermo_sensor_id: 1 } },
  listKegs: { query: { state: 'available' } },
  createKeg: { body: { beverage_id: 1, keg_type: 'euro-30-liter', notes: 'Behind the crates' } },
  replaceKeg: { body: { description: 'Best before June' } },
  changeKeg: { body: { full_volume_ml: 29_500 } },
  removeKeg: { params: { id: 3 } },
  endKegOffTap: { params: { id: 2 } },
  reactivateKeg: { params: { id: 3 } },
  spillKeg: { body: { volume_ml: 500 } },
  createBeverage: { body: { name: 'Pils', producer_id: 1, style: 'Pilsner', abv_percent: 4.8, ibu: 32 } },
  replaceBeverage: { body: { name: 'Haus Helles', producer_id: 1, abv_percent: 5 } },
  changeBeverage: { body: { abv_percent: 5 } },
  removeBeverage: {
    params: { id: 3 },
    before: [['post', '/beverages', { name: 'Pils', producer_id: 1 }]],
  },
  mergeBeverages: {
    body: { beverage_id: 3 },
    before: [['post', '/beverages', { name: 'Haus-Helles', producer_id: 1 }]],
  },
  mergeProducers: {
    body: { producer_id: 3 },
    before: [['post', '/beverage-producers', { name: 'Haus-Brauerei' }]],
  },
  undoMerge: {
    before: [
      ['post', '/beverages', { name: 'Haus-Helles', producer_id: 1 }],
      ['post', '/beverages/1/merge', { beverage_id: 3 }],
    ],
    prepare: ({ engine }) => ({ params: { id: engine.audit.list({ limit: 1 }).items[0]!.id } }),
  },
  createProducer: { body: { name: 'Brauerei am Markt', country: 'DEU', origin_city: 'Bamberg' } },
  replaceProducer: { body: { name: 'Hausbrauerei', country: 'DEU' } },
  changeProducer: { body: { is_homebrew: true } },
  removeProducer: { params: { id: 3 }, before: [['post', '/beverage-producers', { name: 'Nobody' }]] },
  setBeveragePicture: { body: { caption: 'Label' }, files: ['image'] },
  setProducerPicture: { body: { caption: 'Brewery' }, files: ['image'] },
  listSessions: { query: { year: 2026, month: 5 } },
  createController: { body: { name: 'kegboard', model_name: 'Kegboard Pro', serial_number: '17' } },
  replaceController: {
    params: { id: 2 },
    before: [['post', '/controllers', { name: 'kegboard' }]],
    body: { name: 'cellar', model_name: 'Kegboard Pro' },
  },
  changeController: { body: { serial_number: '10000000abcdef01' } },
  removeController: { params: { id: 2 }, before: [['post', '/controllers', { name: 'kegboard' }]] },
  createMeter: { body: { controller: 1, port_name: 'flow3', ticks_per_ml: 2.2 } },
  replaceMeter: {
    params: { id: 4 },
    before: [['post', '/flow-meters', { controller: 1, port_name: 'flow3' }]],
    body: { port_name: 'flow4', ticks_per_ml: 2.2 },
  },
  changeMeter: { body: { ticks_per_ml: 2.1, nice_name: 'Left line', tap_id: '1' } },
  removeMeter: {
    params: { id: 4 },
    before: [['post', '/flow-meters', { controller: 1, port_name: 'flow3' }]],
  },
  createToggle: { body: { controller: 1, port_name: 'relay1' } },
  replaceToggle: {
    params: { id: 2 },
    before: [['post', '/flow-toggles', { controller: 1, port_name: 'relay1' }]],
    body: { port_name: 'relay2' },
  },
  changeToggle: {
    params: { id: 2 },
    before: [['post', '/flow-toggles', { controller: 1, port_name: 'relay1' }]],
    body: { port_name: 'relay2' },
  },
  removeToggle: {
    params: { id: 2 },
    before: [['post', '/flow-toggles', { controller: 1, port_name: 'relay1' }]],
  },
  openToggle: { body: { seconds: 60 } },
  listOpenValves: { before: [['post', '/flow-toggles/1/open', { seconds: 60 }]] },
  createThermoSensor: { body: { raw_name: '28-0000000000b2', nice_name: 'Cellar' } },
  replaceThermoSensor: { body: { raw_name: '28-0000000000a1', nice_name: 'Cooler' } },
  changeThermoSensor: { body: { nice_name: 'Cooler', place: 'Keg fridge', offset_c: -0.5, tap_ids: [1] } },
  removeThermoSensor: { params: { sensor: 'attic' } },
  listThermoLogs: { query: { sensor: '28-0000000000a1', limit: 2 } },
  getThermoChart: {
    query: { since: '2026-05-02T17:00:00Z', until: '2026-05-02T18:00:00Z', resolution: 'minute' },
  },
};

/** Gives drink 1 a picture; returns the answer's result. */
async function uploadDrinkPicture({ app, staffKey }: PopulatedServer) {
  const call = request(app).post('/api/drinks/1/picture').set('X-Kegbot-Api-Key', staffKey);
  return (await call.attach('image', dot, 'image.png')).body.result;
}
