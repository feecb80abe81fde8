/** What is undone also while the feature is off. It imports none of the services. */
export { scaleUndoKinds } from './undo-kinds.ts';
