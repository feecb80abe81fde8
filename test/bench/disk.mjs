// Bytes the daemon writes in an idle minute and for a pour of ten seconds, since writes wear the SD card.
import { setTimeout as pause } from 'node:timers/promises';
import { pulse, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { writtenBytes } from './process-stats.mjs';

const idleMs = 20_000;
const pourSeconds = 10;
/** Seconds of flow measured, without the start and the end of the pour. */
const flowSeconds = 8;
const hz = 324; // 60 mL/s at 5.4 ticks/mL

export const run = () =>
  withFolder(async (folder) => {
    const daemon = await startDaemon(writeConfig(folder, 16));
    try {
      // The start-up writes are not part of idle.
      await pause(3_000);
      const idle = await writtenIn(daemon.pid, idleMs);
      // The first pour also creates the session, so the second one is measured.
      await measurePour(daemon);
      const { flow, total } = await measurePour(daemon);
      return [
        { what: 'Written in an idle minute', ours: kib((idle * 60_000) / idleMs) },
        { what: 'Written in a second of flow', ours: kib(flow / flowSeconds) },
        { what: 'Written for a pour of 10 s, row included', ours: kib(total) },
      ];
    } finally {
      await daemon.stop();
    }
  });

async function measurePour({ pid, url }) {
  const before = writtenBytes(pid);
  await pulse(url, { meter: 'pi.flow0', ticks: pourSeconds * hz, hz });
  await pause(1_000);
  const flow = await writtenIn(pid, flowSeconds * 1_000);
  // The idle time that ends the pour, and the commit.
  await pause(8_000);
  return { flow, total: writtenBytes(pid) - before };
}

async function writtenIn(pid, ms) {
  const before = writtenBytes(pid);
  await pause(ms);
  return writtenBytes(pid) - before;
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
