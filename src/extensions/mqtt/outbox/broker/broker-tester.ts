import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import type { Topics } from '../topics.ts';
import { type Broker, type BrokerClient, openBrokerClient } from './broker-client.ts';
import { isNotAuthorized, mayBeVersion, toBrokerProblem } from './broker-problem.ts';

/** Connects as a client of its own and publishes a message; returns what failed, or null. */
export async function testBroker(
  broker: Broker,
  { protocol, topics }: { readonly protocol: 'auto' | '5' | '3.1.1'; readonly topics: Topics },
): Promise<Problem | null> {
  // The id of the running connection would end it.
  const target = { ...broker, clientId: `${broker.clientId}-test` };
  let client: BrokerClient;
  try {
    client = await openBrokerClient(target, { version: protocol === '3.1.1' ? 4 : 5 }).catch((fault) => {
      if (protocol !== 'auto' || !mayBeVersion(fault)) throw fault;
      return openBrokerClient(target, { version: 4 }).catch(() => {
        throw fault;
      });
    });
  } catch (fault) {
    return toBrokerProblem(fault, broker);
  }
  try {
    await client.publish({ topic: topics.test, payload: 'test', qos: 1, retain: false });
    return null;
  } catch (fault) {
    return isNotAuthorized(fault)
      ? createProblem('mqtt_not_authorized', { topic: topics.test })
      : toBrokerProblem(fault, broker);
  } finally {
    client.end();
  }
}
