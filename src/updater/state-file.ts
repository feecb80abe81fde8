import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { emptyState, parseState, type UpdateOrder, type UpdaterState } from '../core/updates/update-state.ts';
import { isVersion } from '../core/updates/versions.ts';
import { readTextFile } from '../system/small-files.ts';
import type { UpdaterFiles } from './files.ts';

/** The updater's state, and the order that other commands of root leave for the running updater. */
export function createStateFile(folder: string, files: UpdaterFiles) {
  const statePath = join(folder, 'state.json');
  const [orderPath, takenPath] = [join(folder, 'order.json'), join(folder, 'order-taken.json')];
  let written = '';
  return {
    /** The stored state; an empty one when there is none. A file that cannot be read is set aside. */
    read(): UpdaterState {
      const text = readTextFile(statePath);
      if (text === null) return emptyState;
      const state = parseState(text);
      if (state === null) renameSync(statePath, `${statePath}.damaged`);
      return state ?? emptyState;
    },
    /** Stores the state unless only the times of observations differ, which a restart would not use. */
    write(state: UpdaterState): void {
      const { update } = state;
      const trial = update?.trial && { ...update.trial, okSinceMs: null, lastOkMs: null };
      const essence = JSON.stringify({ ...state, update: update && { ...update, trial } });
      if (essence === written) return;
      files.writeFile(statePath, `${JSON.stringify(state, null, 2)}\n`);
      written = essence;
    },
    /** The order that waits; null without one. */
    readOrder: (): UpdateOrder | null => readOrder(orderPath) ?? readOrder(takenPath),
    /** Takes the order; it is kept under another name until `removeTaken`, so that a power cut loses none. */
    takeOrder(): UpdateOrder | null {
      if (existsSync(orderPath)) files.rename(orderPath, takenPath);
      return readOrder(takenPath);
    },
    /** Called when the state with the order is stored. */
    removeTaken(): void {
      if (existsSync(takenPath)) files.remove(takenPath);
    },
    writeOrder: (order: UpdateOrder): void => files.writeFile(orderPath, `${JSON.stringify(order)}\n`),
  };
}

function readOrder(path: string): UpdateOrder | null {
  try {
    const { kind, version } = JSON.parse(readTextFile(path) ?? '') as UpdateOrder;
    return isVersion(version) ? { kind: kind === 'rollback' ? 'rollback' : 'update', version } : null;
  } catch {
    return null;
  }
}

export type StateFile = ReturnType<typeof createStateFile>;
