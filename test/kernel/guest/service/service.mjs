// The service in the Debian guest: systemd's word about it, its answers, its ledger, its journal.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { until } from '../instance.mjs';

const Database = createRequire('/tapster/package.json')('better-sqlite3');
export const port = 8080;

/** Runs a program; gives its exit code and everything it printed. */
export function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 600_000 });
  return { code: status, out: stdout, err: stderr };
}

/** A property of the service, as systemd has it. */
export const property = (name, unit = 'tapster') =>
  run('systemctl', 'show', '--value', '-p', name, unit).out.trim();

/** What the service, and systemd about it, has logged since the machine started, or in the life before that (-1). */
export const journal = (life = 0) =>
  run('journalctl', '--no-pager', '-o', 'cat', '-b', String(life), '-u', 'tapster').out;

export const healthy = () =>
  until('a healthy service', async () => (await status('/healthz')) === 200, 120_000);

/** Rows of the ledger; looked at on a copy, so that root leaves no files beside it. */
export function rows(sql) {
  rmSync('/run/look', { recursive: true, force: true });
  cpSync('/var/lib/tapster', '/run/look', { recursive: true });
  const db = new Database('/run/look/tapster.db');
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function status(path) {
  return new Promise((resolve) => {
    http
      .get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
      .on('error', () => resolve(null));
  });
}
