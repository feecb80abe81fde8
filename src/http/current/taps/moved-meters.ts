import Type from 'typebox';
import type { Engine } from '../../../engine/engine.ts';
import { Maybe } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

/** Member of a body that connects a meter or toggle. */
export const Moves = Maybe(
  Type.Boolean({
    default: false,
    description: 'True takes it from the tap that it serves. False: that is refused with 409.',
  }),
);

/**
 * Ends the running pours of meters whose tap changes when a meter gets a tap, or the tap none: what flowed until now is of the
 * tap that they had. Nothing is ended where the meter is not to be moved.
 */
export function endMovedPours(
  engine: Engine,
  { counting }: Pick<RouteServices, 'counting'>,
  {
    meterId,
    tapId,
    moves,
  }: { readonly meterId: number | null; readonly tapId: number; readonly moves: boolean },
): void {
  const meters = engine.taps.hardware.meters();
  const isElsewhere = meters.some((one) => one.id === meterId && one.tapId !== null && one.tapId !== tapId);
  if (isElsewhere && !moves) return;
  for (const { id, name, tapId: present } of meters)
    if (present !== null && (id === meterId) !== (present === tapId)) counting.endPour(name);
}
