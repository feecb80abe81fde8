// Taps that drip while they are shut, and ordinary evenings, through the meter's tracker and the drip watch.
import { DripWatch } from '../../../dist/core/measurement/drip-watch.js';
import { SimultaneousPours } from '../../../dist/core/pours/simultaneous-pours.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';
import { residualFlowMs } from '../../../dist/services/valves/grant-flow.js';
import { nominal, seedOf } from './taps.mjs';

const minuteMs = 60_000;
const eveningMs = 6 * 60 * minuteMs;
/** A leak is to be found while the bar is closed. */
const leakMs = 3 * 60 * minuteMs;
const meter = 'pi.flow0';
/** Share of the pours, of which there are twelve an hour, after which a stray drip comes minutes later; an assumption. */
const usualStrays = 0.033;
const manyStrays = 0.1;

export function leakRows(taps, random, trials) {
  const fine = taps.filter(({ ticksPerMl }) => ticksPerMl >= 0.9);
  const at = (i) => fine[i % fine.length];
  const found =
    Array.from({ length: trials }, (_, i) => isFound(at(i), random)).filter(Boolean).length / trials;
  const perMonth = (strayShare) => {
    const evenings = Array.from({ length: trials }, (_, i) => isFalse(at(i), strayShare, random));
    return (30 * evenings.filter(Boolean).length) / trials;
  };
  const usual = perMonth(usualStrays);
  return [
    {
      what: 'Dripping tap found within 3 h',
      ours: `${(100 * found).toFixed(1)} % of ${trials}`,
      target: '≥ 99 %',
      met: found >= 0.99,
    },
    {
      what: 'False reports of a drip, 0.4 stray drips an hour',
      ours: `${usual.toFixed(2)} a month`,
      target: '< 1 a month',
      met: usual < 1,
    },
    {
      what: 'False reports of a drip, 1.2 stray drips an hour',
      ours: `${perMonth(manyStrays).toFixed(2)} a month`,
    },
  ];
}

/** How often the liquid that swings in a line is told from a drip, and a drip of a busy bar from that. */
export function backFlowRows(taps, random, trials) {
  const swings = Array.from({ length: trials }, (_, i) => swing(taps[i % taps.length], random)).filter(
    (one) => one !== null,
  );
  const told = swings.filter(Boolean).length / swings.length;
  const lost = Array.from({ length: trials }, () => isDripLost(random)).filter(Boolean).length / trials;
  return [
    {
      what: 'Back-flow after a pour at another tap is no drip',
      ours: `${(100 * told).toFixed(1)} % of ${swings.length}`,
      target: '≥ 99 %',
      met: told >= 0.99,
    },
    {
      what: 'Drips taken for back-flow, seven other taps with 12 pours an hour',
      ours: `${(100 * lost).toFixed(1)} % of ${trials}`,
      target: '≤ 10 %',
      met: lost <= 0.1,
    },
  ];
}

/** A valve shuts within this time; the wheel runs on until the liquid and itself are at rest. */
const valveMs = 120;

/** How long a wheel ticks after its valve was told to shut. */
export function coastRows(taps, random, trials) {
  const lastMs = Array.from({ length: trials }, (_, i) => {
    const openMs = random.between(2_000, 7_000);
    const steps = [
      { atMs: 0, valve: 1 },
      { atMs: openMs, valve: 0 },
    ];
    const reboundMl = random.between(0, 1.5);
    const scenario = nominal(taps[i % taps.length], random, { steps, valveMs, reboundMl });
    return (simulateFlow(scenario, seedOf(random)).stampsMs.at(-1) ?? 0) - openMs;
  }).sort((a, b) => a - b);
  const most = lastMs[Math.floor(0.99 * (lastMs.length - 1))];
  return [
    {
      what: 'Ticks after a valve was shut (coast-down), 99 %',
      ours: `${most.toFixed(0)} ms`,
      target: `≤ ${residualFlowMs} ms`,
      met: most <= residualFlowMs,
    },
  ];
}

const other = 'pi.flow1';
const createWatch = () => new SimultaneousPours({ simultaneousMs: 20 });
const observePour = (watch, line, startedMonoMs, durationMs) => {
  watch.observe(line, { kind: 'started', startedMonoMs });
  watch.observe(line, { kind: 'ended', pour: { startedMonoMs, durationMs } });
};

/** A swing of 0.3 to 3 mL when another tap is shut; null when the wheel stays still. */
function swing(tap, random) {
  const shutMs = random.between(3_000, 9_000);
  const swings = [{ atMs: shutMs + random.between(0, 100), ml: random.between(0.3, 3) }];
  const { stampsMs } = simulateFlow(nominal(tap, random, { steps: [], swings }), seedOf(random));
  if (stampsMs.length === 0) return null;
  const watch = createWatch();
  observePour(watch, other, 0, shutMs);
  return watch.isBackFlow(meter, stampsMs[0]);
}

function isDripLost(random) {
  const watch = createWatch();
  const dripMs = random.between(0, eveningMs);
  for (let tap = 1; tap <= 7; tap++)
    for (let nowMs = 0; nowMs < eveningMs; nowMs += random.exponential(5 * minuteMs)) {
      const durationMs = random.between(3_000, 9_000);
      // The watch remembers the last pours only, as at the time of the drip.
      if (Math.abs(nowMs - dripMs) < minuteMs) observePour(watch, `pi.flow${tap}`, nowMs, durationMs);
    }
  return watch.isBackFlow(meter, dripMs);
}

/** Gushes of 2 to 8 mL, 4 to 12 minutes apart. */
function isFound(tap, random) {
  const watch = new DripWatch();
  const everyMs = random.between(4, 12) * minuteMs;
  for (let nowMs = everyMs; nowMs < leakMs; nowMs += everyMs * random.between(0.6, 1.4)) {
    if (gushTicks(tap, random.between(2, 8), random) > 0) watch.addDrip(meter, nowMs);
    if (watch.leaking(nowMs).length > 0) return true;
  }
  return false;
}

/** A pour every few minutes, after half of them a drop from the spout, and a stray one now and then. */
function isFalse(tap, strayShare, random) {
  const watch = new DripWatch();
  for (let nowMs = 0; nowMs < eveningMs; nowMs += random.exponential(5 * minuteMs)) {
    watch.addPour(meter, nowMs);
    if (random.next() < 0.5 && gushTicks(tap, random.between(1, 6), random) > 0) {
      watch.addDrip(meter, nowMs + random.between(5_000, 55_000));
    }
    if (random.next() < strayShare) watch.addDrip(meter, nowMs + random.between(1, 4) * minuteMs);
    if (watch.leaking(nowMs).length > 0) return true;
  }
  return false;
}

/** Ticks of a little beer that passes the shut tap at once. */
function gushTicks(tap, ml, random) {
  const openMs = Math.max(10, (ml / tap.flowMlPerS) * 1_000);
  const steps = [
    { atMs: 0, valve: 1 },
    { atMs: openMs, valve: 0 },
  ];
  return simulateFlow(nominal(tap, random, { steps, valveMs: 20, durationMs: 1_000 }), seedOf(random))
    .stampsMs.length;
}
