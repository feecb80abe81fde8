import type { Static } from 'typebox';
import type { Tap } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { tapItemJsonFor } from '../shared/staff-views.ts';
import { TapItemJson } from '../shared/tap-views.ts';
import { requireTapView } from './taps.ts';

/** A tap after a change that can be undone. */
export const ChangedTapJson = Closed({ ...TapItemJson.properties, ...correctionFields });

/** The tap with this id or meter name; throws 404. */
export const requireTap = (engine: Engine, ref: string): Tap => requireTapView(engine, ref).tap;

/** View of a tap for the user of the request. */
export const tapReply = ({ engine, user }: RouteContext, tapId: number): Static<typeof TapItemJson> =>
  tapItemJsonFor(user)(engine.taps.find(tapId)!);

/** The same, with the id that undoes the latest change; call it in the same step as the change. */
export const changedTapReply = (context: RouteContext, { id }: Tap): Static<typeof ChangedTapJson> => ({
  ...tapReply(context, id),
  ...correctionOf(context.engine, 'tap', { kind: 'tap', id }),
});
