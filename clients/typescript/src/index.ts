export type { OperationArguments, OperationInput } from '../../../src/web/api/build-request.ts';
export type * from '../../../src/web/api/generated.ts';
export { type ClientOptions, createClient, type RequestOptions, type TapsterClient } from './client.ts';
export type { LiveEvent, LiveOptions } from './live.ts';
export type { ListOperation, Row } from './pages.ts';
export { TapsterError } from './tapster-error.ts';
