// The service in the Debian guest: its systemd properties, answers, database and journal.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { until } from '../instance.mjs';

/** Loaded when it is needed: in the machine of the package it is installed by the first test. */
const loadDatabase = () => createRequire('/tapster/package.json')('better-sqlite3');
export const port = 8080;

/** Runs a program; returns its exit code and output. */
export function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 600_000 });
  return { code: status, out: stdout, err: stderr };
}

/** A systemd property of the service. */
export const property = (name, unit = 'tapster') =>
  run('systemctl', 'show', '--value', '-p', name, unit).out.trim();

/** The journal of the service since the machine started, or of the previous boot (-1). */
export const journal = (boot = 0) =>
  run('journalctl', '--no-pager', '-o', 'cat', '-b', String(boot), '-u', 'tapster').out;

export const healthy = () =>
  until('healthy service', async () => (await status('/healthz')) === 200, 120_000);

/** Rows of the database, read from a copy, so that root creates no files beside it. */
export function rows(sql) {
  rmSync('/run/copy', { recursive: true, force: true });
  cpSync('/var/lib/tapster', '/run/copy', { recursive: true });
  const Database = loadDatabase();
  const db = new Database('/run/copy/tapster.db');
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** The status of an answer; null without one. Each request has its own connection, since the service restarts. */
export function status(path) {
  return new Promise((resolve) => {
    http
      .get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
      .on('error', () => resolve(null));
  });
}
