import type { NewValues, ValuesOf } from '../../records/fields.ts';
import type { SettingFault } from '../../settings/setting-declarations.ts';

/** Name and caption of a catalogue picture. */
export interface CataloguePicture {
  /** See `Picture`. */
  readonly name: string;
  readonly caption: string;
}

/** Another scheme could be a script. */
const checkWebAddress = (url: string): SettingFault | null =>
  url === '' || (/^https?:\/\//i.test(url) && URL.canParse(url))
    ? null
    : { fault: 'must be an address that begins with http:// or https://', rule: { name: 'web_address' } };

export const producerFields = {
  name: { kind: 'text', min: 1, max: 255, about: 'Name of the producer' },
  country: {
    kind: 'text',
    min: 0,
    max: 3,
    pattern: '^([A-Z]{3})?$',
    allowed: { fault: 'must be three letters of ISO 3166 such as DEU', rule: { name: 'country' } },
    about: 'Country, ISO 3166, three letters',
  },
  originState: { kind: 'text', min: 0, max: 128, about: 'State or region of origin' },
  originCity: { kind: 'text', min: 0, max: 128, about: 'City of origin' },
  isHomebrew: { kind: 'flag', about: 'True for a home brewer' },
  url: { kind: 'text', min: 0, max: 200, check: checkWebAddress, about: 'Web address' },
  description: { kind: 'lines', min: 0, max: 10_000, about: 'Text for everybody' },
} as const;

export type ProducerFields = ValuesOf<typeof producerFields>;
export type NewProducer = NewValues<typeof producerFields>;

export interface Producer extends ProducerFields {
  readonly id: number;
  readonly picture: CataloguePicture | null;
}
