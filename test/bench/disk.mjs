// What the daemon writes to the disk: an idle minute, and one pour of ten seconds. Cards wear by writes.
import { setTimeout as pause } from 'node:timers/promises';
import { inFolder, pulse, startDaemon, writeBar } from './house.mjs';
import { writtenBytes } from './process-figures.mjs';

const idleMs = 20_000;
const pourSeconds = 10;
const hz = 324; // 60 mL/s at 5.4 ticks/mL

export const run = () =>
  inFolder(async (folder) => {
    const daemon = await startDaemon(writeBar(folder, 16));
    try {
      // The first temperatures and clock readings are not idleness.
      await pause(3_000);
      const idle = await writtenIn(daemon.pid, idleMs);
      const { flowing, whole } = await pourOnce(daemon);
      return [
        { what: 'Disk, an idle minute', ours: kib((idle * 60_000) / idleMs) },
        { what: 'Disk, a second of flow', ours: kib(flowing / (pourSeconds - 2)) },
        { what: 'Disk, a pour of 10 s with its row', ours: kib(whole) },
      ];
    } finally {
      await daemon.stop();
    }
  });

async function pourOnce({ pid, url }) {
  const before = writtenBytes(pid);
  await pulse(url, { meter: 'pi.flow0', ticks: pourSeconds * hz, hz });
  await pause(1_000);
  const flowing = await writtenIn(pid, (pourSeconds - 2) * 1_000);
  // The silence that ends it, and the commit.
  await pause(8_000);
  return { flowing, whole: writtenBytes(pid) - before };
}

async function writtenIn(pid, ms) {
  const before = writtenBytes(pid);
  await pause(ms);
  return writtenBytes(pid) - before;
}

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
