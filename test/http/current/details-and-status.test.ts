import request from 'supertest';
import { expect, test } from 'vitest';
import { allExtensions } from '../../kit/extensions.ts';
import { createPopulatedServer } from './populated-server.ts';

const drink = {
  id: 1,
  volume_ml: 300,
  user_id: 'anna',
  ticks: 600,
  session_id: '1',
  is_valid: true,
  pour_time: '2026-05-02T17:00:00Z',
  duration: 5,
  keg_id: 1,
  beverage_name: 'Haus Helles',
  uncertainty_ml: expect.closeTo(36.4, 1),
  ticks_lost: null,
  time_certain: true,
  tap_id: '1',
  meter: 'pi.flow0',
  source: 'post',
  recovered: false,
};

/** What staff see of the drink. */
const drinkForStaff = { ...drink, claimed_username: null, auth_token: null };

const keg = {
  id: 1,
  status: 'online',
  state: 'on_tap',
  volume_ml_remain: 28_300,
  percent_full: expect.closeTo(0.9433, 4),
  full_volume_ml: 30_000,
  served_volume_ml: 1_700,
  spilled_ml: 0,
  description: '',
  type_id: '1',
  size_id: 7,
  started_time: '2026-05-02T17:00:00Z',
  finished_time: null,
  ran_dry: null,
};

const beverage = {
  id: '1',
  name: 'Haus Helles',
  style_id: 'Helles',
  brewer_id: '1',
  abv: 4.9,
  calories_oz: null,
  beverage_type: 'beer',
  color_hex: '#C35900',
  description: '',
  vintage_year: null,
  calories_per_ml: null,
  carbs_per_ml: null,
  original_gravity: null,
  specific_gravity: null,
  srm: null,
  ibu: null,
  star_rating: null,
  untappd_beer_id: null,
  allergens: '',
  picture: null,
  producer: {
    id: 1,
    name: 'Hausbrauerei',
    country: '',
    origin_state: '',
    origin_city: '',
    is_homebrew: false,
    url: '',
    description: '',
    picture: null,
  },
};

const anna = {
  username: 'anna',
  display_name: 'anna',
  joined_time: '2026-05-02T17:00:00Z',
  mugshot_url: '',
  is_active: true,
  is_staff: true,
  is_superuser: false,
};

const saturday = {
  id: '1',
  start_time: '2026-05-02T17:00:00Z',
  end_time: '2026-05-02T20:15:00Z',
  volume_ml: 1_400,
  name: null,
  timezone: 'UTC',
};

const token = {
  id: 'core.rfid|0089f2c4',
  auth_device: 'core.rfid',
  token_value: '0089f2c4',
  other_values: [],
  nice_name: 'Blue fob',
  has_pin: false,
  user_id: 'anna',
  enabled: true,
  created_time: '2026-05-02T17:00:00Z',
  expire_time: null,
  last_seen: null,
  last_seen_device: null,
};

const tap = {
  id: '1',
  name: 'Left',
  meter_name: 'pi.flow0',
  ml_per_tick: 0.5,
  thermo_sensor_id: '1',
  current_keg_id: 1,
  meter_id: 1,
  toggle_id: 1,
  sort_order: 0,
  number: 1,
  serving_size_ids: [],
  line_volume_ml: null,
  line_to_meter_ml: null,
  has_fob: false,
  keg_ids_behind: [],
  other_tap_ids: [],
};

const meter = {
  nice_name: '',
  notes: '',
  last_counted_time: '2026-05-03T17:00:00Z',
  id: 1,
  name: 'pi.flow0',
  controller_id: 1,
  port_name: 'flow0',
  tap_id: '1',
  ticks_per_ml: 2,
  calibrated: true,
  uncertainty: null,
};

const toggle = { id: 1, name: 'pi.relay0', controller_id: 1, port_name: 'relay0', tap_id: '1' };
const controller = {
  nice_name: '',
  notes: '',
  last_seen_time: '2026-05-03T17:02:00Z',
  id: 1,
  name: 'pi',
  model_name: 'Raspberry Pi',
  serial_number: null,
};
const sensor = { place: '', offset_c: 0, id: '1', name: '28-0000000000a1', nice_name: '' };
const lastReading = {
  last_temp: 6,
  last_time: '2026-05-02T17:02:00Z',
  last_seen: '2026-05-02T17:02:00Z',
  is_stale: true,
};
const corny = { id: 4, key: 'corny', name: 'Corny Keg (5 gal)', volume_ml: 18_927.1 };
const tapped = {
  id: 1,
  kind: 'keg_tapped',
  time: '2026-05-02T17:00:00Z',
  drink_id: null,
  keg_id: 1,
  session_id: null,
  user_id: null,
  volume_ml: null,
  beverage_name: 'Haus Helles',
  shout: null,
  picture: null,
};

const site = {
  server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  title: 'Tapster',
  privacy: 'public',
  volume_display_units: 'us',
  temperature_display_units: 'f',
  timezone: 'UTC',
  session_timeout_minutes: 180,
  is_setup: true,
  keg_low_percent: 15,
  locale: '',
  allergen_note: '',
  opening_hours: '',
  registration_mode: 'staff-invite-only',
  enable_sensing: true,
  enable_users: true,
  allow_claims: false,
  apply_learned_factors: false,
  require_https: 'auto',
  updates_check: false,
  updates_install: 'ask',
  updates_hour: 4,
  show_days_since_cleaning: false,
  show_first_steps: true,
  menu_code_printed: false,
  background_image_url: null,
  logo_url: null,
};

const me = {
  site,
  can_invite: false,
  sends_mail: false,
  have_sessions: true,
  tablet: null,
  sso_login_url: null,
  sso_logout_url: null,
  is_demo: false,
  features: allExtensions.all.map(({ name }) => name),
  plugins: [{ short_name: 'webhook', name: 'Webhooks' }],
};

test.each<[path: string, result: object]>([
  ['/drinks/1', { drink, keg, user: anna, session: saturday, picture: null, series: [] }],
  [
    '/drinks/4',
    {
      drink: expect.objectContaining({ user_id: null }),
      keg,
      user: null,
      session: saturday,
      picture: null,
      series: [],
    },
  ],
  ['/drinks/6', expect.objectContaining({ drink: expect.objectContaining({ keg_id: null }), keg: null })],
  ['/taps/1', { tap, state: 'serving', keg, beverage, next: null, price: null, prices: [] }],
  ['/taps/pi.flow0', { tap, state: 'serving', keg, beverage, next: null, price: null, prices: [] }],
  [
    '/taps/2',
    {
      tap: expect.objectContaining({ current_keg_id: null }),
      state: 'empty',
      keg: null,
      beverage: null,
      next: null,
      price: null,
      prices: [],
    },
  ],
  ['/beverages/1', { beverage }],
  ['/beverage-producers/1', { beverage_producer: beverage.producer }],
  ['/sessions/1', { session: saturday, uncertainty_ml: expect.closeTo(170, 1) }],
  [
    '/sessions/current',
    {
      session: expect.objectContaining({ id: '2' }),
      uncertainty_ml: expect.closeTo(Math.hypot(43.7, 183.55), 1),
    },
  ],
  ['/events/1', { event: tapped }],
  ['/users/anna', { user: anna }],
  ['/thermo-sensors/1', { sensor, ...lastReading }],
  ['/thermo-sensors/28-0000000000a1', { sensor, ...lastReading }],
  ['/users/me', { user: null, ...me }],
])('%s shows all fields and related items', async (path, result) => {
  const reply = await request(createPopulatedServer().app).get(`/api${path}`).expect(200);
  expect(reply.body).toEqual({ result });
});

test.each<[path: string, result: object]>([
  ['/auth-tokens/core.rfid.0089f2c4', { token }],
  ['/auth-tokens/core.rfid/0089f2c4', { token }],
  ['/auth-tokens/core.rfid%7C0089f2c4', { token }],
  ['/auth-tokens/core.rfid.0089F2C4/', { token }],
  ['/controllers/1', { controller }],
  ['/flow-meters/1', { flow_meter: meter }],
  ['/flow-toggles/1', { flow_toggle: toggle }],
  ['/users/me', { user: { ...anna, email: '', notification_language: null }, ...me }],
])('%s shows all fields to staff', async (path, result) => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  expect(reply.body).toEqual({ result });
});

test.each<[path: string, name: string, total: number, one: object]>([
  ['/drinks', 'drinks', 6, drinkForStaff],
  ['/kegs', 'kegs', 3, { ...keg, notes: '', beverage: expect.objectContaining({ name: 'Haus Helles' }) }],
  ['/kegs/1/drinks', 'drinks', 5, drinkForStaff],
  ['/kegs/1/sessions', 'sessions', 2, saturday],
  ['/users/anna/drinks', 'drinks', 2, drinkForStaff],
  ['/keg-sizes', 'keg_sizes', 11, corny],
  ['/beverages', 'beverages', 2, beverage],
  ['/beverage-producers', 'beverage_producers', 2, beverage.producer],
  ['/sessions', 'sessions', 2, saturday],
  ['/events', 'events', expect.any(Number) as unknown as number, tapped],
  ['/thermo-sensors', 'thermo_sensors', 2, { ...sensor, ...lastReading }],
  ['/thermo-logs', 'logs', 4, { id: 1, sensor_id: '1', temp_c: 4, time: '2026-05-02T17:00:00Z' }],
  ['/users', 'users', 2, anna],
  ['/auth-tokens', 'tokens', 2, token],
  ['/controllers', 'controllers', 1, controller],
  ['/flow-meters', 'flow_meters', 3, meter],
  ['/flow-toggles', 'flow_toggles', 1, toggle],
])('%s is a page of %s with total %i', async (path, name, total, one) => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  const { paging, ...lists } = reply.body.result;
  expect(paging).toMatchObject({ total, limit: 100, pos: 0 });
  expect(Object.keys(lists)).toEqual([name]);
  expect(lists[name]).toHaveLength(paging.total);
  expect(lists[name]).toContainEqual(one);
});

test('a keg includes its beverage, size and drinks', async () => {
  const { app } = createPopulatedServer();
  const reply = await request(app).get('/api/kegs/1').expect(200);
  const drinks = await request(app).get('/api/kegs/1/drinks').expect(200);
  expect(reply.body.result).toEqual({
    keg,
    remain_uncertainty_ml: expect.closeTo(415, 0),
    type: beverage,
    size: { id: 7, key: 'euro-30-liter', name: 'European DIN (30 L)', volume_ml: 30_000 },
    drinks: drinks.body.result.drinks,
  });
  expect(drinks.body.result.drinks.map(({ id }: { id: number }) => id)).toEqual([5, 4, 3, 2, 1]);
});

test('a finished keg is offline and has a finished_time', async () => {
  const reply = await request(createPopulatedServer().app).get('/api/kegs/3').expect(200);
  expect(reply.body.result.keg).toMatchObject({
    status: 'offline',
    state: 'finished',
    finished_time: '2026-05-03T18:00:00Z',
  });
});

test('the status shows taps, the running session and the 20 newest events', async () => {
  const server = createPopulatedServer();
  const reply = await request(server.app).get('/api/status').expect(200);
  const { taps, events, active_session } = reply.body.result;
  expect(reply.body.result.site).toEqual(site);
  expect(taps.map((one: { tap: { name: string } }) => one.tap.name)).toEqual(['Left', 'Right', 'Attic']);
  expect(taps[0]).toEqual({ tap, state: 'serving', keg, beverage, next: null, price: null, prices: [] });
  expect(active_session.id).toBe('2');
  expect(events[0].id).toBeGreaterThan(events.at(-1).id);
  expect(events).toHaveLength(Math.min(20, server.engine.lists.events({}).total));
});

test('there is no current session after its end', async () => {
  const server = createPopulatedServer();
  server.setClock({ wallMs: Date.UTC(2026, 4, 9) });
  const { body } = await request(server.app).get('/api/sessions/current').expect(404);
  expect(body.error.reason).toEqual({ name: 'no_current_session' });
  const status = await request(server.app).get('/api/status').expect(200);
  expect(status.body.result.active_session).toBeNull();
});

test.each([
  '/drinks/99',
  '/kegs/99',
  '/kegs/99/drinks',
  '/kegs/99/sessions',
  '/taps/99',
  '/taps/pi.flow9',
  '/beverages/99',
  '/beverage-producers/99',
  '/sessions/99',
  '/events/99',
  '/users/nobody',
  '/users/nobody/drinks',
  '/thermo-sensors/nobody',
  '/auth-tokens/core.rfid.99',
  '/auth-tokens/core.rfid/99',
  '/controllers/99',
  '/flow-meters/99',
  '/flow-toggles/99',
])('%s is 404', async (path) => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(404);
  expect(reply.body.error.code).toBe('NotFoundError');
});

test('a token can be looked up with POST', async () => {
  const server = createPopulatedServer();
  for (const path of ['core.rfid.0089f2c4', 'core.rfid/0089f2c4']) {
    const reply = await request(server.app)
      .post(`/api/auth-tokens/${path}`)
      .set('Authorization', `Bearer ${server.staffKey}`)
      .expect(200);
    expect(reply.body).toEqual({ result: { token } });
  }
});
