/** English texts of restoring a backup. */
export const restoreEnglish = {
  title: 'Put back a backup',
  why: 'The house is then what it was when the backup was made: people, drinks, kegs, settings and pictures.',
  findBackups: 'Look for backups',
  which: 'Which backup',
  none: 'No backup lies on this machine or on its stick.',
  file: 'A file from this device',
  choose: 'The file, tapster-….tar.gz',
  about: (house: string, size: string) => `${house} · ${size}`,
  warning:
    'What this house has now is set aside in a folder of this machine and not deleted. Beer is counted all the while.',
  restore: 'Put it back',
  back: 'Open a new house instead',
  nothingChosen: 'Choose a backup first.',
  tooLarge: (size: string) => `This file is too large: at most ${size} fit on the disk of this machine.`,
  sending: (share: string) => `The file is on its way: ${share}. Leave this page open.`,
  progress: 'How much of the file has been sent',
  restoring: 'The backup is looked through and put in its place. This takes minutes for a large one.',
  connectionLost: 'The line broke off before an answer came. Look at the network, then try again.',
  done: (when: string) => `The backup of ${when} is back.`,
  next: 'Log in with an account that it holds, by the password of that time.',
  doubtful:
    'Some of its totals are not the sums they stand for: “tapster doctor” on this machine says which.',
  logIn: 'Log in',
};

/** Every translation has the same keys. */
export type RestoreWords = typeof restoreEnglish;
