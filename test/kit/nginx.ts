import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { acceptsTcp, freePort } from './ports.ts';

const isInstalled = spawnSync('nginx', ['-v']).error === undefined;

/** False on a developer's machine without nginx (Debian: `nginx`); the checks set the variable and always run it. */
export const hasNginx = isInstalled || process.env.TAPSTER_REQUIRE_NGINX === '1';

if (!hasNginx) console.warn('nginx is not installed, so web space and reverse proxy are not tested.');

/** A real web server in a folder of its own. */
export interface TestNginx {
  readonly url: string;
  readonly port: number;
  /** What it serves. */
  readonly root: string;
  remove(): Promise<void>;
}

/**
 * Starts nginx on a free port of 127.0.0.1; `server` is the content of its `server` block, in which `{path}` is its folder.
 * `users` may log in with their passwords where it asks for a login by `{path}/users`.
 */
export async function startNginx(
  server: string,
  { users = {} }: { users?: Readonly<Record<string, string>> } = {},
): Promise<TestNginx> {
  const path = mkdtempSync(join(tmpdir(), 'tapster-nginx-'));
  const root = join(path, 'root');
  mkdirSync(root);
  writeFileSync(
    join(path, 'users'),
    Object.entries(users)
      .map(([name, password]) => `${name}:{PLAIN}${password}\n`)
      .join(''),
  );
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path}/${name};`,
  );
  const file = join(path, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;
master_process off;
pid ${path}/pid;
error_log ${path}/error.log;
events {}
http {
  access_log off;
  types { text/html html; application/json json; image/jpeg jpg; }
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    ${server.replaceAll('{path}', path)}
  }
}
`,
  );
  const child = spawn('nginx', ['-p', path, '-c', file, '-e', join(path, 'error.log')], { stdio: 'ignore' });
  await vi.waitUntil(() => acceptsTcp(port), { timeout: 20_000, interval: 20 });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    root,
    async remove() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** For `startNginx`: everybody may read, and users may write by WebDAV. */
export const webDavServer = `
    location / {
      dav_methods PUT DELETE MKCOL;
      client_max_body_size 10m;
      limit_except GET {
        auth_basic "Web space";
        auth_basic_user_file {path}/users;
      }
    }
`;
