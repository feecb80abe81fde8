import type { AuthPageName } from './auth-routes.ts';
import { ConfirmEmail } from './confirm-email.tsx';
import { ActivateAccount, ForgottenPassword, ResetPassword } from './passwords.tsx';
import { Register } from './register.tsx';

/** Renders one of the auth pages. */
export function AuthPage({ page, secret }: { readonly page: AuthPageName; readonly secret: string }) {
  switch (page) {
    case 'register':
      return <Register />;
    case 'forgotten':
      return <ForgottenPassword />;
    case 'reset':
      return <ResetPassword secret={secret} />;
    case 'activate':
      return <ActivateAccount secret={secret} />;
    case 'confirmEmail':
      return <ConfirmEmail secret={secret} />;
  }
}
