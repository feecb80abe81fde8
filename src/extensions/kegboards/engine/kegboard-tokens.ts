import { checkToken, recordPresentment } from '../../../engine/access/presentment.ts';
import { newId } from '../../../engine/shared/parts.ts';
import type { BatchContext, Report } from './batch-context.ts';
import type { KegboardEvent } from './kegboard-batch.ts';
import { momentAgo } from './kegboard-clock.ts';
import { grantPorts } from './kegboard-inventory.ts';
import { wallMs } from './kegboard-pairing.ts';

/** An older presentment is denied, since the guest has left the tap, milliseconds. */
const maxPresentmentAgeMs = 30_000;

/** Records a presented token, and queues the answer whether its tap opens. */
export function recordToken(context: BatchContext, event: KegboardEvent, token: Report<'token'>): void {
  const { store, tables, board, now } = context;
  const presented = `${token.authDevice}|${token.token}`;
  if (token.action === 'detached') {
    // The token is gone: a queued permission to pour must not open a tap.
    tables.commands.removeAnswers(board.id, presented);
    return;
  }
  recordPresentment(store, { ...token, device: board.device }, momentAgo(now, event.ageMs));
  const { authDevice: device, token: value } = token;
  context.bus.publish({ type: 'token.reported', controller: context.controller.name, device, value });
  if (context.isEarlierBoot) return;
  const command = createTokenCommand(context, event, token);
  tables.commands.add(board.id, command, presented, now);
}

function createTokenCommand(
  context: BatchContext,
  { ageMs }: KegboardEvent,
  { authDevice, token }: Report<'token'>,
) {
  const { store, ids, board, controller, now } = context;
  const echo = { auth_device: authDevice, token };
  const deny = (reason: string) => ({
    id: newId('cmd', ids),
    type: 'deny' as const,
    data: { ...echo, reason },
  });
  if (ageMs > maxPresentmentAgeMs) return deny('Presented too long ago');
  const decision = checkToken(store, { authDevice, token }, now);
  if ('reason' in decision) return deny(decision.reason);
  const { meterNumbers, relayNumbers, isClosed } = grantPorts(context, board, controller);
  if (meterNumbers.length === 0)
    return deny(isClosed ? 'The line of this tap is closed for cleaning' : 'This board has no meters yet');

  const id = newId('g', ids);
  const { id: userId } = decision.user;
  const grantedTimeMs = now.synced ? wallMs(now) : null;
  // The echo is what the board sent, in whatever form; the grant and its drinks are of the token.
  const { authDevice: ownDevice, tokenValue } = decision.token;
  store.access.grants.add({
    id,
    device: board.device,
    userId,
    grantedTimeMs,
    authDevice: ownDevice,
    tokenValue,
  });
  const { maxVolumeMl, maxDurationMs: lifeMs, maxIdleMs } = context.limits;
  const data = {
    grant_id: id,
    meter_numbers: meterNumbers,
    relay_numbers: relayNumbers,
    ...(maxVolumeMl > 0 ? { max_volume_ml: maxVolumeMl } : {}),
    ...(lifeMs > 0 ? { max_duration_ms: lifeMs } : {}),
    ...(maxIdleMs > 0 ? { max_idle_ms: maxIdleMs } : {}),
    ...echo,
  };
  return { id: newId('cmd', ids), type: 'authorize' as const, data };
}
