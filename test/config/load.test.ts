import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigFault, createConfigLoader, type LoadedConfig } from '../../src/config/load.ts';
import { createRandom } from '../http/fuzz/random.ts';

const model = {
  minLPerMin: null,
  maxLPerMin: null,
  accuracyPercent: null,
  repeatabilityPercent: null,
  points: [],
};
const catalogue = new Map([
  ['sf800', { ...model, ticksPerMl: 5.4, maxHz: 2_030 }],
  ['ft330-rj', { ...model, ticksPerMl: 2.724, maxHz: 343 }],
]);

const { loadConfig, parseConfig } = createConfigLoader([]);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a configuration file and loads it. */
function load(content: unknown, env: Record<string, string> = {}): LoadedConfig {
  const path = join(folder, 'tapster.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadConfig({ path, env, cwd: folder, catalogue });
}

function findFaults(content: unknown, env: Record<string, string> = {}): readonly string[] {
  try {
    load(content, env);
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.faults;
    throw fault;
  }
  return [];
}

const twoTaps = {
  gpio: { driver: 'simulated' },
  meters: [
    { port: 'flow0', pin: 17, model: 'sf800' },
    { port: 'flow1', pin: 27, ticks_per_ml: 2.2 },
  ],
  toggles: [{ port: 'relay0', pin: 22 }],
  taps: [
    { name: 'Left', meter: 'flow0', toggle: 'relay0' },
    { name: 'Right', meter: 'flow1' },
  ],
};

test('an empty configuration is completed with defaults', () => {
  const { config } = load({});
  expect(config.http).toEqual({
    host: '0.0.0.0',
    port: 8080,
    trust_proxy: false,
    cors_origins: [],
    rate_limits: true,
  });
  expect(config.pour).toEqual({ idle_ms: 5_000, min_ticks: 3, min_ml: 10, min_ml_per_s: 2, max_ms: 300_000 });
  expect(config.meters).toEqual([]);
  expect(config.database).toBe('/var/lib/tapster/tapster.db');
});

test('a meter takes its calibration from its model unless it is configured', () => {
  const { config } = load(twoTaps);
  expect(config.meters.map((meter) => meter.ticks_per_ml)).toEqual([5.4, 2.2]);
  expect(config.meters[0]).toMatchObject({ bias: 'pull-up', edge: 'falling' });
});

test('the bounce limit follows from the model unless it is configured', () => {
  const own = { port: 'flow2', pin: 22, model: 'sf800', min_gap_ms: 1.5 };
  const { config } = load({ ...twoTaps, toggles: [], taps: [], meters: [...twoTaps.meters, own] });
  expect(config.meters.map(({ min_gap_ms }) => min_gap_ms)).toEqual([0.2, 1.2, 1.5]);
});

test('relative paths are resolved from the working directory', () => {
  const { config } = load({ database: './var/tapster.db', onewire: { directory: 'w1' } });
  expect(config.database).toBe(join(folder, 'var', 'tapster.db'));
  expect(config.onewire.directory).toBe(join(folder, 'w1'));
});

test('a byte order mark is accepted', () => {
  expect(load('\uFEFF{"http": {"port": 81}}').config.http.port).toBe(81);
});

test('all faults are reported at once, each with its path', () => {
  expect(
    findFaults({
      databse: 'x',
      http: { port: 70_000, idle_ms: 5 },
      gpio: { driver: 'magic' },
      meters: [{ port: 'flow0', pin: 17 }, { port: 'flow0', pin: 'seventeen', model: 'sf900' }, 'flow2'],
      taps: [{ name: 'Left', meter: 'flow7' }, { name: '' }],
      pour: { idleMs: 3000 },
      colour: 'amber',
    }),
  ).toEqual([
    'databse is not a setting; did you mean database?',
    expect.stringMatching(/^colour is not a setting; known are database, controller, http, /),
    'http.idle_ms is not a setting; did you mean pour.idle_ms?',
    'http.port must be an integer from 0 to 65535, not 70000.',
    'gpio.driver must be one of auto, cdev, onoff, pigpio, simulated, not "magic".',
    'meters[1].pin must be an integer from 0 to 63, not "seventeen".',
    'meters[2] must be a group of settings in { }, not "flow2".',
    'taps[1].name must be a text of 1 to 128 characters, not "".',
    'pour.idleMs is not a setting; did you mean pour.idle_ms?',
    'meters[1].port repeats "flow0" of meters[0].port; a name is used once.',
    'meters[1].model names the model "sf900", which is not in hardware/meters; known are sf800, ft330-rj.',
    'taps[0].meter names "flow7", which no meter has as its port; did you mean "flow0"?',
  ]);
});

test.each<[string, unknown, string]>([
  ['a missing pin', { meters: [{ port: 'flow0' }] }, 'meters[0].pin is missing.'],
  [
    'a pin outside the range',
    { meters: [{ port: 'flow0', pin: 64 }] },
    'meters[0].pin must be an integer from 0 to 63, not 64.',
  ],
  [
    'a meter and a relay on one pin',
    { ...twoTaps, toggles: [{ port: 'relay0', pin: 27 }] },
    'toggles[0].pin repeats 27 of meters[1].pin; a pin has one function.',
  ],
  [
    'one meter on two taps',
    {
      ...twoTaps,
      toggles: [],
      taps: [
        { name: 'A', meter: 'flow0' },
        { name: 'B', meter: 'flow0' },
      ],
    },
    'taps[1].meter repeats "flow0" of taps[0].meter; a meter counts for one tap.',
  ],
  [
    'two taps of one name',
    { taps: [{ name: 'Left' }, { name: 'Left' }] },
    'taps[1].name repeats "Left" of taps[0].name; tap names must be unique.',
  ],
  [
    'an undeclared relay',
    { taps: [{ name: 'Left', toggle: 'valve' }] },
    'taps[0].toggle names "valve", which no toggle has as its port; declare it under toggles.',
  ],
  [
    'the full name instead of the port',
    { ...twoTaps, taps: [{ name: 'Left', meter: 'pi.flow0' }] },
    'taps[0].meter must be a text of 1 to 128 characters (letters, digits, _ and -), not "pi.flow0".',
  ],
  [
    'an idle time above the longest pour',
    { pour: { idle_ms: 60_000, max_ms: 60_000 } },
    'pour.idle_ms must be shorter than pour.max_ms (60000 ms), or no pour ends by itself.',
  ],
  [
    'simulated guests on real pins',
    { gpio: { driver: 'cdev' }, demo: { traffic: true } },
    'demo.traffic needs gpio.driver "simulated": simulated guests must not pour beside real ones.',
  ],
  [
    'an origin that is none',
    { http: { cors_origins: ['https://ok.example', '*'] } },
    'http.cors_origins[1] must be one origin such as https://dashboard.example',
  ],
  [
    'the origin null',
    { http: { cors_origins: ['null'] } },
    'http.cors_origins[0] must be one origin such as',
  ],
  [
    'an origin with a path',
    { http: { cors_origins: ['https://Dashboard.example/'] } },
    'http.cors_origins[0] must be "https://dashboard.example", as browsers send it',
  ],
  [
    'a list instead of settings',
    [],
    'The configuration must be a group of settings in { }, not an empty list.',
  ],
  [
    'a calibration of zero',
    { meters: [{ port: 'f', pin: 1, ticks_per_ml: 0 }] },
    'meters[0].ticks_per_ml must be a number above 0 and at most 1000 (ticks/mL), not 0.',
  ],
  ['a __proto__ key', '{"__proto__": {"x": 1}}', '__proto__ is not a setting; known are'],
])('%s is reported', (_, content, fault) => {
  expect(findFaults(content)).toContainEqual(expect.stringContaining(fault));
});

test.each<[string, string, string]>([
  ['a trailing comma', '{\n  "http": {},\n}', 'Line 3, column 1: remove the comma before this }.'],
  [
    'a missing comma',
    '{\n  "http": {}\n  "taps": []\n}',
    'Line 3, column 3: expected a comma or }, not `"`.',
  ],
  ['a comment', '{\n  // the left tap\n}', 'Line 2, column 3: JSON has no comments; remove this one.'],
  ['single quotes', "{'http': {}}", "Line 1, column 2: expected a key in double quotes, not `'`."],
  [
    'a bare word',
    '{"database": tapster}',
    'Line 1, column 14: `tapster` is not a value; text needs double quotes.',
  ],
  ['a truncated file', '{"taps": [', 'Line 1, column 11: a value is missing at the end of the text.'],
  ['an open list', '[', 'Line 1, column 2: a value is missing at the end of the text.'],
  ['an open group', '{"a": 1', 'Line 1, column 8: expected a comma or }, not the end of the text.'],
  ['a missing colon', '{"a" 1}', 'Line 1, column 6: expected a colon after the key "a".'],
  ['an open text', '{"a": "x}', 'Line 1, column 7: this quoted text is not closed.'],
  [
    'an invalid escape',
    '{"a": "\\q"}',
    'Line 1, column 7: this quoted text contains an invalid \\ or a control character.',
  ],
  ['an empty file', '', 'Line 1, column 1: a value is missing at the end of the text.'],
  ['a repeated key', '{"http": {}, "http": {}}', 'Line 1, column 14: the key "http" is repeated.'],
  [
    'a second configuration',
    '{} {}',
    'Line 1, column 4: unexpected text after the end of the configuration.',
  ],
  ['an invalid number', '{"a": 012}', 'Line 1, column 7: `012` is not a value; text needs double quotes.'],
  ['endless nesting', '['.repeat(100_000), 'Line 1, column 34: nested deeper than 32 levels.'],
])('%s is reported with line and column', (_, text, fault) => {
  expect(findFaults(text)).toEqual([fault]);
});

test('a hidden character in a text is a fault that names it, also in an unknown key', () => {
  const faults = findFaults('{ "http": { "host": "0.0.0.0\u202e" }, "dat\u200babase": "x" }');
  expect(faults).toEqual([
    '"dat\\u200babase" is not a setting; did you mean database?',
    'http.host contains the hidden character U+202E: delete it or type the text again.',
  ]);
});

test('a file far larger than a configuration is refused without being read completely', () => {
  expect(findFaults(' '.repeat(256 * 1024 + 1))).toEqual([
    'It is larger than 256 KiB; this is not a Tapster configuration.',
  ]);
});

test('the environment overrides the file, and an empty variable is ignored', () => {
  const { config } = load(
    { database: '/a.db', http: { port: 81, host: '10.0.0.1' } },
    { TAPSTER_DATABASE: 'b.db', TAPSTER_PORT: '0', TAPSTER_HOST: '', TAPSTER_RATE_LIMITS: 'off' },
  );
  expect(config.database).toBe(join(folder, 'b.db'));
  expect(config.http).toMatchObject({ port: 0, host: '10.0.0.1', rate_limits: false });
});

test('the environment decides on HTTPS', () => {
  const config = parseConfig('{}', 'test', { env: { TAPSTER_HTTPS: 'off', TAPSTER_HTTPS_PORT: '9443' } });
  expect(config.https).toMatchObject({ enabled: false, port: 9443 });
  expect(parseConfig('{}', 'test', { env: {} }).https).toEqual({
    enabled: true,
    port: 8443,
    alias: false,
    certificate_file: '',
    key_file: '',
  });
  expect(findFaults({}, { TAPSTER_HTTPS: 'perhaps', TAPSTER_HTTPS_PORT: '-1' })).toEqual([
    '$TAPSTER_HTTPS_PORT must be an integer from 0 to 65535, not "-1".',
    '$TAPSTER_HTTPS must be on or off, not "perhaps".',
  ]);
});

test('a certificate needs its key, and both servers a port each', () => {
  expect(findFaults({ https: { key_file: 'k.pem' } })).toEqual([
    'https.certificate_file and https.key_file belong together: set both or none.',
  ]);
  expect(findFaults({ http: { port: 8443 } })).toEqual(['https.port must differ from http.port.']);
  expect(findFaults({ http: { port: 8443 }, https: { enabled: false } })).toEqual([]);
});

test('an invalid environment is reported with the other faults', () => {
  expect(
    findFaults({ log: { level: 'loud' } }, { TAPSTER_PORT: '80a', TAPSTER_RATE_LIMITS: 'maybe' }),
  ).toEqual([
    'log.level must be one of trace, debug, info, warn, error, fatal, not "loud".',
    '$TAPSTER_PORT must be an integer from 0 to 65535, not "80a".',
    '$TAPSTER_RATE_LIMITS must be on or off, not "maybe".',
  ]);
});

test('the order is --config, $TAPSTER_CONFIG, the installed file, the demo', () => {
  const file = (name: string, port: number) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ http: { port } }));
    return path;
  };
  const path = file('a.json', 1);
  const env = { TAPSTER_CONFIG: file('b.json', 2) };
  const installed = file('c.json', 3);
  const common = { cwd: folder, installed };
  expect(loadConfig({ ...common, path, env }).config.http.port).toBe(1);
  expect(loadConfig({ ...common, env }).config.http.port).toBe(2);
  expect(loadConfig({ ...common, env: { TAPSTER_CONFIG: '' } })).toMatchObject({
    source: installed,
    isDemo: false,
  });
  expect(loadConfig({ cwd: folder, env: {}, installed: join(folder, 'none.json') }).isDemo).toBe(true);
});

test('a named file that is missing does not lead to the demo', () => {
  const named = { cwd: folder, env: {}, path: 'gone.json' };
  expect(() => loadConfig(named)).toThrow(ConfigFault);
  mkdirSync(join(folder, 'tapster.json'));
  expect(() => loadConfig({ cwd: folder, env: {}, installed: join(folder, 'tapster.json') })).toThrow(
    /folder/,
  );
});

test('the demo has four simulated taps, a relay and a database in ./var', () => {
  const { config, isDemo } = loadConfig({ cwd: folder, env: {}, installed: join(folder, 'none.json') });
  expect(isDemo).toBe(true);
  expect(config.gpio.driver).toBe('simulated');
  expect(config.meters.map((meter) => meter.port)).toEqual(['flow0', 'flow1', 'flow2', 'flow3']);
  expect(config.meters.every((meter) => meter.ticks_per_ml !== undefined)).toBe(true);
  expect(config.taps).toHaveLength(4);
  expect(config.toggles).toHaveLength(1);
  expect(config.demo).toEqual({ kegs: true, traffic: false });
  expect(config.database).toBe(join(folder, 'var', 'tapster.db'));
});

test('any corrupted or hostile file gives a configuration or a list of faults within bounded time', () => {
  const chance = createRandom(20_261_121);
  const original = JSON.stringify(twoTaps, null, 2);
  const fragments = [
    '[',
    ']',
    '{',
    '}',
    '"',
    ',',
    ':',
    '\\u',
    '\0',
    '\u2028',
    '1e999',
    '-',
    'null',
    '"__proto__":{"x":1},',
  ];
  const outcomes = { loaded: 0, refused: 0 };
  const checkText = (text: string) => {
    const before = performance.now();
    const faults = findFaults(text);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(faults.join().length).toBeLessThan(100_000);
    outcomes[faults.length === 0 ? 'loaded' : 'refused']++;
  };
  for (let round = 0; round < 300; round++) {
    let text = original;
    for (let changes = chance.below(4) + 1; changes > 0; changes--) {
      const at = chance.below(text.length + 1);
      const length = chance.below(3) * chance.below(20);
      text =
        text.slice(0, at) +
        chance.arrayOf(3, () => chance.pick(fragments)).join('') +
        text.slice(at + length);
    }
    checkText(text);
  }
  for (let round = 0; round < 50; round++) checkText(chance.bytes(chance.below(4_000)).toString('latin1'));
  checkText('['.repeat(60_000));
  checkText(`{"a":`.repeat(10_000));
  checkText(`"${'x'.repeat(60_000)}`);
  checkText(`{"meters":[${'{},'.repeat(20_000)}{}]}`);
  checkText(`${'9'.repeat(60_000)}`);
  expect(outcomes.refused).toBeGreaterThan(200);
  expect(({} as { x?: number }).x).toBeUndefined();
});
