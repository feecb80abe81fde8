// From spawning an installed daemon to the first tick it could count, against starting Node for nothing.
import { spawn } from 'node:child_process';
import { inFolder, startDaemon, writeBar } from './house.mjs';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const rounds = 5;
const targetMs = 1_000;

export const run = () =>
  inFolder(async (folder) => {
    const config = writeBar(folder, 16);
    // The first start makes the database; every later one finds it.
    await (await startDaemon(config)).stop();
    const walls = [];
    const selves = [];
    const bares = [];
    for (let i = 0; i < rounds; i++) {
      bares.push(await bareMs());
      const daemon = await startDaemon(config);
      walls.push(daemon.countingMs);
      selves.push(daemon.sinceStartMs);
      await daemon.stop();
    }
    const wall = median(walls);
    return [
      {
        what: 'Start → first countable tick',
        ours: `${wall.toFixed(0)} ms (own clock ${median(selves).toFixed(0)} ms)`,
        bare: `${median(bares).toFixed(0)} ms`,
        ratio: ratio(wall, median(bares)),
        target: '< 1000 ms',
        met: wall < targetMs,
      },
    ];
  });

async function bareMs() {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await new Promise((done) => child.once('exit', done));
  return performance.now() - started;
}
