// A keg that runs dry, from the flow model to the valve: beer, foam and gas as edges of the kernel, through the character device.
// The tap first pours ten beers, from which its usual rate is learned, and nearly all of its keg is poured elsewhere: before, a rate that
// doubles is a hand that opens further. Then it runs dry three times.
import { strict as assert } from 'node:assert';
import { typicalMeter } from '/tapster/dist/devices/simulated/flow-model/meter-traits.js';
import { simulateFlow } from '/tapster/dist/devices/simulated/flow-model/simulate-flow.js';
import { once, test } from '../../harness.mjs';
import { createInstance } from '../../instance.mjs';
import { level, play, taps } from '../../pins.mjs';

const line = 5;
const relay = 10;
const idleMs = 1_000;
const beers = 10;
/** An SF800. */
const meter = typicalMeter({ ticksPerMl: 5.4, minLPerMin: 0.5, maxHz: 2_030 });
const tap = { meter, flowMlPerS: 60 };

/** How the gas of each keg flows, and how long the foam before it. */
const kegs = [
  { seed: 11, gasRatio: 2, foamMs: 300, volumeMl: 150 },
  { seed: 12, gasRatio: 3, foamMs: 1_000, volumeMl: 250 },
  { seed: 13, gasRatio: 4, foamMs: 1_800, volumeMl: 200 },
];
/**
 * From the beginning of the gas until the valve is off: 0.7 s for 95 % of the pours (the detector needs 0.44 to 0.6 s of these pulses), and
 * what an emulated processor adds, which is one to two orders slower than that of a Pi.
 */
const reactionMs = 700;
const emulationMs = 500;
/** How far off the beginning of the gas may be. */
const onsetMs = 300;

const beverage = { beverage_name: 'Lager', producer_name: 'Brewery', style_name: 'Pils' };

const openFor = (ms) => [
  { atMs: 0, valve: 1 },
  { atMs: ms, valve: 0 },
];

const runKegs = once(async () => {
  const instance = createInstance({
    gpio: { driver: 'cdev', chip: 'taps' },
    meters: [{ port: 'flow0', pin: line, model: 'swissflow-sf800' }],
    toggles: [{ port: 'relay0', pin: relay }],
    taps: [{ name: 'Left', meter: 'flow0', toggle: 'relay0' }],
    pour: { idle_ms: idleMs },
  });
  const daemon = instance.start();
  await daemon.healthy();
  const change = await daemon.logIn();
  const open = async () => {
    const { status, body } = await change('POST', '/flow-toggles/1/open', { seconds: 300 });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(level(taps, relay), 1);
  };
  let drinks = 0;
  const send = async (path, body, wanted) => {
    const { status, body: answer } = await change('POST', path, body);
    assert.equal(status, wanted, JSON.stringify(answer));
  };
  const startKeg = () => send('/taps/1/start-keg', { ...beverage, keg_type: 'mini' }, 200);
  /** So much of the keg is poured where no meter counts. */
  const pourElsewhere = async (volumeMl) => {
    await send('/taps/1/record-drink', { volume_ml: volumeMl }, 201);
    drinks++;
  };
  await startKeg();
  await open();
  for (let i = 0; i < beers; i++) {
    const { stampsMs } = simulateFlow({ ...tap, steps: openFor(2_500) }, 100 + i);
    await play({ line, timesMs: stampsMs });
    await daemon.drinks(++drinks);
  }
  await pourElsewhere(3_000);
  const pours = [];
  for (const { seed, ...keg } of kegs) {
    await open();
    const flow = simulateFlow({ ...tap, keg: { ...keg, hasFob: false }, steps: openFor(14_000) }, seed);
    const played = await play({ line, relay, timesMs: flow.stampsMs });
    await daemon.drinks(++drinks);
    const [row] = instance.rows(
      'SELECT ticks, gas_ticks, gas_onset_ms, volume_ml, is_valid, ticks_lost, rate_default FROM drinks ORDER BY id DESC LIMIT 1',
    );
    const gasMs = flow.phases.find(({ kind }) => kind === 'gas').startMs;
    pours.push({ row, played, gasMs, stampsMs: flow.stampsMs });
    await send('/taps/1/keg-empty', { is_empty: true }, 200);
    await startKeg();
    await pourElsewhere(4_600);
  }
  return {
    pours,
    rows: instance.rows("SELECT gas_ticks, is_valid FROM drinks WHERE source = 'pin' ORDER BY id"),
  };
});

/** Pulses before a time, the first one at 0. */
const countBefore = (stampsMs, ms) => stampsMs.filter((at) => at < ms).length;

test('ten beers through the valve are drinks without gas', async () => {
  const { rows } = await runKegs();
  assert.deepEqual(
    rows.slice(0, beers),
    Array.from({ length: beers }, () => ({ gas_ticks: 0, is_valid: 1 })),
  );
}, 600_000);

test('beer of a keg that runs dry is booked up to 0.3 s before or after the gas begins, the rest as gas, and no pulse is lost', async () => {
  const { pours } = await runKegs();
  const notes = pours.map(({ row, played, gasMs, stampsMs }) => {
    assert.equal(row.ticks, played.played);
    assert.deepEqual([row.is_valid, row.ticks_lost, row.rate_default], [1, 0, null]);
    const beerTicks = row.ticks - row.gas_ticks;
    const [least, most] = [countBefore(stampsMs, gasMs - onsetMs), countBefore(stampsMs, gasMs + onsetMs)];
    assert.ok(beerTicks >= least && beerTicks <= most, `${beerTicks} ticks of beer, not ${least} to ${most}`);
    assert.ok(Math.abs(row.volume_ml - beerTicks / 5.4) < 0.01, `${row.volume_ml} mL of ${beerTicks} ticks`);
    const gasOnsetMs = stampsMs[0] + row.gas_onset_ms;
    assert.ok(Math.abs(gasOnsetMs - gasMs) <= onsetMs, `gas at ${gasOnsetMs} ms, not at ${gasMs} ms`);
    return `${Math.round(gasOnsetMs - gasMs)} ms`;
  });
  return `onset off by ${notes.join(', ')}`;
});

test('the valve is shut within 1.2 s after the gas begins, of which 0.5 s are for the emulated processor', async () => {
  const { pours } = await runKegs();
  const delays = pours.map(({ played, gasMs }) => played.offMs - gasMs);
  for (const ms of delays)
    assert.ok(ms > 0 && ms <= reactionMs + emulationMs, `off ${ms} ms after the gas began`);
  return delays.map((ms) => `${Math.round(ms)} ms`).join(', ');
});
