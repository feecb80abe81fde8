import { type ChannelField, channelFields, maxFieldLength } from '../../../../core/alarms/alarm-channels.ts';
import { chooseAlarmKinds } from '../../../../core/alarms/chosen-kinds.ts';
import { request } from '../../../api/client.ts';
import type { AlarmChannel } from '../../../api/generated.ts';
import { allAlarmKinds, shownAlarmKinds } from '../../../app/alarm-kinds.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import type { FieldSpec } from '../../../components/form/field-spec.ts';
import { Form } from '../../../components/form/form.tsx';
import { showToast } from '../../../components/toast.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { findText, languages, nameLanguage, t } from '../../../locales/locale.ts';

interface ChannelDialogProps {
  readonly kind: AlarmChannel['kind'];
  /** Null for a new one. */
  readonly channel: AlarmChannel | null;
  onClose(): void;
}

/** Adds or changes a channel; its secrets can be set and are never shown. */
export function ChannelDialog({ kind, channel, onClose }: ChannelDialogProps) {
  const { result, error } = useResource('GET /users', { query: { limit: 1000 } });
  const title = channel === null ? t('alarms.addChannel') : t('alarms.editChannel');
  return (
    <Dialog title={`${title}: ${t(`alarms.channelKinds.${kind}`)}`} onClose={onClose}>
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && (
        <Form
          fields={[
            {
              kind: 'text',
              name: 'name',
              label: t('alarms.fields.name'),
              value: channel?.name ?? '',
              minLength: 1,
              maxLength: 64,
            },
            ...channelFields[kind].map((field) => toFormField(field, channel)),
            ...commonFields(
              channel,
              result.users.flatMap((user) => ('is_staff' in user && user.is_staff ? [user.username] : [])),
            ),
          ]}
          submit={channel === null ? t('webhooks.add') : t('common.save')}
          send={(values) => {
            const body = toBody(channel?.alarm_kinds ?? null, values);
            return channel === null
              ? request('POST /admin/alarm-channels', { body: { ...body, kind } as never })
              : request('PATCH /admin/alarm-channels/{id}', {
                  path: { id: channel.id },
                  body: body as never,
                });
          }}
          onDone={() => {
            onClose();
            showToast(channel === null ? t('alarms.channelAdded') : t('common.saved'));
          }}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

function toFormField(field: ChannelField, channel: AlarmChannel | null): FieldSpec {
  const { name } = field;
  const maxLength = maxFieldLength[name];
  if (name === 'token' || name === 'secret') {
    const isSet = channel?.[`has_${name}`] === true;
    return {
      kind: 'password',
      name,
      label: isSet
        ? t(name === 'token' ? 'alarms.newToken' : 'alarms.newSecret')
        : t(`alarms.fields.${name}`),
      maxLength,
      autocomplete: 'new-password',
      ...(isSet || !field.isRequired ? { optional: 'omit' } : {}),
    };
  }
  const label = t(`alarms.fields.${name}`);
  const value = channel?.[name] ?? field.default ?? '';
  if (name === 'method') return { kind: 'choice', name, label, value, options: { POST: 'POST', PUT: 'PUT' } };
  if (name === 'priority') {
    const options = { high: t('alarms.priorities.high'), emergency: t('alarms.priorities.emergency') };
    return { kind: 'choice', name, label, value, options };
  }
  if (field.kind === 'lines') return { kind: 'lines', name, label, value, maxLength, optional: 'empty' };
  return { kind: 'text', name, label, value, maxLength, ...(field.isRequired ? {} : { optional: 'empty' }) };
}

const commonFields = (channel: AlarmChannel | null, staff: readonly string[]): readonly FieldSpec[] => [
  {
    kind: 'choice',
    name: 'step',
    label: t('alarms.fields.step'),
    value: String(channel?.step ?? 1),
    options: { 1: t('alarms.choices.1'), 2: t('alarms.choices.2'), 3: t('alarms.choices.3') },
  },
  {
    kind: 'flag',
    name: 'only_urgent',
    label: t('alarms.fields.only_urgent'),
    value: channel?.only_urgent ?? false,
  },
  {
    kind: 'choice',
    name: 'user_id',
    label: t('alarms.fields.user_id'),
    value: channel?.user_id ?? '',
    options: { '': t('alarms.nobody'), ...Object.fromEntries(staff.map((name) => [name, name])) },
    isOptional: true,
  },
  {
    kind: 'choice',
    name: 'language',
    label: t('alarms.fields.language'),
    value: channel?.language ?? '',
    options: {
      '': t('alarms.sitesLanguage'),
      ...Object.fromEntries(languages.map((tag) => [tag, nameLanguage(tag)])),
    },
    isOptional: true,
  },
  ...shownAlarmKinds().map(
    (kind): FieldSpec => ({
      kind: 'flag',
      name: `${kindPrefix}${kind}`,
      label: findText('alarms.kinds', kind) ?? kind,
      value: (channel?.alarm_kinds as readonly string[] | null | undefined)?.includes(kind) ?? true,
      isMore: true,
    }),
  ),
];

/** Before the name of a kind in the name of its flag. */
const kindPrefix = 'kind:';

/** The request body: an empty choice is null, the step a number. */
const toBody = (kinds: readonly string[] | null, values: Readonly<Record<string, unknown>>) => ({
  ...Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(kindPrefix))),
  alarm_kinds: chooseAlarmKinds({
    before: kinds,
    wanted: shownAlarmKinds().filter((kind) => values[`${kindPrefix}${kind}`] === true),
    shown: shownAlarmKinds(),
    all: allAlarmKinds(),
  }),
  step: Number(values.step),
  user_id: values.user_id || null,
  language: values.language || null,
});
