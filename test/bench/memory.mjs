// Resident memory of the idle daemon compared with a process that only imports Express and better-sqlite3 and listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { median } from './median.mjs';
import { residentMib } from './process-stats.mjs';
import { ratio } from './table.mjs';

const rounds = 3;
/** V8 frees the garbage of the start when little has happened for some seconds. */
const idleMs = 20_000;
const targetRatio = 1.6;

export const run = () =>
  withFolder(async (folder) => {
    const config = writeConfig(folder, 16);
    await (await startDaemon(config)).stop();
    const ours = [];
    const bares = [];
    for (let i = 0; i < rounds; i++) {
      const daemon = await startDaemon(config);
      const bare = await startBare(join(folder, `bare-${i}.db`));
      await pause(idleMs);
      ours.push(residentMib(daemon.pid));
      bares.push(residentMib(bare.pid));
      bare.kill();
      await daemon.stop();
    }
    return [
      {
        ...row('Memory idle, resident', ours, bares, 'all'),
        target: `≤ ${targetRatio} ×`,
        met: isWithinTarget(ours, bares),
      },
      row('Memory idle, without files', ours, bares, 'anonymous'),
    ];
  });

function row(what, ours, bares, part) {
  const [our, bare] = [medianPart(ours, part), medianPart(bares, part)];
  return { what, ours: `${our.toFixed(1)} MiB`, bare: `${bare.toFixed(1)} MiB`, ratio: ratio(our, bare) };
}

const medianPart = (samples, part) => median(samples.map((sample) => sample[part]));

const isWithinTarget = (ours, bares) => medianPart(ours, 'all') <= targetRatio * medianPart(bares, 'all');

async function startBare(database) {
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, database], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}
