import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** Classes of a server's requests and answers, created with the prototypes that Express gives them. */
export type MessageClasses = ReturnType<typeof createMessageClasses>;

/**
 * Creates the classes, to be passed to Node's server. Express sets the prototype of each request and answer, after which V8
 * has hidden classes of their own for every one: half of the CPU time of a short answer. A prototype that they already have
 * is left as it is.
 */
export function createMessageClasses() {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse<IncomingMessage> {}
  Object.setPrototypeOf(AppRequest.prototype, express.request);
  Object.setPrototypeOf(AppResponse.prototype, express.response);
  return {
    /** The options of Node's server. */
    options: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    /** Gives these prototypes to an app, instead of one that was replaced. Other apps set their own. */
    use(app: Express): void {
      for (const { prototype } of [AppRequest, AppResponse]) {
        Object.defineProperty(prototype, 'app', { value: app, configurable: true });
      }
      Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
    },
  };
}
