// Resident memory of the idle daemon, with the features that are on by default and with none, compared with a process that only imports Express and better-sqlite3 and listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
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
/** What is reached, with 0.05 for what starts differ: docs/decisions/0019-memory-of-an-idle-daemon.md. */
const targetRatio = 1.5;
const targetRatioOff = 1.5;

const extensions = fileURLToPath(new URL('../../src/extensions', import.meta.url));
const allOff = Object.fromEntries(
  readdirSync(extensions, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, false]),
);

export const run = () =>
  withFolder((folder) =>
    withFolder(async (otherFolder) => {
      const config = writeConfig(folder, 16);
      const configOff = writeConfig(otherFolder, 16, { extraConfig: { features: allOff } });
      await (await startDaemon(config)).stop();
      await (await startDaemon(configOff)).stop();
      const [ours, off, bares] = [[], [], []];
      for (let i = 0; i < rounds; i++) {
        const daemon = await startDaemon(config);
        const daemonOff = await startDaemon(configOff);
        const bare = await startBare(join(folder, `bare-${i}.db`));
        await pause(idleMs);
        ours.push(residentMib(daemon.pid));
        off.push(residentMib(daemonOff.pid));
        bares.push(residentMib(bare.pid));
        bare.kill();
        await daemon.stop();
        await daemonOff.stop();
      }
      return [
        row('Memory idle, resident', ours, bares, { target: targetRatio }),
        row('Memory idle, without files', ours, bares, { part: 'anonymous' }),
        row('Memory idle, all features off', off, bares, { target: targetRatioOff }),
      ];
    }),
  );

function row(what, ours, bares, { part = 'all', target }) {
  const [our, bare] = [medianPart(ours, part), medianPart(bares, part)];
  return {
    what,
    ours: `${our.toFixed(1)} MiB`,
    bare: `${bare.toFixed(1)} MiB`,
    ratio: ratio(our, bare),
    ...(target === undefined ? {} : { target: `≤ ${target} ×`, met: our <= target * bare }),
  };
}

const medianPart = (samples, part) => median(samples.map((sample) => sample[part]));

async function startBare(database) {
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, database], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}
