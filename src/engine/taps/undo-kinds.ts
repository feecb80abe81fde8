import { restoring, type UndoKind } from '../shared/corrections/undo-kinds.ts';
import { readDevice, undoDeviceChange } from './device-corrections.ts';
import { metersMovedByDevice, metersMovedByTap } from './moved-parts.ts';
import { readChangedTaps, undoTapChange } from './tap-corrections.ts';

const undoTaps = restoring({ restore: undoTapChange, read: readChangedTaps });

export const tapsUndoKinds: readonly UndoKind[] = [
  // Taps get their fields and hardware back.
  { name: 'tap', isByPin: false, undo: undoTaps, movedMeters: metersMovedByTap },
  // And what comes next on them.
  { name: 'next', isByPin: true, undo: undoTaps },
  // Controllers, meters, toggles and thermo sensors get their fields, parts and taps back.
  {
    name: 'device',
    isByPin: false,
    undo: restoring({
      restore: undoDeviceChange,
      read: (store, _correction, { kind, id }) => readDevice(store, { kind, id: Number(id) }),
    }),
    movedMeters: metersMovedByDevice,
  },
];
