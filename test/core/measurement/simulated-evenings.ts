import { type EveningFlow, toEveningFlow } from '../../../src/core/measurement/evening-flow.ts';
import type { LineFinding } from '../../../src/core/measurement/line-health.ts';
import { toPourFlow } from '../../../src/core/measurement/pour-flow.ts';
import { parseTickSeries, TickSeries } from '../../../src/core/pours/tick-series.ts';
import type { Random } from '../../../src/devices/simulated/flow-model/random.ts';

const stepMs = 10;
/** Ticks per millilitre of four common meters. */
const meters = [0.45, 0.98, 2.695, 5.4];

/** One pour as its hand, its valve and its wheel make it. */
export interface SimulatedPour {
  readonly ticksPerMl: number;
  /** Flow of the open tap, millilitres per second. */
  readonly flowMlPerS: number;
  readonly durationMs: number;
  /** Time in which the valve opens evenly, milliseconds. */
  readonly valveMs: number;
  /** Opening by the hand over the share of the pour that has passed, 0…1. */
  readonly handAt: (passed: number) => number;
  /** Stops of the wheel per second. */
  readonly stopsPerS?: number;
}

/** Series and duration of a pour. The flow is unsteady by 1.5 % within 0.3 s, a magnet is up to 10 % out of place. */
export function makeSeries(
  pour: SimulatedPour,
  random: Random,
): { series: string; durationMs: number; ticks: number } {
  const { ticksPerMl, flowMlPerS, durationMs, valveMs, handAt, stopsPerS = 0 } = pour;
  const series = new TickSeries();
  let turned = random.next();
  let unsteady = 0;
  let stoppedMs = 0;
  let firstMs: number | null = null;
  let lastMs = 0;
  let ticks = 0;
  for (let atMs = 0; atMs < durationMs; atMs += stepMs) {
    unsteady +=
      (-unsteady * stepMs) / 300 + 0.015 * Math.sqrt((2 * stepMs) / 300) * random.between(-1.7, 1.7);
    stoppedMs =
      stoppedMs > 0
        ? stoppedMs - stepMs
        : random.next() < (stopsPerS * stepMs) / 1_000
          ? random.between(150, 250)
          : 0;
    const opening = Math.min(1, atMs / valveMs, (durationMs - atMs) / 120) * handAt(atMs / durationMs);
    if (stoppedMs > 0) continue;
    turned += (flowMlPerS * opening * (1 + unsteady) * ticksPerMl * stepMs) / 1_000;
    const next = ticks + 1 + (ticks % 2 === 0 ? 0.1 : 0);
    if (turned < next) continue;
    firstMs ??= atMs;
    for (; turned >= ticks + 1; ticks++) series.add(atMs - firstMs);
    lastMs = atMs - firstMs;
  }
  return { series: series.toString(), durationMs: lastMs, ticks };
}

/** How guests open a tap: two in three fully, the others halfway, halfway and then fully, or with a stop. */
export function drawHand(random: Random): SimulatedPour['handAt'] {
  const kind = random.next();
  if (kind < 0.6) return () => 1;
  const opening = random.between(0.35, 1);
  if (kind < 0.8) return () => opening;
  if (kind < 0.9) return (passed) => (passed < 0.4 ? opening : 1);
  return (passed) => (passed > 0.4 && passed < 0.55 ? 0 : 1);
}

/** A tap with its keg. */
interface SimulatedTap {
  readonly id: number;
  readonly ticksPerMl: number;
  readonly flowMlPerS: number;
  /** By how much the flow falls until the keg is empty, as a share. */
  readonly fall: number;
  kegMl: number;
}

const kegSizeMl = 30_000;

export function drawTaps(random: Random, count: number): SimulatedTap[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    ticksPerMl: meters[Math.floor(random.next() * meters.length)]!,
    flowMlPerS: random.between(45, 75),
    fall: random.next() < 0.5 ? 0 : random.between(0, 0.15),
    kegMl: random.between(5_000, kegSizeMl),
  }));
}

/**
 * One evening of a tap: its flow is up to 10 % off, and that of each pour 3 %; beer of ±2 °C; 4 to 30 pours. A new keg is put on tap when
 * one is empty.
 */
export function simulateEvening(
  tap: SimulatedTap,
  {
    date,
    fault,
    random,
  }: { readonly date: string; readonly fault: LineFinding | null; readonly random: Random },
): EveningFlow | null {
  const evening = random.between(0.9, 1.1);
  const warmer = random.between(-2, 2) + (fault === 'warm_beer' ? 6 : 0);
  const isLow = fault === 'blocked_line' || fault === 'low_pressure';
  const foamyShare = fault === 'warm_beer' ? 0.5 : 0.04;
  const pours = Array.from({ length: 4 + Math.floor(random.next() * 27) }, () => {
    const left = tap.kegMl / kegSizeMl;
    const flowMlPerS =
      tap.flowMlPerS *
      evening *
      random.between(0.97, 1.03) *
      (1 - tap.fall * (1 - left)) *
      (1 + 0.004 * warmer) *
      (isLow ? 0.65 : 1);
    const { series, durationMs, ticks } = makeSeries(
      {
        ticksPerMl: tap.ticksPerMl,
        flowMlPerS,
        durationMs: random.between(2_000, 9_000),
        valveMs: fault === 'slow_valve' ? 1_200 : random.between(60, 250),
        handAt: drawHand(random),
        stopsPerS: fault === 'sticking_meter' ? 0.5 : 0,
      },
      random,
    );
    tap.kegMl -= ticks / tap.ticksPerMl;
    if (tap.kegMl < 0) tap.kegMl = kegSizeMl;
    const flow = random.next() < foamyShare ? null : toPourFlow(parseTickSeries(series) ?? [], durationMs);
    return { flow, ticksPerMl: tap.ticksPerMl };
  });
  return toEveningFlow(date, pours, { tempC: 5 + warmer, kegLeft: tap.kegMl / kegSizeMl });
}
