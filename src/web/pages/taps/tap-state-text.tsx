import type { ReadonlySignal } from '@preact/signals';
import { isTapClosed, type TapState, tapState } from '../../../core/taps/tap-state.ts';
import type { LiveTap } from '../../../http/live/shapes.ts';
import type { CurrentPour } from '../../app/live.ts';
import { t } from '../../locales/locale.ts';

/** The state of a tap in words, with its beer unless nobody may drink it. */
export function TapStateText({
  tap,
  pour,
}: {
  readonly tap: LiveTap;
  readonly pour: ReadonlySignal<CurrentPour | null>;
}) {
  const state = tapState(tap.state, pour.value?.running ?? false);
  const beer = isTapClosed(state) ? undefined : tap.beverage?.name;
  return (
    <p class="tap-state" data-state={state}>
      <strong>{toText(state)}</strong>
      {beer !== undefined && `: ${beer}`}
    </p>
  );
}

function toText(state: TapState): string {
  switch (state) {
    case 'cleaning':
    case 'blocked':
      return t(`menu.closed.${state}`);
    case 'pouring':
      return t('taps.pouring');
    case 'empty':
      return t('kegs.noKeg');
    case 'no_meter':
      return t('taps.unmetered');
    case 'held':
      return t('heldPours.title');
    case 'serving':
      return t('taps.onTap');
  }
}
