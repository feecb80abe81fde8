import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { reservedSlots } from '../../../src/store/journal/journal-layout.ts';
import { pageBytes } from '../../../src/store/journal/journal-record.ts';
import { createPourJournal, type PourJournal } from '../../../src/store/journal/pour-journal.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, createFolder, ended, running } from './journal-kit.ts';

function createJournal(folder = createFolder(), options: { readonly maxSlots?: number } = {}) {
  const path = join(folder, 'tapster.db.journal');
  return { folder, path, journal: createPourJournal({ path, ...options }) };
}

/** Pours that the next run finds after a power cut now. */
function recoverEntries(path: string) {
  const journal = createPourJournal({ path });
  try {
    return journal.recover().map(({ kind, pour }) => `${kind} ${pour.pourId} ${pour.ticks}`);
  } finally {
    journal.close();
  }
}

function thrownCode(work: () => void): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).code;
  }
  return 'nothing was thrown';
}

function countBytesWritten(journal: PourJournal, work: () => void): number {
  const before = journal.state().bytesWritten;
  work();
  return journal.state().bytesWritten - before;
}

test('a new journal is empty, and opening it again changes nothing', () => {
  const { journal, path } = createJournal();
  expect(journal.recover()).toEqual([]);
  journal.close();
  const before = readFileSync(path);
  expect(recoverEntries(path)).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('recovers a running pour as of its last checkpoint', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('p1', 40)], at(2_000));
  journal.checkpoint([running('p1', 95)], at(3_000));
  const next = createPourJournal({ path });
  expect(next.recover()).toEqual([{ kind: 'open', pour: running('p1', 95), at: at(3_000) }]);
  next.close();
});

test('writes one page for all open pours, and none while they wait for idle', () => {
  const { journal } = createJournal();
  journal.recover();
  const pours = [running('p1', 40), running('p2', 50, 'pi.flow1')];
  expect(countBytesWritten(journal, () => journal.checkpoint(pours, at(2_000)))).toBe(pageBytes);
  expect(countBytesWritten(journal, () => journal.checkpoint(pours, at(3_000)))).toBe(0);
  expect(
    countBytesWritten(journal, () => journal.checkpoint([running('p1', 41), pours[1]!], at(4_000))),
  ).toBe(pageBytes);
});

test('does not write a drip of two ticks', () => {
  const { journal, path } = createJournal();
  journal.recover();
  expect(countBytesWritten(journal, () => journal.checkpoint([running('p1', 2)], at(2_000)))).toBe(0);
  journal.free('p1');
  expect(recoverEntries(path)).toEqual([]);
});

test('the next checkpoint removes a recorded pour', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('p1', 40), running('p2', 50, 'pi.flow1')], at(2_000));
  journal.free('p1');
  journal.checkpoint([running('p2', 50, 'pi.flow1')], at(3_000));
  expect(recoverEntries(path)).toEqual(['open p2 50']);
});

test('does not recover a recorded pour as open, as it would absorb the next pour', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('p1', 40), running('p2', 60, 'pi.flow1')], at(2_000));
  journal.free('p1');
  expect(recoverEntries(path)).toEqual(['open p2 60']);
  journal.free('p2');
  journal.close();
  expect(recoverEntries(path)).toEqual([]);
});

test('the writes of an evening stay far below the endurance of a card', () => {
  const { journal } = createJournal();
  journal.recover();
  const bytes = countBytesWritten(journal, () => {
    for (let second = 1; second <= 6; second++)
      journal.checkpoint([running('p1', second * 350)], at(second * 1_000));
    journal.free('p1');
    journal.checkpoint([], at(12_000));
  });
  expect(bytes).toBe(7 * pageBytes);
});

test('an unrecorded pour stays in the journal over any number of restarts', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('p1', 40)], at(2_000));
  journal.addEnded(ended('p1', 44), at(7_000));
  expect(recoverEntries(path)).toEqual(['ended p1 44']);
  journal.checkpoint([], at(8_000));
  expect(recoverEntries(path)).toEqual(['ended p1 44']);
  const next = createPourJournal({ path });
  next.recover();
  expect(next.waiting()).toEqual([ended('p1', 44)]);
  next.free('p1');
  next.close();
  expect(recoverEntries(path)).toEqual([]);
});

test('recovers waiting pours in the order they ended, although slots are reused', () => {
  const { journal, path } = createJournal();
  for (const id of ['p1', 'p2', 'p3']) journal.addEnded(ended(id, 10), at(5_000));
  journal.free('p1');
  journal.addEnded(ended('p4', 10), at(6_000));
  expect(recoverEntries(path)).toEqual(['ended p2 10', 'ended p3 10', 'ended p4 10']);
});

test('a recovered pour stays in the journal until it is freed', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('old', 40)], at(2_000));
  journal.close();
  const next = createPourJournal({ path });
  next.recover();
  next.checkpoint([running('new', 7)], at(9_000));
  next.checkpoint([running('new', 9)], at(10_000));
  expect(recoverEntries(path)).toEqual(['open old 40', 'open new 9']);
  next.addEnded({ ...ended('old', 40), recovered: true }, at(11_000));
  next.free('old');
  next.checkpoint([running('new', 12)], at(12_000));
  expect(recoverEntries(path)).toEqual(['open new 12']);
});

test('freeing a pour twice or an unknown pour does nothing', () => {
  const { journal, path } = createJournal();
  journal.addEnded(ended('p1', 10), at(5_000));
  journal.free('p1');
  journal.free('p1');
  journal.free('nobody');
  expect(recoverEntries(path)).toEqual([]);
});

test('whichever sectors a power cut writes, the previous or the new checkpoint is complete', () => {
  const { journal, path } = createJournal();
  const longSeries = Array.from({ length: 250 }, (_, i) => `${i * 100}:${(i * 7919) % 97}`).join(' ');
  const pour = (ticks: number) => ({ ...running('p1', ticks), series: `${longSeries} ${ticks}:1` });
  journal.checkpoint([pour(100)], at(2_000));
  journal.checkpoint([pour(200)], at(3_000));
  const before = readFileSync(path);
  journal.checkpoint([pour(300)], at(4_000));
  const after = readFileSync(path);
  const sectors = [...new Array(before.length / 512).keys()].filter(
    (i) => !before.subarray(i * 512, (i + 1) * 512).equals(after.subarray(i * 512, (i + 1) * 512)),
  );
  expect(sectors.length).toBeGreaterThan(1);
  fc.assert(
    fc.property(
      fc.subarray(sectors),
      fc.integer({ min: 0, max: 511 }),
      fc.constantFrom('old', 'zero', 'ones'),
      (through, cut, rest) => {
        const torn = Buffer.from(before);
        for (const sector of through) after.copy(torn, sector * 512, sector * 512, (sector + 1) * 512);
        const last = through.at(-1);
        // The sector being written at the power cut may contain anything.
        if (last !== undefined && rest !== 'old') {
          torn.fill(rest === 'zero' ? 0 : 255, last * 512 + cut, (last + 1) * 512);
        }
        writeFileSync(path, torn);
        expect(recoverEntries(path)).toHaveLength(1);
        expect(['open p1 200', 'open p1 300']).toContain(recoverEntries(path)[0]);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
  expect(readdirSync(join(path, '..'))).toEqual(['tapster.db.journal']);
});

test('recovers a pour as of its last checkpoint after a power cut during the write of its end', () => {
  const { journal, path } = createJournal();
  journal.checkpoint([running('p1', 40)], at(2_000));
  const before = readFileSync(path);
  journal.addEnded(ended('p1', 44), at(7_000));
  const after = readFileSync(path);
  const from = [...after.keys()].find((i) => after[i] !== before[i])!;
  const to = [...after.keys()].findLast((i) => after[i] !== before[i])! + 1;
  for (let cut = from; cut < to; cut += 7) {
    writeFileSync(path, Buffer.concat([after.subarray(0, cut), before.subarray(cut)]));
    expect(recoverEntries(path)).toEqual(['open p1 40']);
  }
  writeFileSync(path, after);
  expect(recoverEntries(path)).toEqual(['ended p1 44']);
});

test('after any sequence of actions and a power cut every unrecorded pour is recovered with its last stored ticks', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('pour' as const), tap: fc.nat(3), ticks: fc.integer({ min: 3, max: 400 }) }),
    fc.record({ do: fc.constant('end' as const), tap: fc.nat(3), recorded: fc.boolean() }),
    fc.record({ do: fc.constant('restart' as const) }),
    fc.record({ do: fc.constant('retry' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { path, journal: first } = createJournal();
      let journal = first;
      let id = 0;
      let now = 1_000;
      const open = new Map<number, { id: string; ticks: number }>();
      const expected = new Map<string, string>();
      const checkpoint = () => {
        now += 1_000;
        const pours = [...open.values()].map((pour) => running(pour.id, pour.ticks));
        journal.checkpoint(pours, at(now));
      };
      for (const one of steps) {
        if (one.do === 'pour') {
          const pour = open.get(one.tap) ?? { id: `p${++id}`, ticks: 0 };
          pour.ticks += one.ticks;
          open.set(one.tap, pour);
          expected.set(pour.id, `open ${pour.id} ${pour.ticks}`);
        } else if (one.do === 'end') {
          const pour = open.get(one.tap);
          open.delete(one.tap);
          if (pour && one.recorded) journal.free(pour.id);
          else if (pour) journal.addEnded(ended(pour.id, pour.ticks), at(now));
          if (pour && one.recorded) expected.delete(pour.id);
          else if (pour) expected.set(pour.id, `ended ${pour.id} ${pour.ticks}`);
        } else if (one.do === 'restart') {
          journal.close();
          journal = createPourJournal({ path });
          journal.recover();
        } else {
          for (const { pourId } of journal.waiting()) {
            journal.free(pourId);
            expected.delete(pourId);
          }
        }
        checkpoint();
        expect(recoverEntries(path).toSorted()).toEqual([...expected.values()].toSorted());
      }
      journal.close();
    }),
    { numRuns: propertyRuns(25) },
  );
});

test('sets a damaged journal aside, takes over its slots and overwrites nothing', () => {
  const { journal, path, folder } = createJournal();
  journal.addEnded(ended('p1', 44), at(7_000));
  journal.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, pageBytes, pageBytes + 2 * 16 * pageBytes);
  writeFileSync(path, bytes);
  const next = createPourJournal({ path });
  expect(next.recover()).toMatchObject([{ kind: 'ended', pour: { pourId: 'p1' } }]);
  expect(next.state()).toMatchObject({
    setAside: 'tapster.db.journal.damaged-1',
    waiting: 1,
    onlyInMemory: 1,
  });
  expect(readFileSync(join(folder, 'tapster.db.journal.damaged-1')).equals(bytes)).toBe(true);
  next.checkpoint([], at(8_000));
  expect(next.state().onlyInMemory).toBe(0);
  expect(recoverEntries(path)).toEqual(['ended p1 44']);
});

test('sets a foreign file, an empty file and a second damaged file aside under different names', () => {
  const { path, folder } = createJournal();
  for (const content of ['a shopping list', '', 'x'.repeat(2_000_000)]) {
    writeFileSync(path, content);
    expect(recoverEntries(path)).toEqual([]);
    rmSync(path);
  }
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual([1, 2, 3].map((n) => `tapster.db.journal.damaged-${n}`));
  expect(readFileSync(join(folder, names[0]!), 'utf8')).toBe('a shopping list');
});

test('repeats a creation that a power cut interrupted', () => {
  const { path } = createJournal();
  writeFileSync(`${path}.new`, 'half a jour');
  expect(recoverEntries(path)).toEqual([]);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('keeps pours in memory while the disk fails, and writes them when it recovers', () => {
  const folder = createFolder();
  const { journal, path } = createJournal(join(folder, 'card'));
  expect(thrownCode(() => journal.recover())).toBe('unavailable');
  expect(thrownCode(() => journal.checkpoint([running('p2', 9)], at(2_000)))).toBe('unavailable');
  expect(thrownCode(() => journal.addEnded(ended('p1', 44), at(3_000)))).toBe('unavailable');
  expect(journal.state()).toMatchObject({ waiting: 1, onlyInMemory: 1 });
  expect(journal.waiting()).toEqual([ended('p1', 44)]);
  mkdirSync(join(folder, 'card'));
  journal.checkpoint([running('p2', 9)], at(4_000));
  expect(journal.state()).toMatchObject({ waiting: 1, onlyInMemory: 0 });
  expect(recoverEntries(path)).toEqual(['open p2 9', 'ended p1 44']);
});

test('recovers the pours of a disk that is mounted late, and overwrites nothing', () => {
  const folder = createFolder();
  const { journal: before, path: elsewhere } = createJournal();
  before.checkpoint([running('old', 40)], at(2_000));
  before.close();
  const { journal, path } = createJournal(join(folder, 'card'));
  expect(thrownCode(() => journal.recover())).toBe('unavailable');
  mkdirSync(join(folder, 'card'));
  writeFileSync(path, readFileSync(elsewhere));
  journal.checkpoint([running('new', 9)], at(4_000));
  expect(journal.recover()).toMatchObject([{ kind: 'open', pour: { pourId: 'old' } }]);
  expect(recoverEntries(path).toSorted()).toEqual(['open new 9', 'open old 40']);
});

test('stores more pours than reserved slots while the disk has space', () => {
  const { journal, path } = createJournal();
  for (let i = 0; i < reservedSlots + 5; i++) journal.addEnded(ended(`p${i}`, 10), at(5_000));
  expect(journal.state()).toMatchObject({ waiting: reservedSlots + 5, onlyInMemory: 0 });
  expect(recoverEntries(path)).toHaveLength(reservedSlots + 5);
});

test('without a free slot a pour stays in memory, is reported, and is stored when a slot is freed', () => {
  const { journal, path } = createJournal(createFolder(), { maxSlots: 10 });
  for (let i = 0; i < 10; i++) journal.addEnded(ended(`p${i}`, 10), at(5_000));
  expect(thrownCode(() => journal.addEnded(ended('one more', 10), at(6_000)))).toBe('unavailable');
  expect(journal.state().onlyInMemory).toBe(1);
  expect(journal.waiting().at(-1)?.pourId).toBe('one more');
  // The checkpoint has space for it although no slot is free.
  expect(thrownCode(() => journal.checkpoint([running('p', 5)], at(7_000)))).toBe('unavailable');
  expect(journal.state().onlyInMemory).toBe(0);
  expect(recoverEntries(path)).toContain('ended one more 10');
  journal.free('p0');
  journal.checkpoint([running('p', 6)], at(8_000));
  expect(recoverEntries(path)).toContain('ended one more 10');
  expect(recoverEntries(path)).toContain('open p 6');
});

test('long irregular pours on 64 taps fit in one checkpoint', () => {
  const { journal, path } = createJournal();
  const pours = Array.from({ length: 64 }, (_, tap) => ({
    ...running(`p${tap}`, 90_000, `pi.flow${tap}`),
    series: Array.from({ length: 256 }, (_, i) => `${i * 1_200}:${(i * 7_919 + tap * 104_729) % 997}`).join(
      ' ',
    ),
  }));
  journal.checkpoint(pours, at(300_000));
  expect(recoverEntries(path)).toHaveLength(64);
});
