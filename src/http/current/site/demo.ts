import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { LoginReply, logIn } from '../users/login.ts';
import { currentUserJson } from '../users/user-views.ts';

/** The log-in that a demo offers to everybody, and its reset. A real bar does not have these routes. */
export const demoRoutes = ({ demo }: Pick<RouteServices, 'demo'>): readonly Route[] =>
  // Documents and tests of the routes are made without services, as for a real bar.
  !demo
    ? []
    : [
        defineRoute({
          id: 'logInToDemo',
          method: 'post',
          path: '/demo/login',
          summary: 'Log in to the demo as staff, without a password. Sets the cookie `sessionid`',
          description:
            'Only a demo has it. The login may do the daily work at the bar; it may not create accounts, keys or tablets, ' +
            'send mails or webhooks, or read the log, backups and changes.',
          access: 'open',
          attempt: 'login',
          writesCredential: { proof: 'demo' },
          accepts: {},
          errors: { unavailable: ['too_many_logins'] },
          replies: { status: 200, body: LoginReply },
          run(context) {
            const user = context.engine.site.demoAccount.open(context.now);
            logIn(context, user.username, 'demo');
            return { user: currentUserJson(user) };
          },
        }),
        defineRoute({
          id: 'resetDemo',
          method: 'post',
          path: '/demo/reset',
          summary: 'Make the demo as it was at its first start',
          description:
            'Only a demo has it. Deletes all drinks, kegs, accounts and settings. All logins end, that of the caller, too. ' +
            'At most once a minute.',
          access: 'staff',
          writesCredential: { proof: 'demo' },
          accepts: {},
          errors: { conflict: [], too_many: ['demo_reset_recently'] },
          replies: { status: 200, body: Closed({}) },
          async run(context) {
            await demo.reset(context.now);
            context.setLogin(null);
            return {};
          },
        }),
      ];
