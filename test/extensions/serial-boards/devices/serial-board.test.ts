import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardMessages } from '../kit/serial-board.ts';
import { createBoardRig } from './board-rig.ts';

const hourMs = 3_600_000;
const { hello, meter } = boardMessages;
/** The hello of a board that has run for an hour. */
const running = hello({ uptimeMs: hourMs });

describe('identification', () => {
  test.each([
    [{ serialNumber: 'KB-0000-0000-DEADBEEF' }, undefined, 'kegboard-deadbeef'],
    [{}, undefined, 'kegboard'],
    [{ firmware: 14 }, undefined, 'kegboard'],
    [{ serialNumber: 'KB-0000-0000-deadbeef' }, 'cellar', 'cellar'],
  ])('%j with the name %s is %s', (fields, name, controller) => {
    const one = createBoardRig(name === undefined ? {} : { name });
    one.send(hello(fields));
    expect(one.steps[0]).toMatchObject({ kind: 'identified', controller });
  });

  test('a board that sends messages is pinged at once, and messages before its hello are not lost', () => {
    const one = createBoardRig();
    one.send(meter('flow0', 1_000));
    expect(one.commands).toMatchObject([{ kind: 'ping' }]);
    one.send(meter('flow0', 1_010), running);
    expect(one.ticks()).toBe(10);
  });

  test('a silent device is pinged after 3.5 s and then every 5 s; after 30 s it is not a Kegboard', () => {
    const one = createBoardRig();
    one.pass(31_000);
    expect(one.commands.map(({ atMs }) => atMs - 100_000)).toEqual([
      3_500, 8_500, 13_500, 18_500, 23_500, 28_500,
    ]);
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'not_a_kegboard' }]);
  });

  test('firmware before version 4 is not supported', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 3 }), meter('flow0', 1));
    expect(one.steps).toEqual([{ kind: 'failed', why: 'too_old' }]);
  });

  test('a board with a changed serial number fails as renamed', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 15 }), hello({ firmware: 15, serialNumber: 'KB-0000-0000-deadbeef' }));
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'renamed' }]);
  });
});

describe('ticks from totals', () => {
  test('the first total of a running board is the base: increases count, and what was before is unknown', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 5_000), meter('flow0', 5_040), meter('flow0', 5_060), meter('flow1', 7));
    expect(one.ticks()).toBe(60);
    expect(one.lost()).toEqual([null, null, 0, null]);
  });

  test('a board that restarts when its port is opened counts from zero', () => {
    const one = createBoardRig();
    one.pass(2_000);
    one.send(hello({ uptimeMs: 0 }));
    one.send(meter('flow0', 40));
    expect(one.ticks()).toBe(40);
  });

  test('a counter that wraps continues', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 2 ** 32 - 20), meter('flow0', 2 ** 32 - 10), meter('flow0', 5));
    expect(one.ticks()).toBe(25);
    expect(one.lost().at(-1)).toBe(0);
  });

  test('after a reset in mid-pour the total counts from zero, and the loss is unknown', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 100));
    one.pass(3_000);
    one.send(hello({ uptimeMs: 500 }));
    one.send(meter('flow0', 120));
    expect(one.ticks()).toBe(220);
    expect(one.lost()).toEqual([0, 0, null, 0]);
    expect(one.stepsOf('restarted')).toHaveLength(1);
  });

  test('a reset without a hello is detected by the lower total', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 100), meter('flow0', 30));
    expect(one.ticks()).toBe(130);
    expect(one.lost()).toEqual([0, 0, null]);
  });

  test('before version 18 an unsolicited hello is a reset, and the answer to a ping is not', () => {
    const one = createBoardRig();
    one.pass(4_000);
    expect(one.commands).toHaveLength(1);
    one.send(hello({ firmware: 14 }), meter('flow0', 500), meter('flow0', 520));
    expect(one.ticks()).toBe(20);
    expect(one.stepsOf('restarted')).toEqual([]);
    one.pass(10_000);
    one.send(hello({ firmware: 14 }), meter('flow0', 550));
    expect(one.stepsOf('restarted')).toHaveLength(1);
    expect(one.ticks()).toBe(20 + 550);
  });

  test('two pings answered late, one after the other, are not a reset', () => {
    const one = createBoardRig();
    one.pass(8_600);
    expect(one.commands).toHaveLength(2);
    one.send(hello({ firmware: 14 }), hello({ firmware: 14 }));
    expect(one.stepsOf('restarted')).toEqual([]);
  });

  test('a hello taken for a reset adds no ticks when the total is too high for the time since', () => {
    const one = createBoardRig();
    one.pass(4_000);
    one.send(hello({ firmware: 15 }), meter('flow0', 80_000), meter('flow0', 80_010));
    one.pass(60_000);
    one.send(hello({ firmware: 15 }), meter('flow0', 80_020), meter('flow0', 80_030));
    expect(one.ticks()).toBeLessThanOrEqual(30);
    expect(one.lost()).toContain(null);
  });

  test.each([
    ['256 too high', [100, 511, 258], 158],
    ['65536 too high', [100, 65_791, 258], 158],
    ['256 too low', [900, 767, 1_030], 130],
  ])('a total read %s during a carry causes no error', (_, totals, ticks) => {
    const one = createBoardRig();
    one.send(running);
    for (const total of totals) one.send(meter('flow0', total));
    expect(one.ticks()).toBe(ticks);
  });

  test('a reconnected board continues its count, unless it has restarted', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 100), meter('flow0', 110));
    one.reopen(9_000);
    one.send(hello({ uptimeMs: hourMs + 9_000 }), meter('flow0', 400));
    expect(one.ticks()).toBe(10 + 290);
    one.reopen(hourMs * 3);
    // The uptime is longer than the last one, but shorter than without a restart.
    one.send(hello({ uptimeMs: hourMs * 2 }), meter('flow0', 70));
    expect(one.ticks()).toBe(300 + 70);
  });

  test('an implausible increase is not counted, later ones are', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 3_000_000), meter('flow0', 3_000_020));
    expect(one.ticks()).toBe(20);
    expect(one.stepsOf('reported')[1]!.report.jumpedBy).toBe(3_000_000);
  });

  test('at most 16 meters per board are accepted', () => {
    const one = createBoardRig();
    one.send(running, ...Array.from({ length: 100 }, (_, n) => meter(`flow${n}`, 1)));
    expect(one.stepsOf('reported')).toHaveLength(16);
  });
});

describe('any sequence of events', () => {
  /**
   * What may happen to a board between two reports; a report follows 101 ms after the last, with at most 80
   * ticks more.
   */
  const action = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('pour' as const), ticks: fc.integer({ min: 1, max: 80 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('damaged' as const), ticks: fc.integer({ min: 1, max: 80 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('noise' as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('replug' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('rest' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('vanished' as const),
        ticks: fc.integer({ min: 1, max: 80 }),
      }),
    },
  );
  type Action = typeof action extends fc.Arbitrary<infer D> ? D : never;

  /** Runs the actions; returns the ticks poured and the ticks counted. */
  function play(actions: readonly Action[], start: number) {
    const one = createBoardRig();
    let total = start;
    let bootMs = one.now() - hourMs;
    let poured = 0;
    const tick = (ticks: number) => {
      poured += ticks;
      total = (total + ticks) % 2 ** 32;
      return meter('flow0', total);
    };
    const sendHello = () => one.send(hello({ uptimeMs: one.now() - bootMs }));
    sendHello();
    one.send(meter('flow0', total));
    for (const next of actions) {
      switch (next.kind) {
        case 'pour': {
          const frame = tick(next.ticks);
          const cut = next.ticks % frame.length;
          one.send(frame.subarray(0, cut), frame.subarray(cut));
          break;
        }
        case 'damaged': {
          const frame = tick(next.ticks).slice();
          frame[next.ticks % frame.length]! ^= 0x10;
          one.send(frame);
          break;
        }
        case 'vanished':
          tick(next.ticks);
          break;
        case 'noise':
          one.send(next.bytes);
          break;
        case 'rest':
          one.pass(next.ms);
          break;
        case 'replug':
          one.reopen();
          sendHello();
          break;
        case 'reset':
          // The last report before a reset is received; ticks that were never reported cannot be known.
          one.send(meter('flow0', total));
          one.pass(1_500);
          total = 0;
          bootMs = one.now();
          sendHello();
      }
      if (one.now() - bootMs > 10_000) sendHello();
    }
    one.send(tick(1));
    one.send(tick(1));
    return { poured, counted: one.ticks() };
  }

  const starts = fc.oneof(fc.nat(1_000), fc.integer({ min: 2 ** 32 - 500, max: 2 ** 32 - 1 }));

  test('every tick is counted once while no report is lost undetected', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), starts, (actions, start) => {
        const { poured, counted } = play(
          actions.filter(({ kind }) => kind !== 'vanished'),
          start,
        );
        expect(counted).toBe(poured);
      }),
    );
  });

  test('no tick is added when reports are lost', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), starts, (actions, start) => {
        const { poured, counted } = play(actions, start);
        expect(counted).toBeLessThanOrEqual(poured);
      }),
    );
  });
});

describe('silence', () => {
  test('version 18 fails after 30 s without its hello', () => {
    const one = createBoardRig();
    one.send(running);
    one.pass(29_000);
    expect(one.stepsOf('failed')).toEqual([]);
    one.pass(2_000);
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'silent' }]);
  });

  test('an older board is pinged after a minute, and fails after three unanswered pings', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 8 }));
    one.pass(60_500);
    expect(one.commands).toHaveLength(1);
    one.send(hello({ firmware: 8 }));
    expect(one.stepsOf('restarted')).toHaveLength(1);
    one.pass(80_000);
    expect(one.commands).toHaveLength(4);
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'silent' }]);
  });

  test('a board with an audible ping is pinged only every ten minutes', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 12 }));
    one.pass(590_000);
    expect(one.commands).toEqual([]);
    one.pass(11_000);
    expect(one.commands).toHaveLength(1);
  });

  test('an incomplete frame is discarded after 0.5 s, but not because of a stall', () => {
    const one = createBoardRig();
    const frame = meter('flow0', 60);
    one.send(running, meter('flow0', 50));
    one.board().receive(frame.subarray(0, 20), one.now());
    // One step after a stall of three seconds: the rest of the frame is still in the kernel.
    one.board().step(one.now() + 3_000);
    one.send(frame.subarray(20));
    expect(one.ticks()).toBe(10);

    const next = meter('flow0', 70);
    one.send(next.subarray(0, 20));
    one.pass(600);
    one.send(next.subarray(20), meter('flow0', 75));
    expect(one.ticks()).toBe(25);
  });
});
