import { createHash } from 'node:crypto';

/** A short hash of the values of a row, to recognize it in another file: 132 bits. */
export const hashOf = (...values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);
