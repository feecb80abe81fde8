import { request } from '../../../api/client.ts';
import { showToast } from '../../../components/toast.tsx';
import { undo } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

/** Undoes the newest change of meters and relays on pins; true when it is undone. */
export const undoHardware = (id: number): Promise<boolean> =>
  undo(() => request('POST /hardware/changes/{id}/undo', { path: { id } }));

/** Shows that a change was made, with its undo. */
export function showChange(
  sentence: string,
  {
    change_id: id,
    restart_needed: isRestartNeeded,
  }: {
    readonly change_id: number | null;
    readonly restart_needed: boolean;
  },
) {
  const text = isRestartNeeded ? `${sentence} ${t('pins.afterRestart')}` : sentence;
  showToast(text, id === null ? null : () => void undoHardware(id));
}
