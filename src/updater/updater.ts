import { findPendingInstall } from '../core/updates/install-steps.ts';
import type { InstallRequest } from '../core/updates/update-request.ts';
import type {
  HttpAddress,
  RunningUpdate,
  UpdateOrder,
  UpdateReason,
  UpdateRules,
  UpdaterState,
} from '../core/updates/update-state.ts';
import {
  beginNext,
  keptReleases,
  order,
  resumeUpdate,
  stepUpdate,
  type UpdateEvent,
  type UpdateMoment,
} from '../core/updates/update-steps.ts';
import { describeResult, describeRunning } from '../core/updates/update-words.ts';
import { compareVersions } from '../core/updates/versions.ts';
import type { Health } from './health-probe.ts';
import type { Installer } from './installer.ts';
import { type Program, ProgramRefused } from './program.ts';
import type { Releases } from './releases.ts';
import type { ServiceManager } from './service-manager.ts';
import type { StateFile } from './state-file.ts';

/** Another process makes a backup: it is waited for, milliseconds and times. */
const busyDelayMs = 5_000;
const maxBusyTries = 120;
/** sysexits: the program that was called is not available now. */
const busyExitCode = 69;

/** What other programs asked for. */
export interface Orders {
  /** Versions that are to run; their releases are there. */
  readonly versions: readonly UpdateOrder[];
  /** A package that is to be installed; not checked yet. */
  readonly install: InstallRequest | null;
}

export interface UpdaterParts {
  readonly releases: Releases;
  readonly state: StateFile;
  readonly service: ServiceManager;
  readonly program: Program;
  readonly probe: (address: HttpAddress, timeoutMs: number) => Promise<Health>;
  readonly installer: Installer;
  /** The orders of other programs since the last call. */
  readonly takeOrders: () => Promise<Orders>;
  /** Runs `work` unless a release is being added; leftovers must not be deleted meanwhile. */
  readonly whileNothingIsAdded: (work: () => void) => Promise<void>;
  readonly now: () => UpdateMoment;
  readonly sleep: (ms: number) => Promise<void>;
  readonly rules: UpdateRules;
  /** Between two observations, milliseconds. */
  readonly pollMs: number;
  readonly log: (message: string) => void;
}

/**
 * Goes on with the update that is under way, and with the orders that arrive meanwhile, until nothing is left to do. Each
 * state is stored before the next phase begins, and each phase may be performed again after a power cut.
 */
export async function runUpdater(parts: UpdaterParts): Promise<void> {
  const { releases, state: file, installer, takeOrders, rules, now, log } = parts;
  let state = resumeUpdate(file.read(), rules, now());
  repairLink(parts, state);
  file.write(state);
  for (;;) {
    const { versions, install } = await takeOrders();
    for (const next of versions) state = order(state, next, now());
    if (install !== null) state = installer.accept(state, install, now().wallMs);
    if (state.update === null && findPendingInstall(state) !== null) {
      // Before the next update: after a power cut dpkg must end what it began.
      file.write(state);
      file.removeTaken();
      state = await installer.step(state, () => now().wallMs);
      file.write(state);
      continue;
    }
    installer.removeDownload(state);
    state = beginNext(state, releases.current() ?? '', now());
    file.write(state);
    file.removeTaken();
    const { update } = state;
    if (update === null) break;
    const event = await perform(update, parts);
    if (event === null) continue;
    const before = update.phase;
    state = stepUpdate(state, event, rules, now());
    if (state.update?.phase !== before) log(describe(state, update));
    file.write(state);
  }
  await parts.whileNothingIsAdded(() => {
    const waiting = file.readOrder();
    const kept = keptReleases(waiting === null ? state : { ...state, next: waiting }, releases.current());
    releases.removeOthers(kept);
  });
}

/** Performs the phase of an update; null while there is nothing to report. */
async function perform(update: RunningUpdate, parts: UpdaterParts): Promise<UpdateEvent | null> {
  const { releases, service, program, log } = parts;
  const { phase, from, to } = update;
  switch (phase) {
    case 'checking':
      if (!releases.has(to)) return { type: 'refused', reason: 'release_missing', detail: '' };
      return attempt('check_failed', async () => ({
        type: 'checked',
        http: await program.check(releases.path(to), releases.path(from)),
      }));
    case 'backing_up':
      return attempt('backup_failed', async () => ({
        type: 'backed_up',
        backup: await backUp(update, parts),
      }));
    case 'switching':
      try {
        return switchTo(to);
      } catch (cause) {
        log(`The link could not be switched: ${String(cause)}`);
        // Switched nevertheless: only the restart failed, which the trial notices.
        if (releases.current() === to) return { type: 'switched', restarts: service.restarts() };
        return { type: 'refused', reason: 'disk_failed', detail: String(cause) };
      }
    case 'switching_back':
      return switchTo(from);
    case 'waiting':
    case 'trial':
    case 'verifying':
      await parts.sleep(parts.pollMs);
      return { type: 'observed', observation: await observe(update.http!, parts) };
  }

  function switchTo(version: string): UpdateEvent {
    const restarts = service.resetRestarts();
    releases.switchTo(version);
    service.restart();
    return { type: 'switched', restarts };
  }
}

async function attempt(reason: UpdateReason, work: () => Promise<UpdateEvent>): Promise<UpdateEvent> {
  try {
    return await work();
  } catch (cause) {
    return { type: 'refused', reason, detail: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Also while another backup is being made. */
async function backUp(
  { to }: RunningUpdate,
  { releases, program, sleep }: UpdaterParts,
): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await program.backUp(releases.path(to));
    } catch (cause) {
      const isBusy = cause instanceof ProgramRefused && cause.code === busyExitCode;
      if (!isBusy || tries >= maxBusyTries) throw cause;
      await sleep(busyDelayMs);
    }
  }
}

async function observe(http: HttpAddress, { service, probe, pollMs }: UpdaterParts) {
  const health = await probe(http, Math.max(3_000, pollMs));
  return { ...health, restarts: service.restarts() };
}

/** A link that names no release, as after a restored card: a release that is there runs. */
function repairLink(
  { releases, service, log }: UpdaterParts,
  { update, previous, last }: UpdaterState,
): void {
  if (releases.current() !== null) return;
  const wanted = [
    update?.from,
    last?.outcome === 'done' ? last.to : last?.from,
    previous,
    ...releases.list(),
  ];
  const version = wanted.find((one) => typeof one === 'string' && releases.has(one));
  if (version === undefined || version === null) {
    log('There is no release that could run.');
    return;
  }
  log(`The link names no release; ${version} runs.`);
  releases.switchTo(version);
  service.restart();
}

function describe({ update, last }: UpdaterState, { from, to }: RunningUpdate): string {
  if (update !== null) return describeRunning(update);
  if (last === null) return `From version ${from} to ${to}: ended.`;
  return [describeResult(last), last.detail].filter(Boolean).join(' ');
}

/** The version to go back to when none is named: the one before, else the newest other release. */
export function findPrevious(
  state: UpdaterState,
  releases: Pick<Releases, 'current' | 'list' | 'has'>,
): string | null {
  const current = releases.current();
  const { previous } = state;
  if (previous !== null && previous !== current && releases.has(previous)) return previous;
  const others = releases.list().filter((version) => version !== current);
  return others.sort((a, b) => compareVersions(b, a))[0] ?? null;
}
