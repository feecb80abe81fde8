import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';
import { hasNginx, startNginx, type TestNginx } from '../kit/nginx.ts';

// Starts nginx and a real process, which may be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bar: BarFolder;
let daemon: RunningDaemon;
let nginx: TestNginx;
let key: string;

/** The configuration that the documentation recommends, with the daemon's address and a proxy that visitors reach by HTTPS. */
function documentedLocation(daemonUrl: string): string {
  const location = /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/remote-access.md', 'utf8'))![1]!;
  return location.replace('http://10.0.0.2:8080', daemonUrl).replace('$scheme', 'https');
}

beforeAll(async () => {
  if (!hasNginx) return;
  bar = makeBar({ ...quickBar, http: { ...quickBar.http, trust_proxy: true } });
  key = await createStaffKey(bar, 'anna');
  daemon = await startDaemon(bar);
  nginx = await startNginx(documentedLocation(daemon.url));
});
afterAll(async () => {
  await nginx?.remove();
  await daemon?.kill();
  bar?.remove();
});

const logIn = (headers: Readonly<Record<string, string>> = {}, password = 'a good long password') =>
  fetch(`${nginx.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ username: 'anna', password }),
  });

test.skipIf(!hasNginx)(
  'the page and its cookie work through the proxy, the cookie by HTTPS only',
  async () => {
    const page = await fetch(`${nginx.url}/`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(200);
    const answer = await logIn();
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie().join('\n');
    expect(cookie).toContain('Secure');
    const me = await fetch(`${nginx.url}/api/users/me`, {
      headers: {
        Cookie: answer.headers
          .getSetCookie()
          .map((one) => one.split(';')[0]!)
          .join('; '),
      },
    });
    expect(await me.text()).toContain('"anna"');
  },
);

test.skipIf(!hasNginx)('the live stream passes the proxy without delay', async () => {
  const stream = await openLiveStream(nginx.url, key);
  await stream.until(({ event }) => event === 'snapshot');
  const changed = stream.until(
    ({ event, data }) => event === 'snapshot' && 'title' in data && data.title === 'The Proxied Bar',
  );
  const answer = await fetch(`${nginx.url}/api/site`, {
    method: 'PATCH',
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'The Proxied Bar' }),
  });
  expect(answer.status).toBe(200);
  await changed;
  stream.close();
});

test.skipIf(!hasNginx)('a visitor who names other addresses is limited all the same', async () => {
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 60 && statuses.at(-1) !== 429; attempt += 1) {
    const answer = await logIn({ 'X-Forwarded-For': `203.0.113.${attempt}` }, 'a wrong password');
    statuses.push(answer.status);
  }
  expect(statuses.at(-1)).toBe(429);
});
