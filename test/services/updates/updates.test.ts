import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningUpdate, UpdaterState } from '../../../src/core/updates/update-state.ts';
import { emptyState } from '../../../src/core/updates/update-state.ts';
import { noUpdateCheck } from '../../../src/core/updates/updates-view.ts';
import { createUpdates, type UpdateCheck } from '../../../src/services/updates/updates.ts';
import { takeRequest } from '../../../src/updater/requests.ts';

let home: string;
const releases = () => join(home, 'releases');
const stateDirectory = () => join(home, 'state');
const requestFile = () => join(stateDirectory(), 'update-request.json');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tapster-updates-'));
  mkdirSync(stateDirectory());
  for (const version of ['0.1.0', '0.2.0']) {
    mkdirSync(join(releases(), version, 'dist'), { recursive: true });
    writeFileSync(join(releases(), version, 'dist', 'main.js'), '');
  }
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const create = (change: Partial<Parameters<typeof createUpdates>[0]> = {}) =>
  createUpdates({
    stateDirectory: stateDirectory(),
    folder: releases(),
    running: '0.2.0',
    check: null,
    ...change,
  });

const writeState = (state: Partial<UpdaterState>) =>
  writeFileSync(join(releases(), 'state.json'), JSON.stringify({ ...emptyState, ...state }));

const update: RunningUpdate = {
  kind: 'update',
  from: '0.2.0',
  to: '0.3.0',
  phase: 'waiting',
  since: { bootId: 'a', ms: 0 },
  wasHealthy: true,
  http: null,
  backup: null,
  trial: null,
  reason: null,
};

const reasonOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (fault) {
    return (fault as { reason?: unknown }).reason;
  }
  return null;
};

test('a request for a kept version is a file for the owner, which the updater accepts', () => {
  const updates = create();
  updates.switchTo('0.1.0');
  expect(statSync(requestFile()).mode & 0o777).toBe(0o600);
  expect(readdirSync(stateDirectory())).toEqual(['update-request.json']);
  expect(updates.view().underWay).toMatchObject({ to: '0.1.0', stage: 'requested' });
  expect(takeRequest(stateDirectory(), () => {})).toEqual({ action: 'switch', version: '0.1.0' });
  expect(updates.view().underWay).toBeNull();
});

test('a request that was not taken yet is withdrawn by choosing the version that runs', () => {
  const updates = create();
  updates.switchTo('0.1.0');
  updates.switchTo('0.2.0');
  expect(readdirSync(stateDirectory())).toEqual([]);
});

test('an update is ended by choosing the version that ran before', () => {
  const updates = create();
  writeState({ update });
  updates.switchTo('0.2.0');
  expect(JSON.parse(readFileSync(requestFile(), 'utf8'))).toEqual({ action: 'switch', version: '0.2.0' });
  expect(updates.view().underWay).toMatchObject({ to: '0.3.0', isEnding: true });
});

test('during the trial the version before may be chosen again', () => {
  const updates = create({ running: '0.3.0' });
  writeState({ update: { ...update, phase: 'trial' } });
  updates.switchTo('0.2.0');
  expect(JSON.parse(readFileSync(requestFile(), 'utf8'))).toEqual({ action: 'switch', version: '0.2.0' });
});

test.each([
  ['a checkout', { folder: null }, '0.1.0', { name: 'not_a_package' }],
  ['the version that runs', {}, '0.2.0', { name: 'version_runs', version: '0.2.0' }],
  ['a version that is not kept', {}, '0.0.9', { name: 'release_not_kept', version: '0.0.9' }],
  ['a path', {}, '../state', { name: 'release_not_kept', version: '../state' }],
])('%s is refused, and no request is left', (_, change, version, reason) => {
  expect(reasonOf(() => create(change).switchTo(version))).toEqual(reason);
  expect(readdirSync(stateDirectory())).toEqual([]);
});

test('while a version is on its way no other one is accepted', () => {
  writeState({ update });
  const reason = { name: 'update_running', version: '0.3.0' };
  expect(reasonOf(() => create().switchTo('0.1.0'))).toEqual(reason);
  expect(reasonOf(() => create({ check: check() }).install('now'))).toEqual(reason);
});

test('without an address nothing is looked for or installed', async () => {
  const updates = create();
  await expect(updates.checkNow()).rejects.toMatchObject({ reason: { name: 'no_update_address' } });
  expect(reasonOf(() => updates.install('now'))).toEqual({ name: 'no_update_address' });
});

test('what the check found is installed, and nothing without a newer version', () => {
  const asked: string[] = [];
  create({ check: check(asked) }).install('quiet_hour');
  expect(asked).toEqual(['quiet_hour']);
  const none = { ...check(asked), view: () => noUpdateCheck };
  expect(reasonOf(() => create({ check: none }).install('now'))).toEqual({ name: 'no_new_version' });
  expect(asked).toEqual(['quiet_hour']);
});

test('a plan is forgotten, also while nothing new is known, and not without an address', () => {
  const asked: string[] = [];
  create({ check: { ...check(asked), view: () => noUpdateCheck } }).cancelPlan();
  expect(asked).toEqual(['cancel']);
  expect(reasonOf(() => create().cancelPlan())).toEqual({ name: 'no_update_address' });
});

test.each(['half a file {', '[]', '{"format":2}'])('a state file with %s counts as empty', (text) => {
  writeFileSync(join(releases(), 'state.json'), text);
  expect(create().view()).toMatchObject({ underWay: null, last: null, kept: ['0.1.0'] });
});

function check(asked: string[] = []): UpdateCheck {
  const available = { version: '0.3.0', releasedMs: 0, notes: { en: '' }, sizeBytes: 1 };
  return {
    view: () => ({ ...noUpdateCheck, hasAddress: true, available }),
    checkNow: async () => {},
    install: (when) => void asked.push(when),
    cancelPlan: () => void asked.push('cancel'),
  };
}
