import type { LiveDrink, LiveTap, SnapshotMessage } from '../../../src/http/live/shapes.ts';

/** A working tap with a keg of Helles that is 66 % full. */
export function createTap(changes: Partial<LiveTap> = {}): LiveTap {
  return {
    id: '1',
    name: 'Window tap',
    number: 1,
    state: 'serving',
    meter_name: 'pi.flow0',
    meter_state: 'counting',
    meter_problem: null,
    meter_seen_time: null,
    keg_empty_since: null,
    cleaning: null,
    days_since_cleaning: null,
    cleaning_due: null,
    runs_out: null,
    last_drink: { id: 1, volume_ml: 412, pour_time: new Date().toISOString(), time_certain: true },
    calibrated: true,
    ticks_per_ml: 5.4,
    keg: { id: 7, percent_full: 0.66, volume_ml_remain: 19_800, full_volume_ml: 30_000 },
    beverage: {
      id: '3',
      name: 'Amsel Helles',
      producer: 'Brauerei Amsel',
      style: 'Helles',
      abv: 4.9,
      color_hex: '#e8b23a',
      picture_url: null,
    },
    price: null,
    prices: [],
    serving_size_ids: [],
    kegs_behind: [],
    other_taps: [],
    has_fob: false,
    next: null,
    temp_c: 4.3,
    temp_time: new Date().toISOString(),
    temp_stale: false,
    pouring: null,
    ...changes,
  };
}

/** A drink just poured at that tap. */
export function createDrink(changes: Partial<LiveDrink> = {}): LiveDrink {
  return {
    id: 1,
    tap_id: '1',
    tap_name: 'Window tap',
    beverage_name: 'Amsel Helles',
    user_id: 'mila',
    volume_ml: 412,
    pour_time: new Date().toISOString(),
    time_certain: true,
    recovered: false,
    flow_while_shut: false,
    ...changes,
  };
}

/** A live state without notices: one tap and one drink. */
export function createSnapshot(changes: Partial<SnapshotMessage> = {}): SnapshotMessage {
  return {
    title: 'The Bent Spile',
    address: null,
    menu_url: null,
    logo_url: null,
    background_url: null,
    allergen_note: '',
    opening_hours: '',
    volume_units: 'metric',
    temperature_units: 'c',
    region: null,
    time_zone: 'Europe/Berlin',
    keg_low_share: 0.15,
    taps: [createTap()],
    serving_sizes: [],
    drinks: [createDrink()],
    newest_drink_id: 1,
    held: 0,
    cleaning_questions: 0,
    show_days_since_cleaning: false,
    alarms: 0,
    simulated: false,
    prices_now: null,
    clock_synced: true,
    problems: [],
    ...changes,
  };
}
