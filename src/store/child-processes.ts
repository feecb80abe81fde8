import { createTaskQueue } from '../core/task-queue.ts';

/**
 * The turn of child processes that resize pictures or work on backups: at most one runs beside this process,
 * because each uses a processor core and up to 200 MB, and a Pi may have 512 MB.
 */
export const childProcessQueue = createTaskQueue();
