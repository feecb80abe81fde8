import type { ReaderPresentment } from '../../../src/engine/engine.ts';
import type { SwitchedOn } from '../../kit/extensions.ts';
import { at, minute, openBar } from '../bar.ts';

/** A bar where Anna and Bert have one token each. */
export function openTokenBar(switchedOn?: SwitchedOn) {
  const bar = openBar(':memory:', {}, switchedOn);
  const { engine } = bar;
  for (const username of ['anna', 'bert']) {
    engine.users.addUser({ username }, at(0));
    engine.access.tokens.create({ device: 'core.rfid', value: `fob-${username}`, username }, at(0));
  }
  const present = (username: string, when = at(minute), more: Partial<ReaderPresentment> = {}) =>
    engine.access.grants.present(
      { controller: 'pi', authDevice: 'core.rfid', token: `fob-${username}`, ...more },
      when,
    );
  const granted = (username: string, when = at(minute), more: Partial<ReaderPresentment> = {}) => {
    const answer = present(username, when, more);
    if (answer.kind === 'denied') throw new Error(answer.reason);
    return answer.grant;
  };
  const over = (grantId: string, when = at(2 * minute)) =>
    engine.access.grants.release(
      { grantId, tapIds: [bar.left.id, bar.right.id], reason: 'max_idle', isOver: true, volumeMl: 300 },
      when,
    );
  return { ...bar, present, granted, over };
}
