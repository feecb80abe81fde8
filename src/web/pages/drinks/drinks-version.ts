import type { SnapshotMessage } from '../../../http/live/shapes.ts';

/** A text that changes when a drink is recorded, and when one of the latest drinks is corrected. */
export const drinksVersion = ({ drinks, newest_drink_id: newest }: SnapshotMessage): string =>
  JSON.stringify([newest, drinks]);
