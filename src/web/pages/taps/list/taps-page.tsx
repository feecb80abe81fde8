import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { EmptyContent } from '../../../components/empty-state.tsx';
import { Form } from '../../../components/form/form.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { TapList } from './tap-list.tsx';
import '../../../styles/taps/tap-list.css';

/** All taps for staff: add, edit, number and order them. */
export function TapsPage({ snapshot }: PageProps) {
  const { taps } = snapshot;
  const isAdding = useSignal(false);
  const { runAction, error } = useAction();
  const addFirst = () =>
    runAction(
      () => request('POST /taps', { body: { name: t('taps.newName', { number: '1' }) } }),
      ({ tap, correction_id: id }) => showAdded(tap.name, id),
    );
  return (
    <Page title={t('nav.editTaps')} requiredRole="staff">
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        {taps.length === 0 ? (
          <EmptyContent text={t('taps.none')} picture="glass" action={t('taps.add')} onAct={addFirst} />
        ) : (
          <TapList snapshot={snapshot} />
        )}
      </div>
      {taps.length > 0 && !isAdding.value && (
        <p>
          <button type="button" class="button" onClick={() => (isAdding.value = true)}>
            {t('taps.add')}
          </button>
        </p>
      )}
      {isAdding.value && <NewTap taps={taps} onClose={() => (isAdding.value = false)} />}
    </Page>
  );
}

interface NewTapProps {
  readonly taps: SnapshotMessage['taps'];
  onClose(): void;
}

/** The form for a new tap; its name is suggested. */
function NewTap({ taps, onClose }: NewTapProps) {
  const number = Math.max(0, ...taps.map((tap) => tap.number)) + 1;
  return (
    <section class="card narrow" aria-labelledby="new-tap">
      <h3 id="new-tap">{t('taps.newTap')}</h3>
      <Form
        fields={[
          {
            kind: 'text',
            name: 'name',
            label: t('taps.fields.name'),
            value: t('taps.newName', { number: String(number) }),
            minLength: 1,
            maxLength: 128,
          },
        ]}
        submit={t('taps.addNow')}
        send={(body) => request('POST /taps', { body })}
        onDone={({ tap, correction_id: id }) => {
          showAdded(tap.name, id);
          onClose();
        }}
        onCancel={onClose}
      />
    </section>
  );
}

const showAdded = (tap: string, id: number | null) =>
  showToast(t('taps.added', { tap }), id === null ? null : () => void undoCorrection(id));
