/** English texts about a tap's valve. */
export const valveEnglish = {
  valve: 'Valve',
  why: 'To rinse the line: what runs is counted as ever.',
  openFor: (minutes: number) => `Open for ${minutes} min`,
  close: 'Close the valve',
  opened: (tap: string, minutes: number) => `${tap} is open for ${minutes} min at most.`,
  closed: (tap: string) => `${tap} is closed.`,
  closesSoon: (tap: string) => `${tap} closes when its board next reports.`,
  openManually: (seconds: number) => `Open by hand, shuts in ${seconds} s at the latest.`,
  openByPermission: (seconds: number) => `Open by permission, shuts in ${seconds} s at the latest.`,
};

/** Every translation has the same keys. */
export type ValveWords = typeof valveEnglish;
