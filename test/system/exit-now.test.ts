import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const exitModule = new URL('../../dist/system/exit-now.js', import.meta.url).href;

test('a probe that hangs in the kernel does not keep the house from closing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-leave-'));
  const sensorFile = join(folder, 'w1_slave');
  spawnSync('mkfifo', [sensorFile]);
  // Nobody ever writes to the pipe: opening it blocks a thread of the pool as a hung bus would.
  const script = `
    import { open } from 'node:fs/promises';
    import { exitNow } from '${exitModule}';
    open(${JSON.stringify(sensorFile)});
    setTimeout(() => exitNow(42), 50);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(42);
  rmSync(folder, { recursive: true });
});
