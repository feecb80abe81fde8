import { maxCredibleAgeMs } from '../../../core/clock/clock-rules.ts';
import { createProblem } from '../../../core/health/problems.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { boardSender } from '../../../engine/drinks/reported/reported-pour.ts';
import { maxDurationMs, maxTicks } from '../../../engine/shared/bounds.ts';
import type { BatchContext, NumberedEvent, Report } from './batch-context.ts';
import type { KegboardEvent } from './kegboard-batch.ts';
import { momentAgo } from './kegboard-clock.ts';
import { findOrAddMeter, meterPort, updateInventory } from './kegboard-inventory.ts';
import { recordToken } from './kegboard-tokens.ts';
import { describeFault, noteUnusable, requirePermanent, setAside, shorten } from './unusable-events.ts';

/** Longest age of a pour that is computed with, milliseconds: a thousand years. */
const maxAgoMs = 3.2e13;

/** Older updates of a running pour are not shown, milliseconds. */
const maxUpdateAgeMs = 10_000;

/** An update that arrives this long after the end of its pour is not shown, milliseconds: later ones may be of another pour. */
const maxLateUpdateMs = 60_000;

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

function recordStatus(context: BatchContext, status: Report<'status'>): void {
  if (context.isEarlierBoot) return;
  const { fwVersion, uptimeMs, eventsDropped, config, rssiDbm, meters, relayNumbers } = status;
  context.board = {
    ...context.board,
    fwVersion,
    uptimeMs,
    eventsDropped,
    config,
    rssiDbm,
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
