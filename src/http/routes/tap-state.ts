import Type from 'typebox';
import { type RestingTapState, tapStates } from '../../core/taps/tap-state.ts';
import { named } from './schemas.ts';

/** The state of a tap apart from a flow. */
export const RestingTapStateJson = named(
  'TapState',
  Type.Enum(tapStates.filter((state): state is RestingTapState => state !== 'pouring') as RestingTapState[], {
    description:
      'The first that applies, apart from a flow: `cleaning` and `blocked`: nobody may drink what comes out, because its line is ' +
      'being cleaned, or a cleaning ended by itself or failed its check; `empty`: no keg is on it; `no_meter`: pours are not ' +
      'counted; `held`: a pour waits for review (for staff; others see `serving`); `serving`.',
  }),
);
