import { randomUUID } from 'node:crypto';
import type { IdSource } from '../core/moment.ts';

/** Ids that no other Pi, and no other boot of this one, will ever give. */
export const randomIds: IdSource = { next: () => randomUUID() };
