/** Hardware that the configuration file or a plugged-in board names cannot be changed. */
const claimed = { conflict: ['in_configuration', 'on_pin', 'on_serial_port'] } as const;
/** Errors of changes and deletions of controllers, meters and toggles. */
export const claimedErrors = { change: claimed, remove: claimed };

/** Finds a record by its id. */
export const findById = <T extends { readonly id: number }>(all: readonly T[], id: number): T | undefined =>
  all.find((one) => one.id === id);
