/** What follows, is undone and is restored also while the feature is off. It imports none of the services. */
export { followCleaningTimes } from './cleaning-times.ts';
export { cleaningPours } from './set-aside-pours.ts';
export { cleaningUndoKinds } from './undo-kinds.ts';
