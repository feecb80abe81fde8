import type { Trial, UpdateReason, UpdateRules, Uptime } from './update-state.ts';

/** What the updater sees of the service. */
export interface Observation {
  /** `none`: nothing answers. */
  readonly health: 'ok' | 'trouble' | 'none';
  /** The version that answers; null when nothing answers. */
  readonly version: string | null;
  /** Running pours and open valves. */
  readonly pours: number;
  /** What does not work, as it says itself; absent when it says nothing. */
  readonly detail?: string;
  /** systemd's count of automatic restarts since somebody started the service. */
  readonly restarts: number;
}

type Verdict =
  | { readonly kind: 'running' | 'passed'; readonly trial: Trial }
  | { readonly kind: 'failed'; readonly trial: Trial; readonly reason: UpdateReason };

/** The trial of a version that is being started; `serviceRestarts` is systemd's counter before that. */
export const startTrial = (serviceRestarts: number, now: Uptime): Trial => ({
  bootId: now.bootId,
  startedMs: now.ms,
  tries: 1,
  okSinceMs: null,
  lastOkMs: null,
  isConfirmed: false,
  restartsMs: [],
  serviceRestarts,
  fault: 'no_answer',
  detail: '',
});

/**
 * The trial after an interruption of the observation. Within one boot a confirmed trial goes on; any other starts again,
 * because what happened meanwhile is not known.
 */
export function restartTrial(trial: Trial, now: Uptime): Trial {
  if (trial.bootId === now.bootId && trial.isConfirmed) return { ...trial, lastOkMs: now.ms };
  const serviceRestarts = trial.bootId === now.bootId ? trial.serviceRestarts : 0;
  return { ...startTrial(serviceRestarts, now), tries: trial.tries + 1 };
}

/** The trial after one observation. */
export function stepTrial(
  trial: Trial,
  seen: Observation & { readonly expected: string; readonly wasHealthy: boolean },
  rules: UpdateRules,
  { ms }: Uptime,
): Verdict {
  const fault = findFault(seen);
  const isOk = fault === null;
  const okSinceMs = isOk ? (trial.okSinceMs ?? ms) : null;
  // A person who restarts the service resets the counter.
  const newRestarts = Math.max(0, seen.restarts - trial.serviceRestarts);
  const restartsMs = [...trial.restartsMs, ...Array<number>(newRestarts).fill(ms)];
  const next: Trial = {
    ...trial,
    okSinceMs,
    lastOkMs: isOk ? ms : trial.lastOkMs,
    isConfirmed: trial.isConfirmed || (okSinceMs !== null && ms - okSinceMs >= rules.okForMs),
    restartsMs,
    serviceRestarts: seen.restarts,
    fault: fault ?? trial.fault,
    detail: fault === null ? trial.detail : describeFault(fault, seen),
  };
  if (restartsMs.length > rules.maxRestarts) {
    const minutes = Math.max(1, Math.ceil((ms - trial.startedMs) / 60_000));
    const detail = `It restarted ${restartsMs.length} times within ${minutes} min. Why: journalctl -u tapster`;
    return { kind: 'failed', trial: { ...next, detail }, reason: 'restarts' };
  }
  // Also when the time is over: a slow version may be in the middle of its time.
  const deadlineMs =
    (next.isConfirmed ? (next.lastOkMs ?? trial.startedMs) : trial.startedMs) + rules.withinMs;
  if (ms > deadlineMs) return { kind: 'failed', trial: next, reason: next.fault };
  const isOver = ms - trial.startedMs >= rules.trialMs;
  return { kind: isOver && isOk && next.isConfirmed ? 'passed' : 'running', trial: next };
}

function findFault({
  health,
  version,
  expected,
  wasHealthy,
}: Parameters<typeof stepTrial>[1]): UpdateReason | null {
  if (health === 'none') return 'no_answer';
  if (version !== expected) return 'wrong_version';
  // A meter that was broken before the update is no fault of the new version.
  return health === 'trouble' && wasHealthy ? 'unhealthy' : null;
}

function describeFault(
  fault: UpdateReason,
  { version, expected, detail }: Parameters<typeof stepTrial>[1],
): string {
  if (fault === 'wrong_version') return `Version ${version ?? 'unknown'} answered instead of ${expected}.`;
  return fault === 'unhealthy' ? (detail ?? '') : 'Why: journalctl -u tapster';
}
