import { restrictNamespace } from '../../contract/jurisdiction.ts'
import type { Env } from '../env.ts'

type ObjectBinding = {
  [K in keyof Env]-?: Env[K] extends { getByName: (name: string) => unknown } ? K : never
}[keyof Env]
type ObjectStub<K extends ObjectBinding> = ReturnType<Env[K]['getByName']>
interface Namespace {
  getByName(name: string): unknown
  jurisdiction(jurisdiction: string): Namespace
}

/** Returns the Durable Object with this name, in the deployment's jurisdiction. */
export function getObject<K extends ObjectBinding>(
  env: Pick<Env, K | 'JURISDICTION'>,
  binding: K,
  name: string,
): ObjectStub<K> {
  const namespace = env[binding] as unknown as Namespace
  return restrictNamespace(namespace, env.JURISDICTION).getByName(name) as ObjectStub<K>
}
