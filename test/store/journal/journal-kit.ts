import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import type { MeterPour } from '../../../src/core/pours/meter-pour.ts';
import type { EndedPour } from '../../../src/core/pours/pour.ts';

/** A folder that is removed after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** 22:00 plus `monoMs`, in boot `bootId`. */
export function at(monoMs: number, bootId = 'boot-a', synced = true): Moment {
  return { monoMs, wallMs: Date.UTC(2026, 4, 2, 22) + monoMs, synced, bootId };
}

/** A pour that started at 1 s and has `ticks` ticks, 10 ms apart. */
export function running(pourId: string, ticks: number, meter = 'pi.flow0'): MeterPour {
  return {
    pourId,
    meter,
    bootId: 'boot-a',
    ticks,
    minTicks: 3,
    startedMonoMs: 1_000,
    lastTickMonoMs: 1_000 + (ticks - 1) * 10,
    series: `0:${ticks}`,
    rejectedEdges: 0,
    ticksLost: 0,
  };
}

export function ended(pourId: string, ticks: number, meter = 'pi.flow0'): EndedPour {
  return {
    pourId,
    meter,
    bootId: 'boot-a',
    ticks,
    startedMonoMs: 1_000,
    durationMs: (ticks - 1) * 10,
    series: `0:${ticks}`,
    reachedMaxDuration: false,
    rejectedEdges: 0,
    ticksLost: 0,
    doubts: [],
    recovered: false,
  };
}
