import { request } from '../../../web/api/client.ts';
import type { Controller, Kegboard } from '../../../web/api/generated.ts';
import type { ControllerParts, ControllersProps } from '../../../web/app/page-slots.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { KegboardStatus, Kegboards } from './kegboards.tsx';

/** Short, so that a new board appears while the installer watches the page. */
const refreshMs = 3_000;

/** Shows the state of approved boards at their controllers, and the others below the list. */
export function KegboardControllers({ controllers, snapshot, children }: ControllersProps) {
  const { result, error } = useResource('GET /admin/kegboards', {}, { intervalMs: refreshMs });
  const boards = result?.kegboards ?? [];
  /** An approved board is one of the controllers. */
  const boardOf = ({ id }: Controller) =>
    boards.find(({ controller_id: owner, state }) => owner === id && isApproved(state)) ?? null;
  const partsOf = (controller: Controller): ControllerParts | null => {
    const board = boardOf(controller);
    if (board === null) return null;
    const label = t('kegboards.revokeAccess');
    return {
      state: <KegboardStatus kegboard={board} snapshot={snapshot} />,
      actions: [
        {
          label,
          name: `${label}: ${board.device}`,
          send: () => request('POST /admin/kegboards/{device}/revoke', { path: { device: board.device } }),
          success: `${board.device}: ${label}.`,
        },
      ],
    };
  };
  const shown = controllers.map(boardOf);
  return (
    <>
      {children(partsOf)}
      <Kegboards
        kegboards={boards.filter((board) => !shown.includes(board))}
        error={error}
        snapshot={snapshot}
      />
    </>
  );
}

const isApproved = (state: Kegboard['state']): boolean => state === 'paired' || state === 'allowed';
