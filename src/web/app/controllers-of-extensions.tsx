import type { ComponentChildren } from 'preact';
import { webExtensions } from '../../extensions/pages.ts';
import type { ControllersOfExtension, ControllersProps } from './extension.ts';
import { isFeatureOn } from './me.ts';
import { lazyComponent } from './routing.ts';

const parts = webExtensions.flatMap(({ name, controllers }) =>
  controllers === undefined ? [] : [{ name, Part: lazyComponent<ControllersProps>(controllers) }],
);

/** The list of controllers, with what the extensions that are on show of each of them and below the list. */
export function ControllersOfExtensions({ children, ...shown }: ControllersProps) {
  return inside(
    parts.filter(({ name }) => isFeatureOn(name)),
    () => null,
  );

  function inside([first, ...others]: typeof parts, partsOf: ControllersOfExtension): ComponentChildren {
    if (first === undefined) return children(partsOf);
    const { name, Part } = first;
    return (
      <Part key={name} {...shown}>
        {(own) => inside(others, (controller) => partsOf(controller) ?? own(controller))}
      </Part>
    );
  }
}
