import Type, { type TSchema } from 'typebox';
import { validationError } from '../../../http/routes/input-values.ts';
import { ProblemJson, problemOrNull } from '../../../http/routes/problem-json.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { requestActor } from '../../../http/routes/route-context.ts';
import { AnyObject, Closed, Maybe, Nullable, named } from '../../../http/routes/schemas.ts';
import { settingSchema, toInternalNames } from '../../../http/routes/setting-schema.ts';
import type { RouteParts } from '../../extension.ts';
import {
  type MqttSetting,
  type MqttSettings,
  maxPemLength,
  mqttSettingList,
  mqttSettings,
} from '../core/mqtt-settings.ts';
import type { Mqtt } from '../engine/mqtt.ts';
import type { MqttAdmin } from './mqtt-admin.ts';

const toSchema = (setting: MqttSetting): TSchema =>
  setting.kind === 'pem'
    ? Type.String({ maxLength: maxPemLength, description: setting.description })
    : settingSchema(setting);

const isSecret = (setting: MqttSetting): boolean => 'secret' in setting;
const shown = mqttSettingList.filter(([, setting]) => !isSecret(setting));

const MqttJson = named(
  'MqttSettings',
  Closed(
    {
      ...(Object.fromEntries(shown.map(([, setting]) => [setting.name, toSchema(setting)])) as Record<
        string,
        TSchema
      >),
      has_password: Type.Boolean({ description: 'True when a password is set; it is never shown.' }),
      has_key: Type.Boolean({ description: 'True when a private key is set; it is never shown.' }),
    },
    { description: 'The MQTT settings in use.' },
  ),
);

const MqttReply = Closed({
  mqtt: MqttJson,
  fixed: Type.Array(Type.String({ description: 'Name of a setting.' }), {
    description: 'Settings that the configuration file names: it wins, and they cannot be changed here.',
  }),
  site: Type.String({ description: 'The site’s id in topics: that of the settings, or the drawn one.' }),
  state: Type.Enum(['off', 'connecting', 'connected'], { description: 'State of the connection.' }),
  problem: Nullable(ProblemJson),
  version: Nullable(Type.String({ description: 'MQTT version in use; null while not connected.' })),
  num_waiting: Type.Integer({ minimum: 0, description: 'Events that wait for the broker.' }),
});

const MqttChange = Closed(
  Object.fromEntries(
    mqttSettingList.map(([, setting]) => [setting.name, Maybe(toSchema(setting))]),
  ) as Record<string, ReturnType<typeof Maybe<TSchema>>>,
);

/** The MQTT broker and what is published there, for staff; superusers change it. */
export const mqttRoutes = ({ servicesOf, background }: RouteParts<Mqtt, MqttAdmin>): readonly Route[] => [
  defineRoute({
    id: 'getMqttSettings',
    method: 'get',
    path: '/admin/mqtt',
    summary: 'Get the MQTT settings and the state of the connection',
    description:
      'Password and private key are never shown; `has_password` and `has_key` tell whether they are set.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: MqttReply },
    run: () => mqttReply(background()),
  }),
  defineRoute({
    id: 'changeMqttSettings',
    method: 'patch',
    path: '/admin/mqtt',
    summary: 'Change the MQTT settings',
    description:
      'Needs a login whose password was confirmed within five minutes (`POST /api/auth/confirm-password`), since ' +
      'whoever changes it decides who reads along; keys are refused with 403. Fields left out keep their values; ' +
      'another host or user clears the stored password, and removing the certificate its key. Takes effect at once. A ' +
      'setting that the configuration file names is a 400. Written to the audit log without secrets.',
    access: 'confirmed-superuser',
    accepts: { body: MqttChange },
    replies: { status: 200, body: MqttReply },
    run(context, { body }) {
      const requested = body as Readonly<Record<string, unknown>>;
      for (const name of background().settings().fixed) {
        const field = mqttSettings[name].name;
        if (requested[field] !== undefined)
          throw validationError(field, 'is set in the configuration file and cannot be changed here');
      }
      servicesOf(context.engine).change(
        toInternalNames(mqttSettingList, requested) as Partial<MqttSettings>,
        requestActor(context),
        context.now,
      );
      return mqttReply(background());
    },
  }),
  defineRoute({
    id: 'testMqtt',
    method: 'post',
    path: '/admin/mqtt-test',
    summary: 'Connect to the MQTT broker, publish a test message and wait for the result',
    description:
      'Uses the settings in use, also while MQTT is off, and a connection of its own. The message goes to the topic ' +
      '`test`. `problem` is what failed: name unknown, refused, certificate not trusted, wrong password, not permitted to publish.',
    access: 'staff',
    accepts: {},
    errors: { unavailable: [] },
    replies: { status: 200, body: Closed({ problem: Nullable(ProblemJson) }) },
    run: async () => ({ problem: problemOrNull(await background().test()) }),
  }),
  defineRoute({
    id: 'getMqttSchema',
    method: 'get',
    path: '/schema/mqtt',
    summary: 'Get the JSON Schemas of the MQTT payloads',
    description: 'By topic below `<topic_prefix>/<site>/`; `{id}` is the id of a tap. See docs/mqtt.md.',
    access: 'open',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        $schema: Type.String({ description: 'The dialect: JSON Schema 2020-12.' }),
        topics: { ...AnyObject, description: 'The schemas by topic.' },
      }),
    },
    run: async () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      topics: { ...(await background().payloadSchemas()) },
    }),
  }),
];

function mqttReply(mqtt: MqttAdmin) {
  const { values, fixed, siteId } = mqtt.settings();
  const { state, problem, version, waiting } = mqtt.state();
  return {
    mqtt: {
      ...Object.fromEntries(shown.map(([name, setting]) => [setting.name, values[name]])),
      has_password: values.password !== '',
      has_key: values.key !== '',
    },
    fixed: fixed.map((name) => mqttSettings[name].name),
    site: siteId,
    state,
    problem: problemOrNull(problem),
    version,
    num_waiting: waiting,
  };
}
