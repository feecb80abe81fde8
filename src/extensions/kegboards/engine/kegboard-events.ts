import type { GrantLimits } from '../../../core/access/live-grants.ts';
import { AppError } from '../../../core/app-error.ts';
import { maxCredibleAgeMs } from '../../../core/clock/clock-rules.ts';
import type { IdSource, Moment } from '../../../core/clock/moment.ts';
import type { EventBus } from '../../../core/event-bus.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Controller } from '../../../core/records.ts';
import { checkToken, recordPresentment } from '../../../engine/access/presentment.ts';
import type { Pours } from '../../../engine/drinks/pours.ts';
import { boardSender } from '../../../engine/drinks/reported/reported-pour.ts';
import { maxDurationMs, maxTicks } from '../../../engine/shared/bounds.ts';
import { newId } from '../../../engine/shared/parts.ts';
import type { Hooks } from '../../../engine/shared/recording-hooks.ts';
import type { Thermo } from '../../../engine/temperatures/thermo.ts';
import type { Store } from '../../../store/store.ts';
import type { Kegboard } from '../core/kegboards.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';
import type { KegboardEvent, KegboardReport } from './kegboard-batch.ts';
import { momentAgo } from './kegboard-clock.ts';
import { findOrAddMeter, grantPorts, meterPort, updateInventory } from './kegboard-inventory.ts';
import { wallMs } from './kegboard-pairing.ts';

/** An older presentment is denied, since the guest has left the tap, milliseconds. */
const maxPresentmentAgeMs = 30_000;

/** Longest age of a pour that is computed with, milliseconds: a thousand years. */
const maxAgoMs = 3.2e13;

/** Older updates of a running pour are not shown, milliseconds. */
const maxUpdateAgeMs = 10_000;

/** An update that arrives this long after the end of its pour is not shown, milliseconds: later ones may be of another pour. */
const maxLateUpdateMs = 60_000;

/** One batch being recorded, inside its transaction. */
export interface BatchContext {
  readonly store: Store;
  readonly tables: KegboardTables;
  readonly hooks: Hooks;
  readonly ids: IdSource;
  readonly limits: GrantLimits;
  /** Services that publish their events after the commit. */
  readonly pours: Pours;
  readonly thermo: Thermo;
  readonly bus: EventBus;
  readonly controller: Controller;
  readonly bootId: string;
  /** True when the board has restarted since this batch: its state at that time is ignored. */
  readonly isEarlierBoot: boolean;
  readonly now: Moment;
  board: Kegboard;
  /** What could not be used of this batch, for staff. */
  readonly problems: Problem[];
  /** Running pours to publish after the commit. */
  readonly runningPours: { meter: string; pourId: string; ticks: number }[];
  readonly endedPours: { readonly pourId: string; readonly ticks: number }[];
}

/** An event of which it is known whether its number was recorded before. */
interface NumberedEvent extends KegboardEvent {
  readonly isSentAgain: boolean;
}

type Report<K extends KegboardReport['kind']> = Extract<KegboardReport, { kind: K }>;

/** Records one event. One that cannot be used is noted and does not block the rest of its batch. */
export function recordEvent(context: BatchContext, event: NumberedEvent): void {
  const { report } = event;
  switch (report.kind) {
    case 'pour':
      recordPour(context, event, report);
      return;
    case 'pour_update':
      showPour(context, event, report);
      return;
    case 'temperature':
      recordTemperature(context, event, report);
      return;
    case 'token':
      recordToken(context, event, report);
      return;
    case 'status':
      recordStatus(context, report);
      return;
    case 'command_result':
      recordResult(context, report);
      return;
    case 'grant_end':
      context.store.access.grants.end(context.board.device, report.grantId, report.reason);
      return;
    case 'unusable':
      if (report.type === 'pour') setAside(context, { ...report, eventId: event.id });
      else noteUnusable(context, report.type, report.fields);
      return;
    case 'ignored':
  }
}

/** The running pour to show; null when the update is old, the pour is recorded or the meter is unknown. */
export function toRunningPour(
  { store, controller, board, now }: Pick<BatchContext, 'store' | 'controller' | 'board' | 'now'>,
  { ageMs, report }: { readonly ageMs: number; readonly report: Report<'pour_update'> },
) {
  const { pourId, volumeMl } = report;
  if (ageMs > maxUpdateAgeMs || now.monoMs < ageMs) return null;
  const meter = store.taps.meters.byName(`${controller.name}.${meterPort(report.meterNumber)}`);
  if (meter === null) return null;
  // Its pour may overtake an update.
  const sinceMonoMs = now.monoMs - maxLateUpdateMs;
  const ended = {
    pourId,
    sender: boardSender(board.device),
    meter: meter.name,
    bootId: now.bootId,
    sinceMonoMs,
  };
  if (store.drinks.reportedPours.isEndedSince(ended)) return null;
  return { meter: meter.name, pourId, ticks: Math.round(volumeMl * meter.ticksPerMl) };
}

function recordPour(context: BatchContext, event: NumberedEvent, pour: Report<'pour'>): void {
  const { store, board, controller, now } = context;
  const meter = findOrAddMeter(store, controller, pour.meterNumber);
  // Ticks by our calibration, as in updates.
  const ticks = Math.min(maxTicks, Math.round(pour.volumeMl * (meter?.ticksPerMl ?? 0)));
  context.endedPours.push({ pourId: pour.pourId, ticks });
  if (meter === null) {
    const problem = createProblem('kegboard_meters_full');
    const reason = 'the board has too many meters';
    setAside(context, { eventId: event.id, reason, raw: pour.raw, problems: [problem] });
    return;
  }
  const grant = pour.grantId === null ? null : store.access.grants.byId(pour.grantId);
  const username = grant?.device === board.device ? grant.username : null;
  const presented = [pour.authDevice ?? grant?.authDevice, pour.token ?? grant?.tokenValue];
  const authToken = presented.includes(undefined) ? '' : presented.join('|');
  try {
    context.pours.report(
      {
        tap: meter.name,
        ticks: Math.min(pour.ticks, maxTicks),
        volumeMl: pour.volumeMl,
        ...omitUndefined({ username: username ?? undefined }),
        ...(authToken === '' || [...authToken].length > 256 ? {} : { authToken }),
        isTokenResolved: true,
        agoMs: Math.min(event.ageMs, maxAgoMs),
        durationMs: Math.min(pour.durationMs, maxDurationMs),
        ...omitUndefined({ series: pour.series ?? undefined }),
        pourId: pour.pourId,
        sender: boardSender(board.device),
        isSentAgain: event.isSentAgain,
        source: 'device',
      },
      now,
    );
    if (event.ageMs > maxCredibleAgeMs) {
      const days = Math.round(Math.min(event.ageMs, maxAgoMs) / 86_400_000);
      context.problems.push(createProblem('kegboard_pour_age', { days }));
    }
  } catch (fault) {
    setAside(context, { ...describeFault(requirePermanent(fault)), eventId: event.id, raw: pour.raw });
  }
}

function showPour(context: BatchContext, { ageMs }: KegboardEvent, report: Report<'pour_update'>): void {
  const pour = context.isEarlierBoot ? null : toRunningPour(context, { ageMs, report });
  if (pour !== null) context.runningPours.push(pour);
}

function recordTemperature(
  context: BatchContext,
  event: KegboardEvent,
  { sensor, tempC }: Report<'temperature'>,
): void {
  const { store, controller, now } = context;
  // Left out, since a refused batch would keep its pours waiting.
  if (!store.diskSpace.allows('temperature')) return;
  try {
    context.thermo.log({ sensor: `${controller.name}.${sensor}`, tempC }, momentAgo(now, event.ageMs));
  } catch (fault) {
    noteUnusable(context, 'temperature', describeFault(requirePermanent(fault)).fields);
  }
}

function recordToken(context: BatchContext, event: KegboardEvent, token: Report<'token'>): void {
  const { store, tables, board, now } = context;
  const presented = `${token.authDevice}|${token.token}`;
  if (token.action === 'detached') {
    // The token is gone: a queued permission to pour must not open a tap.
    tables.commands.removeAnswers(board.id, presented);
    return;
  }
  recordPresentment(store, { ...token, device: board.device }, momentAgo(now, event.ageMs));
  const { authDevice: device, token: value } = token;
  context.bus.publish({ type: 'token.reported', controller: context.controller.name, device, value });
  if (context.isEarlierBoot) return;
  const command = createTokenCommand(context, event, token);
  tables.commands.add(board.id, command, presented, now);
}

function createTokenCommand(
  context: BatchContext,
  { ageMs }: KegboardEvent,
  { authDevice, token }: Report<'token'>,
) {
  const { store, ids, board, controller, now } = context;
  const echo = { auth_device: authDevice, token };
  const deny = (reason: string) => ({
    id: newId('cmd', ids),
    type: 'deny' as const,
    data: { ...echo, reason },
  });
  if (ageMs > maxPresentmentAgeMs) return deny('Presented too long ago');
  const decision = checkToken(store, { authDevice, token }, now);
  if ('reason' in decision) return deny(decision.reason);
  const { meterNumbers, relayNumbers, isClosed } = grantPorts(context, board, controller);
  if (meterNumbers.length === 0)
    return deny(isClosed ? 'The line of this tap is closed for cleaning' : 'This board has no meters yet');

  const id = newId('g', ids);
  const { id: userId } = decision.user;
  const grantedTimeMs = now.synced ? wallMs(now) : null;
  // The echo is what the board sent, in whatever form; the grant and its drinks are of the token.
  const { authDevice: ownDevice, tokenValue } = decision.token;
  store.access.grants.add({
    ...{ id, device: board.device, userId, grantedTimeMs },
    ...{ authDevice: ownDevice, tokenValue },
  });
  const { maxVolumeMl, maxDurationMs: lifeMs, maxIdleMs } = context.limits;
  const data = {
    grant_id: id,
    meter_numbers: meterNumbers,
    relay_numbers: relayNumbers,
    ...(maxVolumeMl > 0 ? { max_volume_ml: maxVolumeMl } : {}),
    ...(lifeMs > 0 ? { max_duration_ms: lifeMs } : {}),
    ...(maxIdleMs > 0 ? { max_idle_ms: maxIdleMs } : {}),
    ...echo,
  };
  return { id: newId('cmd', ids), type: 'authorize' as const, data };
}

function recordStatus(context: BatchContext, status: Report<'status'>): void {
  if (context.isEarlierBoot) return;
  const { fwVersion, uptimeMs, eventsDropped, config, rssiDbm, meters, relayNumbers } = status;
  context.board = {
    ...context.board,
    ...{ fwVersion, uptimeMs, eventsDropped, config, rssiDbm },
    meterNumbers: meters?.map(({ meterNumber }) => meterNumber) ?? context.board.meterNumbers,
    relayNumbers: relayNumbers ?? context.board.relayNumbers,
  };
  if (updateInventory(context.store, context.controller, status)) {
    context.bus.publish({ type: 'database.changed' });
  }
}

function recordResult({ tables, board, problems }: BatchContext, report: Report<'command_result'>): void {
  tables.commands.remove(board.id, report.command);
  if (report.result === 'ok') return;
  const answer = shorten(`${report.result} ${report.message}`.trim());
  problems.push(createProblem('kegboard_command_failed', { answer }));
}

/** A pour that cannot be recorded. */
interface UnusablePour {
  readonly eventId: number;
  /** For programmers. */
  readonly reason: string;
  /** Names of the wrong fields. */
  readonly fields?: string;
  /** The event as received. */
  readonly raw: string;
  readonly problems?: readonly Problem[];
}

function setAside(context: BatchContext, { eventId, reason, fields = '', raw, ...pour }: UnusablePour): void {
  const { tables, board, bootId, now, problems } = context;
  const timeMs = wallMs(now);
  tables.refusedPours.add({
    device: board.device,
    bootId,
    eventId,
    reason: shorten(reason),
    event: raw,
    timeMs,
  });
  problems.push(
    ...(pour.problems ?? [createProblem('kegboard_pour_set_aside', { fields: fields || 'unknown' })]),
  );
}

function noteUnusable({ problems }: BatchContext, type: string, fields: string): void {
  problems.push(createProblem('kegboard_event_unusable', { type, fields: fields || 'unknown' }));
}

const describeFault = ({ message, fields = {} }: AppError) => ({
  reason: message,
  fields: Object.keys(fields).join(', '),
});

const shorten = (text: string): string => [...text].slice(0, 300).join('');

/** Returns a permanent error of one event; rethrows a temporary one, so that the event is delivered again. */
function requirePermanent(fault: unknown): AppError {
  if (fault instanceof AppError && fault.code !== 'unavailable' && fault.code !== 'internal') return fault;
  throw fault;
}
