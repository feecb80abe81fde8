import { useSignal } from '@preact/signals';
import type { Answer } from '../../../api/client.ts';
import { request } from '../../../api/client.ts';
import type { Hardware, PinMeter, PinRelay } from '../../../api/generated.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form/form.tsx';
import { t } from '../../../locales/locale.ts';
import { ModelFacts } from './model-facts.tsx';
import { PinHeader } from './pin-header.tsx';
import { showChange } from './show-change.ts';

/** The part that is added (null) or changed. */
export type EditedPart =
  | { readonly kind: 'meter'; readonly part: PinMeter | null }
  | { readonly kind: 'relay'; readonly part: PinRelay | null };

interface PartDialogProps {
  readonly edited: EditedPart;
  readonly hardware: Hardware;
  onClose(): void;
}

type Changed = Answer<{ readonly change_id: number | null; readonly restart_needed: boolean }>;

/** Pin and model of a meter, or pin and level of a relay. */
export function PartDialog({ edited: { kind, part }, hardware, onClose }: PartDialogProps) {
  const pin = useSignal<number | null>(part?.pin ?? null);
  const hasDetails = useSignal(false);
  const modelId = useSignal(kind === 'meter' ? (part?.model ?? '') : '');
  const title = part === null ? t(`pins.add.${kind}`) : t('pins.editOf', { name: part.name });
  const pinField = {
    kind: 'custom',
    name: 'pin',
    label: t('pins.pin'),
    optional: 'omit',
    render: (fault: DisplayText | undefined) => (
      <fieldset class="pin-choice">
        <legend>{t('pins.choosePin')}</legend>
        <PinHeader
          pins={hardware.pins}
          own={part?.pin ?? null}
          chosen={pin.value}
          onChoose={(one) => (pin.value = one)}
        />
        <p class="refusal" role="alert">
          {fault}
        </p>
      </fieldset>
    ),
  } as const;
  const detailsField = {
    kind: 'custom',
    name: 'details',
    label: t('pins.details'),
    optional: 'omit',
    render: () => (
      <button
        type="button"
        class="chip"
        aria-expanded={hasDetails.value}
        onClick={() => (hasDetails.value = !hasDetails.value)}
      >
        {t('pins.details')}
      </button>
    ),
  } as const;
  const submit = part === null ? t('pins.addIt') : t('common.save');
  const onDone = (result: { change_id: number | null; restart_needed: boolean }) => {
    onClose();
    showChange(part === null ? t('pins.added') : t('common.saved'), result);
  };
  /** Sends with the chosen pin; without one nothing is sent. */
  const sendWithPin = async (send: (chosen: number) => Promise<Changed>): Promise<Changed> =>
    pin.value === null ? noPin() : send(pin.value);
  const models = { '': t('pins.otherModel'), ...toModelNames(hardware) };
  const meter = kind === 'meter' ? part : null;
  const model = hardware.models.find(({ id }) => id === modelId.value);
  const relay = kind === 'relay' ? part : null;

  return (
    <Dialog title={title} onClose={onClose}>
      {kind === 'meter' ? (
        <>
          <p class="soft">{t('pins.meterWires')}</p>
          <Form
            fields={[
              {
                kind: 'choice',
                name: 'model',
                label: t('pins.model'),
                value: meter?.model ?? '',
                options: models,
                isOptional: true,
                onChoose: (id) => (modelId.value = id),
              },
              {
                kind: 'custom',
                name: 'facts',
                label: t('pins.model'),
                optional: 'omit',
                render: () => model !== undefined && <ModelFacts model={model} />,
              },
              pinField,
              {
                kind: 'number',
                name: 'ticks_per_ml',
                label: t('pins.ticksPerMl'),
                value: meter?.ticks_per_ml ?? null,
                min: 0.001,
                max: 1000,
                optional: 'null',
                hint: t('pins.ticksHint'),
              },
              detailsField,
              ...(hasDetails.value ? toDetailFields(meter) : []),
            ]}
            submit={submit}
            send={(values) =>
              sendWithPin((chosen) => {
                const { model, ...others } = values;
                const body = { ...others, model: model === '' ? null : model, pin: chosen };
                return part === null
                  ? request('POST /hardware/meters', { body })
                  : request('PATCH /hardware/meters/{port}', { path: { port: part.port }, body });
              })
            }
            onDone={onDone}
            onCancel={onClose}
          />
        </>
      ) : (
        <>
          <p class="soft">{t('pins.relayWires')}</p>
          <Form
            fields={[
              pinField,
              {
                kind: 'flag',
                name: 'active_low',
                label: t('pins.activeLow'),
                value: relay?.active_low ?? false,
              },
            ]}
            submit={submit}
            send={({ active_low }) =>
              sendWithPin((chosen) => {
                const body = { active_low, pin: chosen };
                return part === null
                  ? request('POST /hardware/relays', { body })
                  : request('PATCH /hardware/relays/{port}', { path: { port: part.port }, body });
              })
            }
            onDone={onDone}
            onCancel={onClose}
          />
        </>
      )}
    </Dialog>
  );
}

const toModelNames = ({ models }: Hardware): Readonly<Record<string, string>> =>
  Object.fromEntries(models.map(({ id, name, maker }) => [id, maker === null ? name : `${maker} ${name}`]));

/** Settings that only unusual meters need. */
const toDetailFields = (meter: PinMeter | null) =>
  [
    {
      kind: 'number',
      name: 'min_gap_ms',
      label: t('pins.minGap'),
      unit: 'ms',
      value: meter?.min_gap_ms ?? null,
      min: 0,
      max: 100,
      optional: 'null',
      hint: t('pins.minGapHint'),
    },
    {
      kind: 'choice',
      name: 'bias',
      label: t('pins.bias'),
      value: meter?.bias ?? 'pull-up',
      options: {
        'pull-up': t('pins.biases.up'),
        'pull-down': t('pins.biases.down'),
        none: t('pins.biases.none'),
      },
    },
    {
      kind: 'choice',
      name: 'edge',
      label: t('pins.edge'),
      value: meter?.edge ?? 'falling',
      options: { falling: t('pins.edges.falling'), rising: t('pins.edges.rising') },
    },
  ] as const;

/** The answer to a form without a pin, which is not sent. */
const noPin = (): Changed => ({
  ok: false,
  status: 0,
  sentence: t('pins.pinMissing'),
  fields: { pin: t('pins.pinMissing') },
});
