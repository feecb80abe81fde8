import { ConfirmEmail } from './confirm-email.tsx';
import { Activate, Forgotten, Reset } from './passwords.tsx';
import { Register } from './register.tsx';
import type { WayIn } from './ways-in.ts';

/** The page of a way in. */
export function Ways({ way, secret }: { readonly way: WayIn; readonly secret: string }) {
  switch (way) {
    case 'register':
      return <Register />;
    case 'forgotten':
      return <Forgotten />;
    case 'reset':
      return <Reset secret={secret} />;
    case 'activate':
      return <Activate secret={secret} />;
    case 'confirmEmail':
      return <ConfirmEmail secret={secret} />;
  }
}
