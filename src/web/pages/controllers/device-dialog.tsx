import { request } from '../../api/client.ts';
import type { Controller, FlowMeter } from '../../api/generated.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';

/** The meter or controller that is edited. */
export type EditedDevice =
  | { readonly kind: 'meter'; readonly device: FlowMeter }
  | { readonly kind: 'controller'; readonly device: Controller };

interface DeviceDialogProps {
  readonly edited: EditedDevice;
  readonly taps: readonly { readonly id: string; readonly name: string }[];
  onClose(): void;
}

/** Name and notes of a meter or controller, and the tap of a meter. */
export function DeviceDialog({ edited, taps, onClose }: DeviceDialogProps) {
  const { kind, device } = edited;
  const name = device.nice_name || device.name;
  const onDone = ({ correction_id: id }: { readonly correction_id: number | null }) => {
    onClose();
    showToast(t('common.saved'), id === null ? null : () => void undoCorrection(id));
  };
  const nameField = {
    kind: 'text',
    name: 'nice_name',
    label: t('meters.name'),
    value: device.nice_name,
    maxLength: 128,
    optional: 'empty',
    hint: t('meters.nameHint', { name: device.name }),
  } as const;
  const notesField = {
    kind: 'lines',
    name: 'notes',
    label: t('meters.notes'),
    value: device.notes,
    optional: 'empty',
  } as const;
  const path = { id: device.id };
  return (
    <Dialog title={t('meters.editOf', { name })} onClose={onClose}>
      {kind === 'meter' ? (
        <Form
          fields={[
            nameField,
            {
              kind: 'choice',
              name: 'tap_id',
              label: t('common.tap'),
              value: device.tap_id ?? '',
              options: { '': t('controllers.none'), ...toOptions(taps) },
              isOptional: true,
            },
            notesField,
          ]}
          submit={t('common.save')}
          isEdit
          send={(_values, { changes: { tap_id: tapId, ...texts } }) =>
            request('PATCH /flow-meters/{id}', {
              path,
              // The form shows the tap that it has.
              body: {
                ...texts,
                ...(tapId !== undefined && { tap_id: tapId === '' ? null : tapId, move: true }),
              },
            })
          }
          onDone={onDone}
          onCancel={onClose}
        />
      ) : (
        <Form
          fields={[nameField, notesField]}
          submit={t('common.save')}
          isEdit
          send={(_values, { changes }) => request('PATCH /controllers/{id}', { path, body: changes })}
          onDone={onDone}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

const toOptions = (taps: DeviceDialogProps['taps']): Readonly<Record<string, string>> =>
  Object.fromEntries(taps.map(({ id, name }) => [id, name]));
