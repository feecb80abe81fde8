import type { DrinkPart } from '../../core/kegs/keg-spans.ts';

/** An element of `drinks.parts`. */
interface StoredPart {
  readonly keg_id: number | null;
  readonly ticks: number;
  readonly gas_ticks: number;
  readonly foam_ticks: number;
  readonly volume_ml: number;
}

/** The parts of a drink that came from several kegs; null for all others. */
export const parseParts = (text: string | null): readonly DrinkPart[] | null =>
  text === null
    ? null
    : (JSON.parse(text) as StoredPart[]).map((part) => ({
        kegId: part.keg_id,
        ticks: part.ticks,
        gasTicks: part.gas_ticks,
        foamTicks: part.foam_ticks,
        volumeMl: part.volume_ml,
      }));

export const formatParts = (parts: readonly DrinkPart[] | null): string | null =>
  parts === null
    ? null
    : JSON.stringify(
        parts.map(
          ({ kegId, ticks, gasTicks, foamTicks, volumeMl }): StoredPart => ({
            keg_id: kegId,
            ticks,
            gas_ticks: gasTicks,
            foam_ticks: foamTicks,
            volume_ml: volumeMl,
          }),
        ),
      );
