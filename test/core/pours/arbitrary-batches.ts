import fc from 'fast-check';

/** Cuts a list into consecutive batches, including empty ones, like drains of a stalled loop. */
export const cutAnywhere = fc
  .array(fc.nat({ max: 12 }), { maxLength: 60 })
  .map((sizes) => <T>(items: readonly T[]): T[][] => {
    const batches: T[][] = [];
    let from = 0;
    for (const size of sizes) {
      batches.push(items.slice(from, from + size));
      from += size;
    }
    batches.push(items.slice(from));
    return batches;
  });

/** Ascending stamps of a tap: flow, pauses around the idle time, long silences. Milliseconds. */
export const tickStamps = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: 1.2, max: 40, noNaN: true }) },
      { weight: 2, arbitrary: fc.integer({ min: 900, max: 1_100 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 20_000 }) },
    ),
    { maxLength: 300 },
  )
  .map((gaps) => {
    let at = 5_000;
    return gaps.map((gap) => {
      at += gap;
      return at;
    });
  });
