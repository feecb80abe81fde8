import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Drink, Session, User } from '../../core/records.ts';
import type { SystemEvent } from '../../core/system-events.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
import { productVersion } from '../../system/product.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { Closed, Maybe, Nullable } from '../routes/schemas.ts';
import { EventReference, eventReference } from './events.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import { DrinkKegbot, drinkKegbot } from './kegbot-drinks.ts';
import { EventKegbot, eventKegbot } from './kegbot-events.ts';
import {
  ControllerKegbot,
  controllerKegbot,
  controllersById,
  MeterKegbot,
  meterKegbot,
  ToggleKegbot,
  toggleKegbot,
} from './kegbot-hardware.ts';
import { describeClosedTap, kegWithBeer } from './kegbot-lookups.ts';
import { TapKegbot, tapsKegbot } from './kegbot-taps.ts';
import { SessionKegbot, sessionKegbot, UserKegbot, userKegbot } from './kegbot-users.ts';
import {
  ControllerReference,
  controllerReference,
  MeterReference,
  meterReference,
  ToggleReference,
  toggleReference,
} from './reference-hardware.ts';
import {
  DrinkReference,
  drinkReference,
  KegReference,
  kegReference,
  SessionReference,
  sessionReference,
  TapItemReference,
  tapItemReference,
  UserReference,
  userReference,
} from './reference-views.ts';

/** Number of drinks and of events in the status. */
const newestCount = 5;

const version = productVersion();

interface Status {
  readonly engine: Engine;
  readonly title: string;
  readonly taps: readonly TapView[];
  readonly session: Session | null;
  readonly activeUsers: readonly User[];
  readonly drinks: readonly Drink[];
  readonly events: readonly SystemEvent[];
}

const SiteJson = Closed(
  {
    title: Type.String({ description: 'Title of the site.' }),
    server_version: Type.String({ description: 'Version of the program.' }),
  },
  { description: 'The site.' },
);

const StatusReference = Closed({
  site: SiteJson,
  taps: Type.Array(TapItemReference, { description: 'All taps.' }),
  active_kegs: Type.Array(KegReference, { description: 'Kegs on taps.' }),
  active_session: Nullable(SessionReference),
  active_users: Type.Array(UserReference, { description: 'Users of the running session.' }),
  controllers: Type.Array(ControllerReference, { description: 'All controllers.' }),
  flow_meters: Type.Array(MeterReference, { description: 'All flow meters.' }),
  flow_toggles: Type.Array(ToggleReference, { description: 'All flow toggles.' }),
  drinks: Type.Array(DrinkReference, { description: 'The five newest drinks, newest first.' }),
  events: Type.Array(EventReference, { description: 'The five newest events, newest first.' }),
});

const StatusKegbot = Closed({
  site_info: SiteJson,
  taps: Type.Array(TapKegbot, { description: 'All taps.' }),
  active_kegs: Type.Array(KegKegbot, { description: 'Kegs on taps.' }),
  active_session: Maybe(SessionKegbot),
  active_users: Type.Array(UserKegbot, { description: 'Users of the running session.' }),
  controllers: Type.Array(ControllerKegbot, { description: 'All controllers.' }),
  meters: Type.Array(MeterKegbot, { description: 'All flow meters.' }),
  toggles: Type.Array(ToggleKegbot, { description: 'All flow toggles.' }),
  drinks: Type.Array(DrinkKegbot, { description: 'The five newest drinks, newest first.' }),
  events: Type.Array(EventKegbot, { description: 'The five newest events, newest first.' }),
});

export const getStatus = defineViewedRoute({
  id: 'getStatus',
  method: 'get',
  path: '/status',
  summary: 'Get the complete state; existing controllers poll it once a minute',
  description:
    'Title and version of the site, taps, kegs on tap, the running session with its users, the hardware, the five ' +
    'newest drinks and the five newest events. Answered from memory until something is written.',
  access: 'staff',
  accepts: {},
  status: 200,
  run: ({ engine, now }) => getCachedStatus(engine, engine.drinks.events.currentSession(now)),
  cacheKey: (status) => status,
  views: {
    reference: view(StatusReference, statusReference),
    kegbot: view(StatusKegbot, statusKegbot),
  },
});

/** The status by the list of taps, which is the same object until something is written. */
const cachedStatus = new WeakMap<readonly TapView[], Status>();

function getCachedStatus(engine: Engine, session: Session | null): Status {
  const taps = engine.taps.list();
  const cached = cachedStatus.get(taps);
  // A session also ends without a write.
  if (cached !== undefined && cached.session?.id === session?.id) return cached;
  const status = {
    engine,
    title: engine.users.site().title,
    taps: taps.map((view) => describeClosedTap(engine, view)),
    session,
    activeUsers: session ? engine.drinks.events.participants(session.id) : [],
    drinks: engine.drinks.latest(newestCount),
    events: engine.drinks.events.list({ limit: newestCount }),
  };
  cachedStatus.set(taps, status);
  return status;
}

function statusReference(status: Status): Static<typeof StatusReference> {
  const { hardware } = status.engine.taps;
  return {
    site: { title: status.title, server_version: version },
    taps: status.taps.map(tapItemReference),
    active_kegs: status.taps.flatMap(({ keg }) => (keg ? [kegReference(keg)] : [])),
    active_session: status.session && sessionReference(status.session),
    active_users: status.activeUsers.map(userReference),
    controllers: hardware.controllers().map(controllerReference),
    flow_meters: hardware.meters().map(meterReference),
    flow_toggles: hardware.toggles().map(toggleReference),
    drinks: status.drinks.map(drinkReference),
    events: status.events.map(eventReference),
  };
}

function statusKegbot(status: Status): Static<typeof StatusKegbot> {
  const { engine, taps, session } = status;
  const controllers = controllersById(engine);
  return {
    site_info: { title: status.title, server_version: version },
    taps: tapsKegbot(engine, taps),
    active_kegs: taps.flatMap(({ keg }) => (keg ? [kegKegbot(kegWithBeer(engine, keg))] : [])),
    ...omitUndefined({ active_session: session ? sessionKegbot(session) : undefined }),
    active_users: status.activeUsers.map(userKegbot),
    controllers: [...controllers.values()].map(controllerKegbot),
    meters: engine.taps.hardware.meters().map((meter) => meterKegbot(meter, controllers)),
    toggles: engine.taps.hardware.toggles().map((toggle) => toggleKegbot(toggle, controllers)),
    drinks: status.drinks.map(drinkKegbot),
    events: status.events.map((event) => eventKegbot(engine, event)),
  };
}
