/** Name of the tap that the set-up creates where the settings file has none. */
export const defaultTapName = 'Main Tap';
