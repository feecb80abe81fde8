import { pageBytes } from './journal-record.ts';

/*
 * The file, from its first byte:
 *
 *   1 page      what it is and how it is laid out; written once
 *   2 halves    checkpoints of all open pours, by turns: a torn one leaves the one before whole
 *   n slots     ended pours that are not in the ledger yet, a page each; more are added at the end when all are taken
 */

/** Sizes that a file of ours states about itself. */
export const layout = { halfBytes: 16 * pageBytes, slotBytes: pageBytes } as const;
/** Where the two halves begin. */
export const halfAt = [pageBytes, pageBytes + layout.halfBytes] as const;
/** Where the slots begin. */
export const slotsAt = pageBytes + 2 * layout.halfBytes;

/** Slots written at creation, so that a bar's busy night fits even when the disk is full. One mebibyte. */
export const reservedSlots = 256;

/** More ended pours than this are not written any more: something else is badly wrong. */
export const maxSlots = 4_096;

/** A larger file is no journal. */
export const maxFileBytes = slotsAt + maxSlots * layout.slotBytes;
