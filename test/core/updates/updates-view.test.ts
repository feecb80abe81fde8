import { expect, test } from 'vitest';
import type {
  PackageInstall,
  RunningUpdate,
  UpdateResult,
  UpdaterState,
} from '../../../src/core/updates/update-state.ts';
import { emptyState } from '../../../src/core/updates/update-state.ts';
import { noUpdateCheck, viewUpdates } from '../../../src/core/updates/updates-view.ts';

const facts = {
  running: '0.2.0',
  isPackage: true,
  releases: ['0.2.0', '0.1.0'],
  state: emptyState,
  request: null,
  check: noUpdateCheck,
};
const underWay = (change: Partial<Parameters<typeof viewUpdates>[0]>) =>
  viewUpdates({ ...facts, ...change }).underWay;
const withState = (state: Partial<UpdaterState>) => ({ state: { ...emptyState, ...state } });

const update: RunningUpdate = {
  kind: 'rollback',
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
const last: UpdateResult = {
  kind: 'rollback',
  from: '0.2.0',
  to: '0.3.0',
  outcome: 'reverted',
  reason: 'restarts',
  detail: '',
  backup: null,
  wallMs: 5,
};

const install: PackageInstall = {
  version: '0.3.0',
  phase: 'downloading',
  source: null,
  reason: null,
  detail: '',
  tries: 1,
  wallMs: 0,
};

test('kept versions are those that do not run', () => {
  expect(viewUpdates(facts)).toMatchObject({ kept: ['0.1.0'], underWay: null, last: null });
});

test('a request is shown until the updater takes it', () => {
  expect(underWay({ request: { action: 'switch', version: '0.1.0' } })).toEqual({
    kind: 'rollback',
    from: '0.2.0',
    to: '0.1.0',
    stage: 'requested',
    canCancel: true,
    isEnding: false,
  });
  expect(underWay({ request: { action: 'switch', version: '0.2.0' } })).toBeNull();
});

test('a requested installation has the version that is available', () => {
  const request = { action: 'install', manifest: 'AA==', signature: 'AA==' } as const;
  const available = { version: '0.3.0', releasedMs: 0, notes: { en: '' }, sizeBytes: 1 };
  expect(underWay({ request, check: { ...noUpdateCheck, available } })).toMatchObject({
    kind: 'update',
    to: '0.3.0',
    stage: 'requested',
  });
});

test.each([
  ['downloading', { install: { ...install, phase: 'downloading' } }],
  ['installing', { install: { ...install, phase: 'installing' } }],
  ['queued', { next: { kind: 'update', version: '0.3.0' } }],
  ['waiting', { update }],
  // The update counts, not what the package manager left in the state.
  ['trial', { update: { ...update, phase: 'trial' }, install: { ...install, phase: 'installing' } }],
] as const)('the stage %s comes from the state of the updater', (stage, state) => {
  expect(underWay(withState(state))).toMatchObject({ kind: 'update', from: '0.2.0', to: '0.3.0', stage });
});

test('an update can be cancelled until another version runs', () => {
  const phases = [
    'checking',
    'backing_up',
    'waiting',
    'switching',
    'trial',
    'switching_back',
    'verifying',
  ] as const;
  const cancellable = phases.filter(
    (phase) => underWay(withState({ update: { ...update, phase } }))?.canCancel,
  );
  expect(cancellable).toEqual(['checking', 'backing_up', 'waiting']);
});

test('an update that was told to end says so', () => {
  const request = { action: 'switch', version: '0.2.0' } as const;
  expect(underWay({ ...withState({ update }), request })).toMatchObject({ to: '0.3.0', isEnding: true });
});

test('the last change is named by its versions, not by how it was asked for', () => {
  expect(viewUpdates({ ...facts, ...withState({ last }) }).last).toEqual({
    kind: 'update',
    from: '0.2.0',
    to: '0.3.0',
    outcome: 'reverted',
    reason: 'restarts',
    detail: '',
    atMs: 5,
  });
});

test('a package that could not be installed is the last change until a later one ends', () => {
  const failed = { ...install, phase: 'failed', reason: 'download_failed', wallMs: 6 } as const;
  expect(viewUpdates({ ...facts, ...withState({ install: failed, last }) })).toMatchObject({
    underWay: null,
    last: { kind: 'update', outcome: 'refused', reason: 'download_failed', atMs: 6 },
  });
  const later = { ...last, wallMs: 7 };
  expect(viewUpdates({ ...facts, ...withState({ install: failed, last: later }) }).last).toMatchObject({
    to: '0.3.0',
    outcome: 'reverted',
  });
});
