import type { Config } from '../../config/schema.ts';
import { readCard } from '../../core/access/card-text.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TokenReader } from '../../devices/readers/token-reader.ts';
import type { ReaderPresentment } from '../../engine/engine.ts';

type ReaderConfig = Config['readers'][number];

/** Creates the readers of this machine; they open their ports at the first heartbeat. */
export async function openReaders(config: Config): Promise<readonly TokenReader[]> {
  return Promise.all(config.readers.map((reader) => openReader(config, reader)));
}

/** The configured tap of a reader; undefined for a reader that belongs to no single tap. */
export function findReaderTap(config: Config, name: string): ReaderPresentment['tap'] {
  const tapName = config.readers.find((reader) => readerName(reader) === name)?.tap;
  if (tapName === undefined) return undefined;
  const meterPort = config.taps.find((tap) => tap.name === tapName)?.meter;
  return { name: tapName, ...omitUndefined({ meterPort }) };
}

const readerName = ({ port }: ReaderConfig): string => port ?? 'onewire';

async function openReader(config: Config, reader: ReaderConfig): Promise<TokenReader> {
  const { type, port, baud, captive } = reader;
  const path = port ?? '';
  switch (type) {
    case 'onewire': {
      const { IButtonReader } = await import('../../devices/onewire/ibutton-reader.ts');
      const { directory } = config.onewire;
      return new IButtonReader({
        directory,
        isCaptive: captive ?? true,
        ...omitUndefined({ master: port }),
      });
    }
    case 'serial': {
      const { SerialReader } = await import('../../devices/readers/serial-reader.ts');
      const { serialLinkAt } = await import('../../devices/serial/serial-link.ts');
      return new SerialReader({ path, isCaptive: captive ?? false, openLink: serialLinkAt(baud), readCard });
    }
    case 'usb-keyboard': {
      const { KeyboardReader, loadGrab } = await import('../../devices/readers/keyboard-reader.ts');
      return new KeyboardReader({ path, grab: await loadGrab(), readCard });
    }
  }
}
