/** English texts of shared tablets and of their part of the account page. */
export const tabletEnglish = {
  who: 'Who are you?',
  whoMore: 'Choose your name, then type your PIN.',
  nobodyHasPin: 'Nobody has a PIN yet. Staff choose theirs on their account page, on a device of their own.',
  pinOf: (name: string) => `PIN of ${name}`,
  typed: (digits: number) => (digits === 1 ? '1 digit typed' : `${digits} digits typed`),
  digits: 'Digits',
  erase: 'Erase the last digit',
  confirm: 'OK',
  somebodyElse: 'Somebody else',
  signedInAs: (name: string) => `${name} acts here`,
  secondsLeft: (seconds: number) => `${seconds} s`,
  done: 'Done',
  wrongBefore: (times: number) =>
    times === 1
      ? 'One wrong PIN was typed for your name before.'
      : `${times} wrong PINs were typed for your name before.`,
  pin: 'PIN for shared tablets',
  pinWhy: 'On a shared tablet your name and this PIN stand for you, and the audit log names you.',
  hasPin: 'You have a PIN.',
  noPin: 'You have no PIN yet.',
  pinLocked:
    'Too many wrong PINs were typed for your name. It works again once you log in with your password.',
  newPin: 'PIN, 4 to 8 digits',
  pinAgain: 'The PIN once more',
  notTheSame: 'is not the same',
  password: 'Your password',
  setPin: 'Set the PIN',
  pinSet: 'The PIN is set.',
  removePin: 'Remove the PIN',
  pinRemoved: 'You have no PIN any more.',
  tablets: 'Shared tablets',
  tabletsWhy:
    'A shared tablet shows what members see. Whoever corrects a drink or changes a keg on it says who they are by PIN.',
  noTablets: 'There is none yet.',
  enrolledBy: (name: string, time: string) => `by ${name}, ${time}`,
  seen: (time: string) => `last seen ${time}`,
  somebody: 'somebody',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: 'The tablet is a stranger now.',
  thisDevice: 'Name of this device',
  enrol: 'Make this device a shared tablet',
  enrolWhy: 'It stays one until it is removed here. You are logged out on it.',
  enrolled: (name: string) => `This is the shared tablet “${name}” now.`,
};

export type TabletWords = typeof tabletEnglish;
