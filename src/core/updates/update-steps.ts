import { type Observation, restartTrial, startTrial, stepTrial } from './trial.ts';
import type {
  HttpAddress,
  RunningUpdate,
  UpdateOrder,
  UpdateReason,
  UpdateResult,
  UpdateRules,
  UpdaterState,
  Uptime,
} from './update-state.ts';

/** What happened while the updater performed the present phase. */
export type UpdateEvent =
  | { readonly type: 'checked'; readonly http: HttpAddress }
  | { readonly type: 'backed_up'; readonly backup: string | null }
  /** Also while `switching`, if the link still names the version before. */
  | { readonly type: 'refused'; readonly reason: UpdateReason; readonly detail: string }
  /** The link names the other version and the service is restarted; `restarts` is systemd's counter before that. */
  | { readonly type: 'switched'; readonly restarts: number }
  | { readonly type: 'observed'; readonly observation: Observation };

/** When something happened: durations by the uptime, the time for people by the clock. */
export interface UpdateMoment {
  readonly uptime: Uptime;
  readonly wallMs: number;
}

/** A state with nothing under way takes its next order; `current` is the version that the link names. */
export function beginNext(state: UpdaterState, current: string, now: UpdateMoment): UpdaterState {
  const { next } = state;
  if (state.update !== null || next === null) return state;
  const rest = { ...state, next: null };
  if (next.version === current) return rest;
  const update: RunningUpdate = {
    kind: next.kind,
    from: current,
    to: next.version,
    phase: 'checking',
    since: now.uptime,
    wasHealthy: true,
    http: null,
    backup: null,
    trial: null,
    reason: null,
  };
  return { ...rest, update };
}

/** Takes an order of a person or of the package manager; the newest one counts. */
export function order(state: UpdaterState, next: UpdateOrder, now: UpdateMoment): UpdaterState {
  const { update } = state;
  if (update === null) return { ...state, next };
  if (isSwitched(update)) {
    const isWayBack = update.phase === 'trial' && next.version === update.from;
    if (isWayBack) return enter(state, update, 'switching_back', now, { reason: 'asked' });
    return next.version === update.to ? state : { ...state, next };
  }
  if (next.version === update.to) return state;
  const cancelled = finish(state, update, now, { outcome: 'cancelled', reason: 'asked' });
  return next.version === update.from ? cancelled : { ...cancelled, next };
}

/** Called when the updater starts: a trial whose observation was interrupted starts again. */
export function resumeUpdate(state: UpdaterState, rules: UpdateRules, now: UpdateMoment): UpdaterState {
  const { update } = state;
  if (update === null) return state;
  if (update.phase === 'waiting' || update.phase === 'verifying')
    return enter(state, update, update.phase, now);
  if (update.phase !== 'trial' || update.trial === null) return state;
  const trial = restartTrial(update.trial, now.uptime);
  if (trial.tries > rules.maxTries)
    return enter(state, update, 'switching_back', now, { reason: 'power_cuts' });
  return { ...state, update: { ...update, trial } };
}

/** The state after an event of the present phase. */
export function stepUpdate(
  state: UpdaterState,
  event: UpdateEvent,
  rules: UpdateRules,
  now: UpdateMoment,
): UpdaterState {
  const { update } = state;
  if (update === null) return state;
  if (event.type === 'refused') {
    const { reason, detail } = event;
    // After the switch nothing is refused any more: the link names a version that must run.
    return isSwitched(update) && update.phase !== 'switching'
      ? state
      : finish(state, update, now, { outcome: 'refused', reason, detail });
  }
  switch (update.phase) {
    case 'checking':
      return event.type === 'checked' ? enter(state, update, 'backing_up', now, { http: event.http }) : state;
    case 'backing_up':
      return event.type === 'backed_up'
        ? enter(state, update, 'waiting', now, { backup: event.backup })
        : state;
    case 'waiting':
      return event.type === 'observed' ? wait(state, update, event.observation, rules, now) : state;
    case 'switching':
      return event.type === 'switched'
        ? enter(state, update, 'trial', now, { trial: startTrial(event.restarts, now.uptime) })
        : state;
    case 'trial':
      return event.type === 'observed' ? observe(state, update, event.observation, rules, now) : state;
    case 'switching_back':
      return event.type === 'switched' ? enter(state, update, 'verifying', now, { trial: null }) : state;
    case 'verifying':
      return event.type === 'observed' ? verify(state, update, event.observation, rules, now) : state;
  }
}

/** The releases that must not be deleted; `current` is the version that the link names. */
export function keptReleases(state: UpdaterState, current: string | null): ReadonlySet<string> {
  const { update, next, previous } = state;
  const versions = [current, previous, next?.version, update?.from, update?.to];
  return new Set(versions.filter((version) => typeof version === 'string'));
}

/** True from the moment in which the link may name the new version. */
const isSwitched = ({ phase }: RunningUpdate): boolean =>
  phase === 'switching' || phase === 'trial' || phase === 'switching_back' || phase === 'verifying';

function wait(
  state: UpdaterState,
  update: RunningUpdate,
  { pours, health }: Observation,
  { maxWaitMs }: UpdateRules,
  now: UpdateMoment,
): UpdaterState {
  const isLate = elapsedMs(update.since, now.uptime) >= maxWaitMs;
  if (pours > 0 && !isLate) return state;
  return enter(state, update, 'switching', now, { wasHealthy: health === 'ok' });
}

function observe(
  state: UpdaterState,
  update: RunningUpdate,
  observation: Observation,
  rules: UpdateRules,
  now: UpdateMoment,
): UpdaterState {
  const { trial, to, wasHealthy } = update;
  const verdict = stepTrial(trial!, { ...observation, expected: to, wasHealthy }, rules, now.uptime);
  if (verdict.kind === 'failed')
    return enter(state, update, 'switching_back', now, {
      trial: verdict.trial,
      reason: verdict.reason,
      detail: verdict.trial.detail,
    });
  if (verdict.kind === 'passed')
    return { ...finish(state, update, now, { outcome: 'done', reason: null }), previous: update.from };
  return { ...state, update: { ...update, trial: verdict.trial } };
}

/** The version before runs again: it is only observed whether it answers. */
function verify(
  state: UpdaterState,
  update: RunningUpdate,
  { version, health }: Observation,
  { withinMs }: UpdateRules,
  now: UpdateMoment,
): UpdaterState {
  const { reason, detail = '' } = update;
  const isWell = version === update.from && (health === 'ok' || (!update.wasHealthy && health === 'trouble'));
  if (isWell) return finish(state, update, now, { outcome: 'reverted', reason, detail });
  if (elapsedMs(update.since, now.uptime) < withinMs) return state;
  return finish(state, update, now, {
    outcome: version === update.from ? ('reverted' as const) : ('failed' as const),
    reason,
    detail,
  });
}

function enter(
  state: UpdaterState,
  update: RunningUpdate,
  phase: RunningUpdate['phase'],
  now: UpdateMoment,
  changes: Partial<RunningUpdate> = {},
): UpdaterState {
  return { ...state, update: { ...update, ...changes, phase, since: now.uptime } };
}

function finish(
  state: UpdaterState,
  { kind, from, to, backup }: RunningUpdate,
  { wallMs }: UpdateMoment,
  result: Pick<UpdateResult, 'outcome' | 'reason'> & { readonly detail?: string },
): UpdaterState {
  return { ...state, update: null, last: { kind, from, to, backup, wallMs, detail: '', ...result } };
}

/** Readings of two boots have no difference: the later boot has just begun. */
const elapsedMs = (since: Uptime, now: Uptime): number =>
  since.bootId === now.bootId ? now.ms - since.ms : 0;
