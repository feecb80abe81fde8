import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { type FaultBar, fourTaps, makeFaultBar, pulse } from './fault-bar.ts';
import { readNumber, recordMeasurement } from './measurements.ts';

/** A longer measurement is more exact: a batch of temperatures is written every ten minutes. */
const idleS = readNumber('TAPSTER_FAULT_IDLE_S', 10);
const sensorCount = 6;

/** Upper bounds in bytes. */
const allowed = { flowSecond: 12 * 1024, pour: 64 * 1024, idleDay: 10 * 1024 * 1024 };

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  bar?.remove();
});

/**
 * Bytes a process has written, minus 8 for each write call: threads wake each other by writing 8 bytes. `write_bytes`
 * is not used because the kernel counts a whole large folio for each page written in it.
 */
function writtenBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  return field('wchar') - 8 * field('syscw');
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

test('a second of flow, a pour and an idle day with six sensors write no more to the card than allowed', async (context) => {
  const w1 = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'w1-'));
  for (let n = 1; n <= sensorCount; n++) {
    const folder = join(w1, `28-00000000000${n}`);
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'w1_slave'),
      '4b 01 4b 46 7f ff 05 10 e1 : crc=e1 YES\n4b 01 4b 46 7f ff 05 10 e1 t=20687\n',
    );
  }
  bar = makeFaultBar({
    ...fourTaps,
    onewire: { directory: w1, interval_s: 60 },
    pour: { min_ml: 0, idle_ms: 1_000 },
  });
  daemon = await startDaemon(bar);
  const pid = daemon.child.pid!;
  const writtenDuring = async (work: () => Promise<unknown>) => {
    const before = writtenBytes(pid);
    await work();
    return writtenBytes(pid) - before;
  };
  // The first pour also creates the session, so it is not measured.
  await pulse(daemon.url, 'pi.flow0', 324, 324);
  await pause(4_000);
  const idle = (await writtenDuring(() => pause(idleS * 1_000))) / idleS;
  let flow = 0;
  const seconds = 6;
  const total = await writtenDuring(async () => {
    await pulse(daemon!.url, 'pi.flow0', (seconds + 2) * 324, 324);
    await pause(1_000);
    flow = (await writtenDuring(() => pause(seconds * 1_000))) / seconds;
    await pause(4_500);
  });
  const pour = total - flow * (seconds + 2);
  recordMeasurement(context, {
    what: 'Written in a second of flow',
    found: kib(flow),
    allowed: kib(allowed.flowSecond),
  });
  recordMeasurement(context, {
    what: 'Written for a pour in addition to its seconds',
    found: kib(pour),
    allowed: kib(allowed.pour),
  });
  recordMeasurement(context, {
    what: `Written in an idle hour between batches of temperatures (from ${idleS} s)`,
    found: kib(idle * 3_600),
    allowed: `${kib(allowed.idleDay / 24)} (10 MiB a day)`,
  });
  expect(flow).toBeLessThan(allowed.flowSecond);
  // The two bounds are added: bytes that the seconds save are available to the drink's commit.
  expect(total).toBeLessThan((seconds + 2) * allowed.flowSecond + allowed.pour);
  // Readings are written in batches of ten minutes; a shorter measurement contains a batch only by chance.
  if (idleS >= 600) expect(idle * 86_400).toBeLessThan(allowed.idleDay);
});
