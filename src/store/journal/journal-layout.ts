import { pageBytes } from './journal-record.ts';

/*
 * Layout of the file:
 *
 *   1 page      file type and layout; written once
 *   2 halves    checkpoints of all open pours, written alternately: a torn write leaves the previous one intact
 *   n slots     ended pours that are not in the database yet, one page each; the file grows on demand
 */

/** Sizes that are stored in the first page. */
export const layout = { halfBytes: 16 * pageBytes, slotBytes: pageBytes } as const;
/** Offsets of the two halves. */
export const halfAt = [pageBytes, pageBytes + layout.halfBytes] as const;
/** Offset of the slots. */
export const slotsAt = pageBytes + 2 * layout.halfBytes;

/** Slots written at creation (1 MiB), enough for a busy night even if the disk is full. */
export const reservedSlots = 256;

/** Maximum number of slots; more unrecorded pours mean that something else is badly broken. */
export const maxSlots = 4_096;

/** A larger file is not a journal. */
export const maxFileBytes = slotsAt + maxSlots * layout.slotBytes;
