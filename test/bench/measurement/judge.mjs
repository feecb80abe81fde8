// One simulated pour through the meter feed, drained every 50 ms as in the daemon.
import { createEventBus } from '../../../dist/core/event-bus.js';
import { createMeterFeed } from '../../../dist/devices/meter-feed.js';

const heartbeatMs = 50;
const limits = { idleMs: 5_000, minTicks: 3, maxMs: 300_000, hasExactStamps: true };

/** A drink is at least this large where its meter can tell (decision on drips). */
const leastDrinkMl = 10;

/** What the first line's pour was taken for, when gas was found, and whether a pour of another line was held. */
export function judge({ tap, flows }) {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let untilMs = 0;
  let gasAtMs = null;
  const pours = [];
  let drips = 0;
  bus.on('pour.gas', ({ meter }) => {
    if (meter === 'pi.flow0') gasAtMs ??= untilMs;
  });
  bus.on('pour.ended', ({ pour }) => {
    if (pour.meter === 'pi.flow0') pours.push(pour);
  });
  const heldOthers = new Set();
  bus.on('pour.ended', ({ pour }) => {
    if (pour.meter !== 'pi.flow0' && pour.doubts.length > 0) heldOthers.add(pour.meter);
  });
  bus.on('pour.dripped', ({ meter }) => {
    if (meter === 'pi.flow0') drips++;
  });
  const minTicks = Math.max(limits.minTicks, Math.ceil(leastDrinkMl * tap.ticksPerMl));
  let ids = 0;
  const taken = flows.map(() => 0);
  const feed = createMeterFeed({
    input: {
      drain() {
        const lines = flows.map(({ stampsMs }, i) => {
          const from = taken[i];
          while (taken[i] < stampsMs.length && stampsMs[taken[i]] <= untilMs) taken[i]++;
          return { meter: `pi.flow${i}`, stampsMonoMs: stampsMs.subarray(from, taken[i]), lost: 0 };
        });
        return { lines: lines.filter(({ stampsMonoMs }) => stampsMonoMs.length > 0), untilMonoMs: untilMs };
      },
    },
    meters: flows.map((_, i) => ({ ...limits, name: `pi.flow${i}`, minGapMs: tap.minGapMs })),
    bus,
    ids: { next: () => `p${ids++}` },
    bootId: 'boot',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    findFacts: () => ({
      minTicks,
      minTicksPerS: 2 * tap.ticksPerMl,
      leastOpenMs: 180,
      openRate: tap.openRate,
      certainTicks: 0,
    }),
    onFault: (fault) => {
      throw fault;
    },
  });
  const endMs = Math.max(...flows.map(({ durationMs }) => durationMs)) + limits.idleMs + 2 * heartbeatMs;
  for (; untilMs < endMs; untilMs += heartbeatMs) feed.poll();
  feed.finishAll();
  return { ...outcome(pours, drips), ...toTruth(flows[0], tap), gasAtMs, isOtherHeld: heldOthers.size > 0 };
}

function outcome(pours, drips) {
  if (pours.length === 0) return { outcome: drips > 0 ? 'drip' : 'nothing' };
  const held = pours.find(({ doubts }) => doubts.length > 0);
  if (held !== undefined)
    return { outcome: held.doubts[0] === 'simultaneous' ? 'held: all taps' : 'held: noise' };
  const gas = pours.find((pour) => pour.gas?.class === 'gas');
  if (gas !== undefined) {
    return { outcome: 'gas', onsetMs: gas.startedMonoMs + gas.gas.onsetMs, gasTicks: gas.gas.ticks };
  }
  return { outcome: pours.some((pour) => pour.gas?.class === 'foamy') ? 'foamy' : 'beer' };
}

function toTruth(flow, tap) {
  const gas = flow.phases.find(({ kind }) => kind === 'gas');
  return { gasStartMs: gas?.startMs ?? null, ticksPerMl: tap.ticksPerMl, beerMl: flow.beerMl };
}
