import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { AlarmSettings, MailSettings } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const Host = Type.String({
  maxLength: 253,
  description: 'Name or address of the mail server; empty: no mail is sent.',
});
const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP port of the mail server.' });
const Security = Type.Enum(['none', 'starttls', 'tls'], {
  description: '`tls` from the first byte (port 465), `starttls` before login (port 587), or `none`.',
});
const Username = Type.String({
  maxLength: 254,
  description: 'Name for the login at the mail server; empty: no login.',
});
const FromAddress = Type.String({ maxLength: 254, description: 'Sender address.' });
const BaseUrl = Type.String({
  maxLength: 500,
  description: 'Start of links in mails, such as `http://bar.example`; empty: mails contain no links.',
});

const MailJson = named(
  'MailSettings',
  Closed(
    {
      host: Host,
      port: Port,
      security: Security,
      username: Username,
      has_password: Type.Boolean({ description: 'True when a password is set; it is never shown.' }),
      from_address: FromAddress,
      base_url: BaseUrl,
    },
    { description: 'The mail settings.' },
  ),
);

const AlarmsJson = named(
  'AlarmSettings',
  Closed(
    {
      too_warm_c: Nullable(
        Type.Number({
          minimum: -50,
          maximum: 125,
          'x-unit': '°C',
          description: 'A tap above this temperature in degrees Celsius is too warm; null: no alarm.',
        }),
      ),
      too_warm_minutes: Type.Integer({
        minimum: 0,
        maximum: 1_440,
        'x-unit': 'min',
        description: 'Minutes above the limit before the alarm.',
      }),
      silent_minutes: Type.Integer({
        minimum: 1,
        maximum: 10_080,
        'x-unit': 'min',
        description: 'Minutes without a report before a controller counts as silent.',
      }),
      disk_endurance_tb: Nullable(
        Type.Number({
          minimum: 0.1,
          maximum: 10_000,
          'x-unit': 'TB',
          description:
            'How much may be written to the disk, as its maker states (TBW); null: 100 times its size, an assumption. ' +
            'Not used for disks that report their wear themselves.',
        }),
      ),
    },
    { description: 'The limits of alarms.' },
  ),
);

const Address = Type.String({ minLength: 3, maxLength: 254, description: 'Where the test mail goes.' });

/** Mail server, test mail and alarm limits, for staff; superusers change where mails and their links go. */
export const mailRoutes = ({ outbox }: Pick<RouteServices, 'outbox'>): readonly Route[] => [
  defineRoute({
    id: 'getMailSettings',
    method: 'get',
    path: '/admin/mail',
    summary: 'Get the mail settings',
    description:
      'The password of the mail server is never shown; `has_password` tells whether one is stored.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ mail: MailJson }) },
    run: ({ engine }) => ({ mail: mailJson(engine.notifications.mail.settings()) }),
  }),
  defineRoute({
    id: 'changeMailSettings',
    method: 'patch',
    path: '/admin/mail',
    summary: 'Change the mail settings. A new host or username clears the stored password',
    description:
      'Needs a login whose password was confirmed within five minutes (`POST /api/auth/confirm-password`), since ' +
      'whoever changes it receives the mails with reset links; keys are refused with 403. Fields left out keep ' +
      'their values. Takes effect with the next mail. Written to the audit log without the password.',
    access: 'confirmed-superuser',
    accepts: {
      body: Closed({
        host: Maybe(Host),
        port: Maybe(Port),
        security: Maybe(Security),
        username: Maybe(Username),
        password: Maybe(
          Type.String({
            maxLength: 1_024,
            description: 'Password for the login at the mail server; never shown again.',
          }),
        ),
        from_address: Maybe(FromAddress),
        base_url: Maybe(BaseUrl),
      }),
    },
    replies: { status: 200, body: Closed({ mail: MailJson }) },
    run(context, { body: { from_address: fromAddress, base_url: baseUrl, ...body } }) {
      const changes = {
        ...body,
        ...omitUndefined({ fromAddress, baseUrl }),
      };
      return {
        mail: mailJson(context.engine.notifications.mail.change(changes, requestActor(context), context.now)),
      };
    },
  }),
  defineRoute({
    id: 'sendTestMail',
    method: 'post',
    path: '/admin/email-test',
    summary: 'Send a test mail and wait until the mail server accepts it; 409 with the reason if it does not',
    description:
      'Uses the stored settings. The answer comes when the mail server has accepted the mail or after its time ' +
      'limit. Nothing is queued.',
    access: 'staff',
    accepts: { body: Closed({ address: Address }) },
    errors: { conflict: ['no_mail'], unavailable: [] },
    replies: { status: 200, body: Closed({}) },
    async run({ user }, { body: { address } }) {
      await outbox.mailTester.sendTest({ address, username: user!.username });
      return {};
    },
  }),
  defineRoute({
    id: 'getAlarmSettings',
    method: 'get',
    path: '/admin/alarms',
    summary: 'Get the limits for the alarms “tap too warm”, “controller silent” and “disk wears out”',
    description: 'Who is told of an alarm is set by each member of staff in the notification settings.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ alarms: AlarmsJson }) },
    run: ({ engine }) => ({ alarms: alarmsJson(engine.notifications.alarms.settings()) }),
  }),
  defineRoute({
    id: 'changeAlarmSettings',
    method: 'patch',
    path: '/admin/alarms',
    summary: 'Change the alarm limits',
    description:
      'Fields left out keep their values. A limit of null switches the alarm for warm taps off. Written to the ' +
      'audit log.',
    access: 'staff',
    accepts: {
      body: Closed({
        too_warm_c: Maybe(AlarmsJson.properties.too_warm_c),
        too_warm_minutes: Maybe(AlarmsJson.properties.too_warm_minutes),
        silent_minutes: Maybe(AlarmsJson.properties.silent_minutes),
        disk_endurance_tb: Maybe(AlarmsJson.properties.disk_endurance_tb),
      }),
    },
    replies: { status: 200, body: Closed({ alarms: AlarmsJson }) },
    run(context, { body }) {
      const changes = omitUndefined({
        tooWarmC: body.too_warm_c,
        tooWarmMinutes: body.too_warm_minutes,
        silentMinutes: body.silent_minutes,
        diskEnduranceTb: body.disk_endurance_tb,
      });
      const settings = context.engine.notifications.alarms.changeSettings(
        changes,
        requestActor(context),
        context.now,
      );
      return { alarms: alarmsJson(settings) };
    },
  }),
];

const mailJson = (settings: MailSettings): Static<typeof MailJson> => ({
  host: settings.host,
  port: settings.port,
  security: settings.security,
  username: settings.username,
  has_password: settings.password !== '',
  from_address: settings.fromAddress,
  base_url: settings.baseUrl,
});

const alarmsJson = (settings: AlarmSettings): Static<typeof AlarmsJson> => ({
  too_warm_c: settings.tooWarmC,
  too_warm_minutes: settings.tooWarmMinutes,
  silent_minutes: settings.silentMinutes,
  disk_endurance_tb: settings.diskEnduranceTb,
});
