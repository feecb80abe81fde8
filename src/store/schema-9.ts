/** Backups and reports. */
export const schema9 = '';
