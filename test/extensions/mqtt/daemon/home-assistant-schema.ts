import { Ajv2020 } from 'ajv/dist/2020.js';

// What Home Assistant 2024.11 and later accepts, from its documentation of MQTT discovery and the integrations of each platform, with
// the short keys that we write. A key that it does not know is ignored without a word, so none is allowed here.

const text = { type: 'string', minLength: 1 };
/** A topic to publish or subscribe to, without wildcards. */
const topic = { type: 'string', pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)+$' };
const template = { type: 'string', pattern: '\\{\\{.+\\}\\}' };

/** Device classes of sensors that we use: units, and state classes. */
const sensorClasses: Readonly<Record<string, { units: readonly string[]; states: readonly string[] }>> = {
  data_size: { units: ['MB', 'GB'], states: ['measurement', 'total', 'total_increasing'] },
  enum: { units: [], states: [] },
  temperature: { units: ['°C', '°F'], states: ['measurement'] },
  timestamp: { units: [], states: [] },
  volume: { units: ['L', 'mL'], states: ['total', 'total_increasing'] },
  volume_storage: { units: ['L', 'mL'], states: ['measurement'] },
};

/** Keys of every platform. */
const common = {
  unique_id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  name: text,
  ent_cat: { const: 'diagnostic' },
  enabled_by_default: { type: 'boolean' },
  json_attr_t: topic,
  json_attr_tpl: template,
  qos: { enum: [0, 1, 2] },
};
const state = { stat_t: topic, val_tpl: template };
const seconds = { type: 'integer', minimum: 1 };

/** The keys of a platform; `required` besides its name and id. */
const platforms: Readonly<Record<string, { keys: object; required?: readonly string[] }>> = {
  sensor: {
    keys: {
      ...state,
      dev_cla: { enum: Object.keys(sensorClasses) },
      stat_cla: { enum: ['measurement', 'total', 'total_increasing'] },
      unit_of_meas: text,
      ops: { type: 'array', items: text, minItems: 1, uniqueItems: true },
      expire_after: seconds,
    },
  },
  binary_sensor: { keys: { ...state, dev_cla: { enum: ['problem', 'running'] }, off_delay: seconds } },
  event: {
    keys: { ...state, evt_typ: { type: 'array', items: text, minItems: 1, uniqueItems: true } },
    required: ['stat_t', 'evt_typ'],
  },
  image: { keys: { url_t: topic, url_tpl: template }, required: ['url_t'] },
  button: { keys: { cmd_t: topic, pl_prs: text, ret: { const: false } }, required: ['cmd_t'] },
  valve: {
    keys: {
      ...state,
      cmd_t: topic,
      pl_open: text,
      pl_cls: text,
      stat_open: text,
      stat_clsd: text,
      ret: { const: false },
    },
    required: ['stat_t', 'cmd_t'],
  },
  // Without cmd_t and pl_inst: it cannot be installed there.
  update: { keys: state, required: ['val_tpl'] },
};

const componentOf = ([platform, { keys, required = [] }]: (typeof entries)[number]) => ({
  type: 'object',
  required: ['p', 'unique_id', 'name', ...required],
  additionalProperties: false,
  properties: { p: { const: platform }, ...common, ...keys },
});
const entries = Object.entries(platforms);

/** Schema of a key that takes one of these values; without any it must be absent. */
const oneOf = (values: readonly string[]) => (values.length > 0 ? { enum: values } : false);

/** Rules between class, unit and state class of a sensor. */
const classRules = Object.entries(sensorClasses).map(([name, { units, states }]) => ({
  if: { properties: { dev_cla: { const: name } }, required: ['dev_cla'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    properties: { unit_of_meas: oneOf(units), stat_cla: oneOf(states) },
    // A class with units needs one.
    required: units.length > 0 ? ['unit_of_meas'] : [],
  },
}));

const schema = {
  type: 'object',
  required: ['dev', 'o', 'cmps'],
  additionalProperties: false,
  properties: {
    dev: {
      type: 'object',
      required: ['ids', 'name'],
      additionalProperties: false,
      properties: {
        ids: { type: 'array', items: text, minItems: 1 },
        name: text,
        mf: text,
        mdl: text,
        sw: text,
        via_device: text,
      },
    },
    o: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: text, sw: text },
    },
    avty: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['t'], additionalProperties: false, properties: { t: topic } },
    },
    stat_t: topic,
    cmps: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[A-Za-z0-9_-]+$' },
      additionalProperties: {
        // One with nothing but its platform is removed.
        anyOf: [
          {
            type: 'object',
            required: ['p'],
            maxProperties: 1,
            properties: { p: { enum: Object.keys(platforms) } },
          },
          { anyOf: entries.map(componentOf), allOf: classRules },
        ],
      },
    },
  },
};

/** Whether a discovery message is one that Home Assistant takes as a whole; `errors` says what is wrong. */
export const isDiscovery = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
