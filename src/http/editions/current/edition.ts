import { jsonReader } from '../../body.ts';
import type { Edition } from '../../edition.ts';
import type { LiveHub } from '../../live/hub.ts';
import type { HouseClock, Simulator } from '../../ports.ts';
import { schemaRoute } from '../../schema-route.ts';
import { clockRoutes } from './clock.ts';
import { listDrinks } from './drinks.ts';
import { kegboardRoutes } from './kegboards.ts';
import { liveRoutes } from './live.ts';
import { getPicture } from './pictures.ts';
import { simulatorRoutes } from './simulator.ts';
import { getTap, listTaps } from './taps.ts';
import { currentForm } from './wire-form.ts';

/** Parts of the house that some routes of the current face speak to. */
export interface CurrentParts {
  readonly clock: HouseClock;
  readonly live: LiveHub;
  readonly simulator: Simulator | undefined;
}

/** The current API, `/api/`: strict JSON in the specification's shapes. */
export function currentEdition({ clock, live, simulator }: CurrentParts): Edition {
  const edition: Edition = {
    name: 'current',
    title: 'Tapster API',
    prefix: '/api',
    headers: { 'Cache-Control': 'no-store' },
    routes: [
      listDrinks,
      listTaps,
      getTap,
      getPicture,
      ...liveRoutes(live),
      ...simulatorRoutes(simulator),
      ...clockRoutes(clock),
      ...kegboardRoutes,
      schemaRoute(() => edition),
    ],
    retired: [],
    bodyReaders: [jsonReader],
    lenientJson: false,
    basicKeys: true,
    forms: [currentForm],
    formFor: () => currentForm,
  };
  return edition;
}
