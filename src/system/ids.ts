import { randomUUID } from 'node:crypto';
import type { IdSource } from '../core/clock/moment.ts';

/** Random ids (UUID), unique across all Pis and boots. */
export const randomIds: IdSource = { next: () => randomUUID() };
