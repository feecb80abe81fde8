import { expect, test } from 'vitest';
import { createShutdown } from '../../src/daemon/shutdown.ts';

test('stops the valves first and the database last, in whatever order they started', async () => {
  const shutdown = createShutdown();
  const stopped: string[] = [];
  for (const part of ['database', 'outbox', 'counting', 'backups', 'valves', 'thermo', 'scheduler'] as const)
    shutdown.add(part, async () => void stopped.push(part));
  await shutdown.stop();
  expect(stopped).toEqual(['scheduler', 'valves', 'counting', 'backups', 'outbox', 'thermo', 'database']);
});
