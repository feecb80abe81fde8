import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = createTestServer({ settings: { trustProxy: true, rateLimits: true, hosts: [] } });
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.addUser({ username: 'boss', isSuperuser: true, password }, server.now());
});
const logIn = (address: string, password: string) =>
  request(server.app)
    .post('/api/auth/login')
    .set('X-Forwarded-For', address)
    .send({ username: 'boss', password })
    .then(({ status }) => status);

/** Lets `ms` pass in steps, and after each the requests that are due. */
async function pass(ms: number, stepMs: number, isOver = () => false): Promise<number> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    server.scheduler.advance(stepMs);
    const now = server.now();
    server.setClock({ ...now, wallMs: now.wallMs + stepMs, monoMs: now.monoMs + stepMs });
    // A password is hashed in a thread: the clock of the test waits for it.
    await server.engine.users.passwords.check('nobody', 'x');
    await new Promise((resolve) => setImmediate(resolve));
    if (isOver()) return passed + stepMs;
  }
  return ms;
}

test.each([
  ['as they begin', 0],
  ['after twenty seconds', 20_000],
])(
  'while eight addresses guess, the owner logs in at a new address within 15 s: %s',
  async (_when, startMs) => {
    let isOver = false;
    const guess = async (address: string): Promise<void> => {
      // Each address sends the next guess as soon as one is answered; the limit of wrong passwords ends that.
      for (let refused = 0; !isOver && refused < 10; )
        if ((await logIn(address, 'wrong-one')) === 429) refused += 1;
    };
    const attack = Array.from({ length: 16 }, (_, i) => guess(`10.0.0.${(i % 8) + 1}`));
    await pass(startMs, 2_000);
    let status: number | null = null;
    const owner = logIn('192.168.1.20', 'hop-garden').then((answer) => (status = answer));
    const waitedMs = await pass(60_000, 1_000, () => status !== null);
    expect(await owner).toBe(200);
    expect(waitedMs).toBeLessThanOrEqual(15_000);
    isOver = true;
    await Promise.all([Promise.all(attack), pass(50_000, 10_000)]);
  },
);
