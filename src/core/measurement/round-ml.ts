/**
 * Rounds a volume, millilitres, to two decimals, which is finer than any meter measures, for what people and programs read.
 * Stored volumes keep their precision.
 */
export const roundMl = (volumeMl: number): number => Math.round(volumeMl * 100) / 100;
