import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createRingMemory,
  RingReader,
  RingWriter,
} from '../../../../../src/devices/gpio/drivers/cdev/edge-ring.ts';

function ring(lineCount: number, capacity?: number) {
  const memory = createRingMemory(lineCount, capacity);
  return { writer: new RingWriter(memory), reader: new RingReader(memory) };
}

test('edges of two taps are returned separately, each in order', () => {
  const { writer, reader } = ring(2);
  writer.push(0, 10.5);
  writer.push(1, 11);
  writer.push(0, 12.25);
  writer.publish();
  writer.publishUntil(15);
  const drained = reader.drain();
  expect(drained.untilMonoMs).toBe(15);
  expect(drained.batches.map(({ line, stampsMonoMs, lost }) => [line, [...stampsMonoMs], lost])).toEqual([
    [0, [10.5, 12.25], 0],
    [1, [11], 0],
  ]);
});

test('edges are not visible before their batch is published', () => {
  const { writer, reader } = ring(1);
  writer.push(0, 1);
  expect(reader.drain().batches).toEqual([]);
  writer.publish();
  expect(reader.drain().batches).toHaveLength(1);
  expect(reader.drain().batches).toEqual([]);
});

test('`untilMonoMs` never decreases', () => {
  const { writer, reader } = ring(1);
  writer.publishUntil(500);
  writer.publishUntil(400);
  expect(reader.drain().untilMonoMs).toBe(500);
});

test('a full ring counts dropped edges on the right tap', () => {
  const { writer, reader } = ring(2, 4);
  for (let k = 0; k < 5; k++) writer.push(0, k);
  writer.push(1, 9);
  writer.publish();
  const [first, second] = reader.drain().batches;
  expect([...first!.stampsMonoMs]).toEqual([0, 1, 2, 3]);
  expect(first!.lost).toBe(1);
  expect([...second!.stampsMonoMs]).toEqual([]);
  expect(second!.lost).toBe(1);
  expect([reader.lost(0), reader.received(0), writer.pushed(0)]).toEqual([1, 4, 5]);
});

test('a loss is returned once, and an unproven one makes it unknown', () => {
  const { writer, reader } = ring(1);
  writer.publishLosses(0, { lost: 3, unproven: 0 });
  expect(reader.drain().batches.map((batch) => batch.lost)).toEqual([3]);
  expect(reader.drain().batches).toEqual([]);
  writer.publishLosses(0, { lost: 3, unproven: 1 });
  expect(reader.drain().batches.map((batch) => batch.lost)).toEqual([null]);
  expect(reader.drain().batches).toEqual([]);
  expect(reader.lost(0)).toBeNull();
});

test('no edge is lost or added in any order of push, publish and drain', () => {
  const action = fc.oneof(
    { weight: 8, arbitrary: fc.nat(2).map((line) => ({ kind: 'push' as const, line })) },
    { weight: 2, arbitrary: fc.constant({ kind: 'publish' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'drain' as const }) },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const { writer, reader } = ring(3, 16);
      const accepted: number[][] = [[], [], []];
      const dropped = [0, 0, 0];
      const drained: number[][] = [[], [], []];
      const lost = [0, 0, 0];
      const drain = () => {
        for (const batch of reader.drain().batches) {
          drained[batch.line]!.push(...batch.stampsMonoMs);
          lost[batch.line]! += batch.lost!;
        }
      };
      let stamp = 0;
      for (const one of actions) {
        if (one.kind === 'publish') writer.publish();
        else if (one.kind === 'drain') drain();
        else if (writer.push(one.line, ++stamp)) accepted[one.line]!.push(stamp);
        else dropped[one.line]! += 1;
      }
      writer.publish();
      drain();
      expect(drained).toEqual(accepted);
      expect(lost).toEqual(dropped);
    }),
  );
});
