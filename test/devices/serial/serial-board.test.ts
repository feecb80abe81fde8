import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardMessages } from '../../kit/serial-board.ts';
import { createBoardRig } from './board-rig.ts';

const hourMs = 3_600_000;
const { hello, meter } = boardMessages;
/** A board that ran for long before we came. */
const running = hello({ uptimeMs: hourMs });

describe('who a board is', () => {
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

  test('a board that runs is asked as soon as it speaks, and what it said before is not lost', () => {
    const one = createBoardRig();
    one.send(meter('flow0', 1_000));
    expect(one.commands).toMatchObject([{ kind: 'ping' }]);
    one.send(meter('flow0', 1_010), running);
    expect(one.ticks()).toBe(10);
  });

  test('a board that may be starting is given 3.5 s, then asked every 5 s; after half a minute it is a stranger', () => {
    const one = createBoardRig();
    one.pass(31_000);
    expect(one.commands.map(({ atMs }) => atMs - 100_000)).toEqual([
      3_500, 8_500, 13_500, 18_500, 23_500, 28_500,
    ]);
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'not_a_kegboard' }]);
  });

  test('firmware from before version 4 is not understood', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 3 }), meter('flow0', 1));
    expect(one.steps).toEqual([{ kind: 'failed', why: 'too_old' }]);
  });

  test('a board that was given another serial number is begun anew', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 15 }), hello({ firmware: 15, serialNumber: 'KB-0000-0000-deadbeef' }));
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'renamed' }]);
  });
});

describe('ticks from totals', () => {
  test('the first total of a board that ran before us is a base, and the next ones count', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 5_000), meter('flow0', 5_040), meter('flow1', 7));
    expect(one.ticks()).toBe(40);
    expect(one.lost()).toEqual([0, 0, 0]);
  });

  test('a board that began again as we opened it counts from zero', () => {
    const one = createBoardRig();
    one.pass(2_000);
    one.send(hello({ uptimeMs: 0 }));
    one.send(meter('flow0', 40));
    expect(one.ticks()).toBe(40);
  });

  test('a counter that wraps goes on', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 2 ** 32 - 10), meter('flow0', 5));
    expect(one.ticks()).toBe(15);
    expect(one.lost()).toEqual([0, 0]);
  });

  test('a reset in mid-pour counts what fell since from zero, and says that the pour is not proven', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 100));
    one.pass(3_000);
    one.send(hello({ uptimeMs: 500 }));
    one.send(meter('flow0', 120));
    expect(one.ticks()).toBe(220);
    expect(one.lost()).toEqual([0, 0, null, 0]);
    expect(one.stepsOf('restarted')).toHaveLength(1);
  });

  test('a reset whose hello was lost is seen in the lower total', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 100), meter('flow0', 30));
    expect(one.ticks()).toBe(130);
    expect(one.lost()).toEqual([0, 0, null]);
  });

  test('before version 18 a hello nobody asked for is a reset, and the answer to a ping is none', () => {
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

  test('two pings answered late, one after the other, are no reset', () => {
    const one = createBoardRig();
    one.pass(8_600);
    expect(one.commands).toHaveLength(2);
    one.send(hello({ firmware: 14 }), hello({ firmware: 14 }));
    expect(one.stepsOf('restarted')).toEqual([]);
  });

  test('a hello that was no reset after all invents nothing: the total is too high for the time since', () => {
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
  ])('a total read %s while a byte carried costs nothing', (_, totals, ticks) => {
    const one = createBoardRig();
    one.send(running);
    for (const total of totals) one.send(meter('flow0', total));
    expect(one.ticks()).toBe(ticks);
  });

  test('a board out of hearing goes on where it was, unless it began again meanwhile', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 100), meter('flow0', 110));
    one.reopen(9_000);
    one.send(hello({ uptimeMs: hourMs + 9_000 }), meter('flow0', 400));
    expect(one.ticks()).toBe(10 + 290);
    one.reopen(hourMs * 3);
    // Longer up than when it was heard last, yet not as long as it would be.
    one.send(hello({ uptimeMs: hourMs * 2 }), meter('flow0', 70));
    expect(one.ticks()).toBe(300 + 70);
  });

  test('a leap that no beer can make is not counted, and what follows is', () => {
    const one = createBoardRig();
    one.send(running, meter('flow0', 0), meter('flow0', 3_000_000), meter('flow0', 3_000_020));
    expect(one.ticks()).toBe(20);
    expect(one.stepsOf('reported')[1]!.report.jumpedBy).toBe(3_000_000);
  });

  test('a board that makes up meters without end is not followed', () => {
    const one = createBoardRig();
    one.send(running, ...Array.from({ length: 100 }, (_, n) => meter(`flow${n}`, 1)));
    expect(one.stepsOf('reported')).toHaveLength(16);
  });
});

describe('whatever a board lives through', () => {
  /** What may happen to a board between two reports; every report follows 101 ms after the last, at most 80 ticks on. */
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

  /** Plays a life and gives the ticks that fell and those that were counted. */
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
          // The last report before a reset came through; what was never reported nobody can know.
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

  test('every tick is counted once while no report vanishes without a trace', () => {
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

  test('no tick is ever invented, whatever vanishes', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), starts, (actions, start) => {
        const { poured, counted } = play(actions, start);
        expect(counted).toBeLessThanOrEqual(poured);
      }),
    );
  });
});

describe('silence', () => {
  test('version 18 is given up after half a minute without its heartbeat', () => {
    const one = createBoardRig();
    one.send(running);
    one.pass(29_000);
    expect(one.stepsOf('failed')).toEqual([]);
    one.pass(2_000);
    expect(one.stepsOf('failed')).toEqual([{ kind: 'failed', why: 'silent' }]);
  });

  test('an older board is asked after a minute, and given up when it does not answer three times', () => {
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

  test('a board whose ping is heard at the bar is asked every ten minutes only', () => {
    const one = createBoardRig();
    one.send(hello({ firmware: 12 }));
    one.pass(590_000);
    expect(one.commands).toEqual([]);
    one.pass(11_000);
    expect(one.commands).toHaveLength(1);
  });

  test('a cut frame is given up after half a second; while our loop stalled it is waited for', () => {
    const one = createBoardRig();
    const frame = meter('flow0', 60);
    one.send(running, meter('flow0', 50));
    one.board().receive(frame.subarray(0, 20), one.now());
    // One look after a stall of three seconds: the rest of the frame waits in the kernel.
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
