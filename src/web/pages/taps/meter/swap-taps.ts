interface TapOfMeter {
  readonly tap_id: string | null;
}

/** The other taps that have a meter, in the order of the taps. */
export function findSwapTaps<T extends { readonly id: string }>(
  tapId: string,
  meters: readonly TapOfMeter[],
  taps: readonly T[],
): readonly T[] {
  const withMeter = new Set(meters.map(({ tap_id: id }) => id));
  return taps.filter(({ id }) => id !== tapId && withMeter.has(id));
}
