import { historyImport } from '../../../../src/extensions/import/extension.ts';
import { openBar, openEmptyBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const switchedOn = await switchOn([historyImport]);

export const importsOf = ({ engine }: Pick<ReturnType<typeof openEmptyBar>, 'engine'>) =>
  engine.serviceOf(historyImport);

/** A bar with the import switched on. */
export const openEmptyImportBar = () => openEmptyBar(':memory:', {}, switchedOn);
export const openImportBar = () => openBar(':memory:', {}, switchedOn);
