import { at, hour, minute, openBar, pour } from '../bar.ts';

export const day = 24 * hour;

/** How a tap of the bar flows on one evening. */
export interface EveningAt {
  readonly meter: string;
  readonly ticksPerS: number;
  readonly pours?: number;
}

/** Pours of four seconds each, ten minutes apart from 18:01 UTC on, that a meter of this machine counted. */
export function pourEvening(
  { engine }: Pick<ReturnType<typeof openBar>, 'engine'>,
  number: number,
  { meter, ticksPerS, pours = 6 }: EveningAt,
): void {
  const perBin = ticksPerS / 10;
  for (let i = 0; i < pours; i++) {
    const now = at(number * day + (1 + i * 10) * minute);
    const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:${perBin}`).join(' ');
    engine.drinks.pours.record(
      pour(now, { meter, ticks: 40 * perBin, durationMs: 3_990, series }),
      'pin',
      now,
    );
  }
}

/** A bar whose left tap has flowed at 60 mL/s and whose right one at 50 mL/s on so many evenings. */
export function openLineBar(evenings: number, file?: string) {
  const bar = openBar(file);
  for (let number = 0; number < evenings; number++) {
    pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 60 });
    pourEvening(bar, number, { meter: 'pi.flow1', ticksPerS: 100 });
  }
  return bar;
}
