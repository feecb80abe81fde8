import { describe, expect, test } from 'vitest';
import { KegScale, type ScaleStep } from '../../../../src/extensions/scales/core/keg-scale.ts';
import { WeightLevels } from '../../../../src/extensions/scales/core/scale-level.ts';
import { seededNumbers } from '../../../core/measurement/seeded-numbers.ts';
import { density, hourMs, minuteMs, openScaleBench, secondMs } from './scale-bench.ts';

const seeds = Array.from({ length: 30 }, (_, index) => index + 1);

describe('a stable weight', () => {
  const read = (levels: WeightLevels, weights: readonly number[], everyMs: number) =>
    weights.map((weightG, index) => levels.add({ weightG, tempC: null, monoMs: index * everyMs }));

  test('is the mean of at least three readings over two seconds', () => {
    const found = read(new WeightLevels(), [1_000, 1_010, 1_020], 1_000);
    expect(found).toEqual([null, null, { weightG: 1_010, tempC: null, sinceMonoMs: 0, monoMs: 2_000 }]);
  });

  test('is not there while the weight changes by more than 20 g', () => {
    expect(read(new WeightLevels(), [1_000, 1_030, 1_060], 1_000)).toEqual([null, null, null]);
  });

  test('takes two seconds of fast readings', () => {
    const found = read(new WeightLevels(), Array(21).fill(500), 100);
    expect(found.findIndex((level) => level !== null)).toBe(20);
  });

  test('is found with a sensor that sends every ten minutes, and not with one that sends every hour', () => {
    expect(read(new WeightLevels(), [500, 500, 500], 10 * minuteMs).at(-1)).not.toBeNull();
    expect(read(new WeightLevels(), [500, 500, 500], hourMs).at(-1)).toBeNull();
  });

  test('a reading that is repeated or older than the last one counts once', () => {
    const levels = new WeightLevels();
    const reading = { weightG: 500, tempC: null, monoMs: 5_000 };
    expect([levels.add(reading), levels.add(reading), levels.add({ ...reading, monoMs: 0 })]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('one pour', () => {
  test('is compared by the weights before and after it', () => {
    const bench = openScaleBench({ random: seededNumbers(1), noiseG: 0 });
    bench.wait(minuteMs);
    bench.pour(500);
    bench.wait(minuteMs);
    const [pour] = bench.steps;
    // 500 mL of beer weigh 505 g; 2.3 g of gas take their place.
    expect(pour).toMatchObject({ kind: 'poured', uG: 10 });
    expect(pour?.kind === 'poured' && pour.lossG).toBeCloseTo(502.7, 1);
    expect(pour?.kind === 'poured' && pour.meterMl).toBeGreaterThan(490);
    expect(bench.steps).toHaveLength(1);
  });

  test('is compared by a sensor that sends once a minute, together with others that it did not tell apart', () => {
    const bench = openScaleBench({ random: seededNumbers(1), noiseG: 0, everyMs: minuteMs });
    bench.wait(10 * minuteMs);
    bench.pour(300);
    bench.pour(300);
    bench.wait(10 * minuteMs);
    const poured = bench.steps.filter(({ kind }) => kind === 'poured');
    expect(poured).toHaveLength(1);
    expect(poured[0]).toMatchObject({ lossG: expect.closeTo(600 * density.kgPerL, 3) });
  });

  test('drips are no pour, however many there are in a night', () => {
    const bench = openScaleBench({ random: seededNumbers(1) });
    bench.wait(minuteMs);
    for (let count = 0; count < 200; count++) {
      bench.drip();
      bench.wait(minuteMs);
    }
    expect(bench.steps.filter(({ kind }) => kind === 'poured')).toEqual([]);
  });
});

describe('no false finding', () => {
  test.each(seeds)('in a quiet night of eight hours, number %d', (seed) => {
    const random = seededNumbers(seed);
    const spread = () => random() + random() + random() - 1.5;
    const bench = openScaleBench({
      random,
      everyMs: 10 * secondMs,
      driftGPerK: 10 * spread(),
      // One standard uncertainty of 150 g/day: the spread of `spread` is 0.5.
      creepGPerDay: 300 * spread(),
      // A cold room: the compressor, and a slow change over the night.
      tempC: (ms) => 5 + Math.sin(ms / (20 * minuteMs)) + ((seed % 5) - 2) * (ms / (8 * hourMs)),
      sendsTemp: seed % 2 === 0,
    });
    bench.wait(8 * hourMs);
    expect([...bench.everFound]).toEqual([]);
    expect(bench.steps.some(({ kind }) => kind === 'quiet')).toBe(true);
  });

  test.each(seeds)('in an ordinary evening with 60 pours, number %d', (seed) => {
    const random = seededNumbers(1_000 + seed);
    const bench = openScaleBench({ random, noiseG: 5, tempC: (ms) => 5 + Math.sin(ms / (20 * minuteMs)) });
    bench.wait(5 * minuteMs);
    for (let count = 0; count < 60; count++) {
      bench.pour([200, 300, 500, 1_000][Math.floor(4 * random())]!);
      // Sometimes the next guest is served at once.
      bench.wait(random() < 0.3 ? 5 * secondMs : 40 * secondMs + 3 * minuteMs * random());
    }
    bench.wait(5 * minuteMs);
    expect([...bench.everFound]).toEqual([]);
    expect(bench.steps.filter(({ kind }) => kind === 'poured').length).toBeGreaterThan(30);
  });
});

describe('findings', () => {
  const evening = (count: number, options = {}) => {
    const bench = openScaleBench({ random: seededNumbers(7), ...options });
    bench.wait(2 * minuteMs);
    for (let index = 0; index < count; index++) {
      bench.pour(500);
      bench.wait(minuteMs);
    }
    return bench;
  };

  test('ticks are missing when the meter counts a third of some pours; one such pour alone is none', () => {
    const bench = evening(5);
    bench.count(0.33);
    bench.pour(500);
    bench.wait(minuteMs);
    expect([...bench.open.keys()]).toEqual([]);
    bench.pour(500);
    bench.wait(minuteMs);
    expect([...bench.open.keys()]).toEqual(['ticks_missing']);
    const figures = bench.open.get('ticks_missing')!;
    expect(figures.scaleMl).toBeGreaterThan(970);
    expect(figures.meterMl).toBeLessThan(345);
  });

  test('missing ticks are over after five pours that agree', () => {
    const bench = evening(5);
    bench.count(0.33);
    for (let count = 0; count < 2; count++) {
      bench.pour(500);
      bench.wait(minuteMs);
    }
    expect(bench.open.has('ticks_missing')).toBe(true);
    bench.count(1);
    for (let count = 0; count < 5; count++) {
      bench.pour(500);
      bench.wait(minuteMs);
    }
    expect(bench.open.has('ticks_missing')).toBe(false);
  });

  test('ticks are missing when the meter counts nothing of three glasses', () => {
    const bench = evening(2);
    for (let count = 0; count < 3; count++) {
      bench.pourUncounted(420);
      bench.wait(2 * minuteMs);
    }
    expect([...bench.open.keys()]).toEqual(['ticks_missing']);
    expect(bench.open.get('ticks_missing')).toMatchObject({ meterMl: 0, scaleMl: expect.closeTo(1_260, -2) });
  });

  test('a keg that is lifted is found after a minute, one that is set down again at once is not', () => {
    const bench = evening(1);
    bench.move(-8_000);
    bench.wait(30 * secondMs);
    bench.move(8_000);
    bench.wait(5 * minuteMs);
    expect([...bench.everFound]).toEqual([]);
    bench.move(-8_000);
    bench.wait(2 * minuteMs);
    expect([...bench.open.keys()]).toEqual(['keg_moved']);
  });

  test('300 g more or less without ticks are no moved keg', () => {
    const bench = evening(1);
    bench.move(280);
    bench.wait(2 * minuteMs);
    bench.move(-280);
    bench.wait(2 * minuteMs);
    expect([...bench.everFound]).toEqual([]);
  });

  test('a leak of two litres a day is found in the night, with the temperature that moves the zero', () => {
    const bench = openScaleBench({
      random: seededNumbers(3),
      everyMs: 10 * secondMs,
      leakMlPerDay: 2_000,
      driftGPerK: 8,
      tempC: (ms) => 5 + Math.sin(ms / (20 * minuteMs)),
    });
    bench.wait(5 * hourMs);
    expect([...bench.open.keys()]).toEqual(['leak']);
    expect(bench.open.get('leak')!.scaleMl).toBeCloseTo(2_000, -2);
  });

  test('a leak is over when a night shows none', () => {
    const bench = openScaleBench({ random: seededNumbers(3), everyMs: 10 * secondMs, leakMlPerDay: 2_000 });
    bench.wait(5 * hourMs);
    const dry = openScaleBench({ random: seededNumbers(3), everyMs: 10 * secondMs });
    dry.open.set('leak', bench.open.get('leak')!);
    dry.wait(5 * hourMs);
    expect([...dry.open.keys()]).toEqual([]);
  });

  test('a steady ratio is a wrong factor with the figure as evidence, not missing ticks', () => {
    const bench = evening(12, { countedShare: 0.93 });
    expect([...bench.open.keys()]).toEqual(['wrong_factor']);
    expect([...bench.everFound]).toEqual(['wrong_factor']);
    // The scale saw 1/0.93 of what the meter counted.
    expect(bench.open.get('wrong_factor')!.ratio).toBeCloseTo(1.075, 2);
  });

  test('a meter without ticks says nothing about pours', () => {
    const bench = evening(0);
    expect(bench.scale.step({ weightG: 50_000, tempC: null, monoMs: 10 * hourMs }, null)).toEqual([]);
    expect(bench.scale.level).not.toBeNull();
  });
});

describe('the temperature', () => {
  const night = (bench: ReturnType<typeof openScaleBench>) => {
    bench.wait(6 * hourMs);
    bench.pour(500);
    bench.wait(minuteMs);
  };

  test('teaches its coefficient in one night, within its uncertainty', () => {
    const bench = openScaleBench({
      random: seededNumbers(4),
      driftGPerK: 12,
      everyMs: 10 * secondMs,
      tempC: (ms) => 5 + 2 * Math.sin(ms / (30 * minuteMs)),
    });
    night(bench);
    const learned = bench.steps.find((step) => step.kind === 'coefficient');
    const { gPerK, uGPerK } =
      learned!.kind === 'coefficient' ? learned!.coefficient : { gPerK: 0, uGPerK: 0 };
    expect(Math.abs(gPerK - 12)).toBeLessThan(3 * uGPerK);
    expect(uGPerK).toBeLessThan(2);
  });

  test('teaches nothing where it does not change', () => {
    const bench = openScaleBench({ random: seededNumbers(4), everyMs: 10 * secondMs });
    night(bench);
    expect(bench.steps.filter(({ kind }) => kind === 'coefficient')).toEqual([]);
  });

  test('teaches nothing in a night with a leak', () => {
    const bench = openScaleBench({
      random: seededNumbers(4),
      everyMs: 10 * secondMs,
      leakMlPerDay: 3_000,
      tempC: (ms) => 5 + ms / hourMs,
    });
    night(bench);
    expect(bench.steps.filter(({ kind }) => kind === 'coefficient')).toEqual([]);
  });
});

describe('the limits of what a scale sees', () => {
  /** A scale that has read 50 kg once a second until 10 s; one tick is a millilitre. */
  function openScale() {
    const scale = new KegScale();
    const read = (untilMs: number, lossG: number, ticks: number, fromMs = untilMs): readonly ScaleStep[] => {
      const steps: ScaleStep[] = [];
      for (let monoMs = fromMs; monoMs <= untilMs; monoMs += secondMs)
        steps.push(
          ...scale.step(
            { weightG: 50_000 - lossG, tempC: null, monoMs },
            { ticks, ticksPerMl: 1, isPouring: false },
          ),
        );
      return steps;
    };
    expect(read(10 * secondMs, 0, 0, 0)).toEqual([]);
    return read;
  }

  test.each([
    [99, []],
    [-99, []],
    [100, [{ kind: 'changed', lossG: 100 }]],
    [-100, [{ kind: 'changed', lossG: -100 }]],
  ])('%s g less without a tick are %j', (lossG, steps) => {
    expect(openScale()(5 * minuteMs, lossG, 0, 11 * secondMs)).toEqual(steps);
  });

  test('a change without a tick must last a minute', () => {
    const read = openScale();
    expect(read(70 * secondMs, 500, 0, 11 * secondMs)).toEqual([]);
    expect(read(71 * secondMs, 500, 0)).toEqual([{ kind: 'changed', lossG: 500 }]);
  });

  test.each([
    [19, []],
    [20, ['poured']],
  ])('%s mL by the meter are %j', (ticks, kinds) => {
    const steps = openScale()(minuteMs, ticks, ticks, 11 * secondMs);
    expect(steps.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('the keg rests for 20 s after the meter counted', () => {
    const read = openScale();
    // The ticks are seen at 11 s; a stable weight takes two seconds.
    expect(read(32 * secondMs, 300, 300, 11 * secondMs)).toEqual([]);
    expect(read(33 * secondMs, 300, 300)).toMatchObject([{ kind: 'poured', lossG: 300, meterMl: 300 }]);
  });

  test.each([
    [30 * minuteMs, ['poured']],
    [30 * minuteMs + 1, []],
  ])('weights %s ms apart are compared: %j', (apartMs, kinds) => {
    const read = openScale();
    const untilMs = 10 * secondMs + apartMs;
    read(untilMs - 22 * secondMs, 300, 300);
    const steps = read(untilMs, 300, 300, untilMs - 2 * secondMs);
    expect(steps.map(({ kind }) => kind)).toEqual(kinds);
  });
});
