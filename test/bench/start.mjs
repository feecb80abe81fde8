// Time from spawning an installed daemon until it counts ticks, compared with starting an empty Node process.
import { spawn } from 'node:child_process';
import { startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const rounds = 5;
const targetMs = 1_000;

export const run = () =>
  withFolder(async (folder) => {
    const config = writeConfig(folder, 16);
    // The first start creates the database; it is not measured.
    await (await startDaemon(config)).stop();
    const wallTimes = [];
    const ownTimes = [];
    const bareTimes = [];
    for (let i = 0; i < rounds; i++) {
      bareTimes.push(await bareMs());
      const daemon = await startDaemon(config);
      wallTimes.push(daemon.countingMs);
      ownTimes.push(daemon.sinceStartMs);
      await daemon.stop();
    }
    const wall = median(wallTimes);
    return [
      {
        what: 'Start → first countable tick',
        ours: `${wall.toFixed(0)} ms (own clock ${median(ownTimes).toFixed(0)} ms)`,
        bare: `${median(bareTimes).toFixed(0)} ms`,
        ratio: ratio(wall, median(bareTimes)),
        target: '< 1000 ms',
        met: wall < targetMs,
      },
    ];
  });

async function bareMs() {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - started;
}
