import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../ask.ts';
import { meet } from '../me.ts';
import { tell } from '../toast.tsx';
import { words } from '../words/house.ts';
import { Refusal } from './act.tsx';
import { Form } from './form.tsx';
import { Page } from './page.tsx';
import { declaredSettings, fieldOf, type Setting } from './site-settings.ts';
import { useAsked } from './use-asked.ts';

type Site = Readonly<Record<string, unknown>>;

/** The settings of the house, in the order and within the bounds in which the daemon declares them. */
export function SitePage() {
  return (
    <Page title={words.site} only="staff">
      <SiteForm />
    </Page>
  );
}

function SiteForm() {
  const declared = useSignal<readonly Setting[]>([]);
  const { result, refusal } = useAsked<{ readonly site: Site }>('/site');
  useEffect(() => {
    void declaredSettings().then((settings) => {
      declared.value = settings;
    });
  }, []);
  return (
    <div class="card narrow">
      <Refusal>{refusal}</Refusal>
      {result && declared.value.length > 0 && (
        <Form
          key={JSON.stringify(result.site)}
          fields={declared.value.map((setting) => fieldOf(setting, result.site[setting.name]))}
          submit={words.save}
          send={(values) => ask('PATCH', '/site', values)}
          onDone={() => {
            tell(words.saved);
            void meet();
          }}
        />
      )}
    </div>
  );
}
