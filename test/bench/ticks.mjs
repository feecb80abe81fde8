// Throughput of edges through ring, filter and tracker, compared with a loop that only counts the same time stamps.
import { createEventBus } from '../../dist/core/event-bus.js';
import { createRingMemory, RingReader, RingWriter } from '../../dist/devices/gpio/drivers/cdev/edge-ring.js';
import { createMeterFeed } from '../../dist/devices/meter-feed.js';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const meters = 16;
const hz = 400;
const rounds = 7;
const edgesPerRound = 1_500_000;
const target = 1_000_000;

/** Sixteen taps pour for 10 s and pause for 6 s. */
const flowMs = 10_000;
const restMs = 6_000;

export async function run() {
  const stamps = createStamps();
  // A heartbeat drains 50 ms of sixteen meters; after a stall of 10 s the ring is nearly full.
  return [
    row('Ticks, one heartbeat at a time', stamps, (meters * hz) / 20),
    row('Ticks, after a stall', stamps, 64_000),
  ];
}

function row(what, stamps, edgesPerHeartbeat) {
  const ours = [];
  const bare = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(edgesPerRound / measurePipeline(stamps, edgesPerHeartbeat));
    bare.push(edgesPerRound / measureCounting(stamps));
  }
  const perSecond = median(ours);
  return {
    what,
    ours: `${millions(perSecond)} edges/s`,
    bare: `${millions(median(bare))} edges/s`,
    ratio: ratio(perSecond, median(bare)),
    target: '≥ 1.0 M edges/s',
    met: perSecond >= target,
  };
}

const millions = (perSecond) => `${(perSecond / 1e6).toFixed(1)} M`;

/** Time stamps in milliseconds, in order, interleaved over all lines. */
function createStamps() {
  const stamps = new Float64Array(edgesPerRound);
  const perFlow = (flowMs / 1_000) * hz;
  for (let i = 0; i < stamps.length; i++) {
    const nth = Math.floor(i / meters);
    const pour = Math.floor(nth / perFlow);
    stamps[i] = 1_000 + pour * (flowMs + restMs) + ((nth % perFlow) * 1_000) / hz + (i % meters) * 0.05;
  }
  return stamps;
}

function measurePipeline(stamps, edgesPerHeartbeat) {
  const memory = createRingMemory(meters);
  const writer = new RingWriter(memory);
  const reader = new RingReader(memory);
  const names = Array.from({ length: meters }, (_, i) => `pi.flow${i}`);
  const input = {
    driver: 'ring',
    describe: 'Edges queued beforehand.',
    faults: [],
    drain() {
      const { batches, untilMonoMs } = reader.drain();
      const lines = batches.map(({ line, stampsMonoMs, lost }) => ({
        meter: names[line],
        stampsMonoMs,
        lost,
      }));
      return { lines, untilMonoMs };
    },
    lines: () => [],
    close: async () => {},
  };
  let recorded = 0;
  let faults = 0;
  const bus = createEventBus(() => faults++);
  bus.on('pour.ended', ({ pour }) => {
    recorded += pour.ticks;
  });
  let id = 0;
  const feed = createMeterFeed({
    input,
    meters: names.map((name) => ({ name, minGapMs: 1.2, idleMs: 5_000, minTicks: 3, maxMs: 300_000 })),
    bus,
    ids: { next: () => `pour-${++id}` },
    bootId: 'bench',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: () => faults++,
  });

  let elapsedUs = 0;
  for (let from = 0; from < stamps.length; from += edgesPerHeartbeat) {
    const to = Math.min(from + edgesPerHeartbeat, stamps.length);
    for (let i = from; i < to; i++) writer.push(i % meters, stamps[i]);
    writer.publish();
    writer.publishUntil(stamps[to - 1]);
    // The pin thread writes the ring, so only the main thread's part is measured.
    const started = processorUs();
    feed.poll();
    elapsedUs += processorUs() - started;
  }
  feed.finishAll();
  if (faults > 0 || recorded !== stamps.length)
    throw new Error(`${recorded} of ${stamps.length} ticks arrived.`);
  return elapsedUs / 1e6;
}

function measureCounting(stamps) {
  const started = processorUs();
  let last = 0;
  let counted = 0;
  for (let i = 0; i < stamps.length; i++) {
    if (stamps[i] >= last) counted++;
    last = stamps[i];
  }
  const seconds = (processorUs() - started) / 1e6;
  if (counted !== stamps.length) throw new Error(`${counted} of ${stamps.length} stamps counted.`);
  return seconds;
}

/** CPU time of this process including garbage collection; other programs do not affect it. */
function processorUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
