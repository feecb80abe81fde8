/** Whether a chart has one value, which no line joins to another: it is drawn as a dot. A bar is seen alone. */
export const isOnlyPoint = (kind: 'line' | 'steps' | 'bars', values: readonly (number | null)[]): boolean =>
  kind !== 'bars' && values.filter((value) => value !== null).length === 1;
