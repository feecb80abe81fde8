/** How texts are written in a dump, by the names of MySQL. In all of them a byte below 128 is the ASCII character. */
const charsets: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  binary: 'utf-8',
  ascii: 'utf-8',
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'windows-1254',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
};

export const isKnownCharset = (name: string): boolean => name.toLowerCase() in charsets;

/** Decodes texts whose characters are bytes; `onOther` is called for one that is not in UTF-8 as announced. */
export function createTextDecoder(onOther: () => void) {
  let decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const western = new TextDecoder('windows-1252');
  return {
    use(charset: string): void {
      const label = charsets[charset.toLowerCase()]!;
      decoder = new TextDecoder(label, { fatal: label === 'utf-8', ignoreBOM: true });
    },
    decode(text: string): string {
      if (!/[\x80-\xff]/.test(text)) return text;
      const bytes = Buffer.from(text, 'latin1');
      try {
        return decoder.decode(bytes);
      } catch {
        onOther();
        return western.decode(bytes);
      }
    },
  };
}
