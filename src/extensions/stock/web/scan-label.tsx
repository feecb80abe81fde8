import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { FileButton } from '../../../web/components/picture/file-button.tsx';
import { t } from '../../../web/locales/locale.ts';
import { parseGs1 } from '../core/gs1.ts';

/** Fields of the form that a code fills. */
type FilledFields = Readonly<Partial<Record<'code' | 'batch' | 'born_on' | 'best_before', string>>>;

/** What is filled in from the text of a code. */
export function toFilledFields(text: string): FilledFields {
  const facts = parseGs1(text);
  return {
    // Readers give the separators of GS1 codes as a control character, and their kind in front.
    code: text
      .replace(/^\][A-Za-z]\d/, '')
      .replaceAll('\u001d', ' ')
      .trim(),
    ...(facts?.batch && { batch: facts.batch }),
    ...(facts?.bornOn && { born_on: facts.bornOn }),
    ...(facts?.bestBefore && { best_before: facts.bestBefore }),
  };
}

/** Reads the code of a label from a photo and fills in the fields of the form around it. */
function ScanLabel() {
  const result = useSignal<string | null>(null);
  const root = useRef<HTMLDivElement>(null);

  async function scan(file: File | undefined) {
    if (!file) return;
    result.value = t('scan.reading');
    try {
      const { readBarcode } = await import('./read-barcode.ts');
      const text = await readBarcode(file);
      if (text === null) {
        result.value = t('scan.nothingFound');
        return;
      }
      const fields = toFilledFields(text);
      const { elements } = root.current!.closest('form')!;
      for (const [name, value] of Object.entries(fields)) {
        const input = elements.namedItem(name);
        if (input instanceof HTMLInputElement) input.value = value;
      }
      result.value =
        Object.keys(fields).length > 1 ? t('scan.filled') : t('scan.codeRead', { code: fields.code ?? '' });
    } catch {
      result.value = t('pictures.unreadable');
    }
  }

  return (
    <div class="field" ref={root}>
      <div class="row-actions">
        <FileButton label={t('scan.fromPhoto')} onChoose={scan} />
        <FileButton label={t('scan.takePhoto')} isCamera onChoose={scan} />
      </div>
      <p class="soft" role="status">
        {result.value ?? t('scan.hint')}
      </p>
    </div>
  );
}

/** The reading of a code as a field of a form. */
export const scanField = {
  kind: 'custom',
  name: 'scan',
  label: '',
  optional: 'omit',
  render: () => <ScanLabel />,
} as const;
