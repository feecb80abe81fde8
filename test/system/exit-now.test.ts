import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const exitModule = new URL('../../dist/system/exit-now.js', import.meta.url).href;

test('a sensor read that hangs in the kernel does not prevent the exit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-exit-'));
  const sensorFile = join(folder, 'w1_slave');
  spawnSync('mkfifo', [sensorFile]);
  // The pipe has no writer, so opening it blocks a thread of the pool like a hung bus.
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
