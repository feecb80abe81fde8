import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { joinMessages } from '../../src/core/health/problems.ts';
import { createHttpService } from '../../src/daemon/http/http-service.ts';

test('a missing address keeps the daemon counting and is tried again', async () => {
  const problems: (string | null)[] = [];
  const service = createHttpService({
    listener: () => {},
    // An address reserved for documentation (RFC 5737), which no machine has.
    host: '192.0.2.254',
    port: 0,
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  await service.start();
  expect(service.port()).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/Is the network up\?/);
  await service.close(0);
});

test('a taken port rejects, because only a person can repair it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  const service = createHttpService({ listener() {}, host: '127.0.0.1', port, reportProblem() {} });
  await expect(service.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});
