import { request } from '../../api/client.ts';
import type { Units } from '../../app/format.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { t } from '../../locales/locale.ts';
import { NewKegForm } from './new-keg-form.tsx';

/** Adds a new keg to the stock. */
export function NewKeg({ units, onDone }: { readonly units: Units; onDone(): void }) {
  const action = useAction();
  return (
    <ActionGroup action={action} class="choices">
      <NewKegForm
        units={units}
        submit={t('kegs.addToStock')}
        onSend={(send) =>
          void action.runAction(() => send((keg) => request('POST /kegs', { body: keg })), onDone)
        }
      />
    </ActionGroup>
  );
}
