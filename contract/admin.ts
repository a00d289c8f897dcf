import * as v from 'valibot'
import { id, text } from './envelope.ts'

/** Operator calls of the provider (`npm start`, `npm run account`): `Authorization: Admin <ADMIN_KEY>`. */
export const ADMIN_PATHS = {
  /** POST: creates the demo accounts, homes and subscriptions that are missing. Refused unless `DEMO` is "1". */
  seed: '/admin/v1/seed',
  /** PUT `/admin/v1/bridges/{bridge id}`: enrols a bridge, or changes what it serves. */
  bridges: '/admin/v1/bridges',
} as const

export const putBridge = v.object({
  /** Lower-case hex SHA-256 of the bridge's key. */
  key_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: text(120),
  homes: v.pipe(v.array(id), v.minLength(1), v.maxLength(50)),
})

/** Demo accounts and homes; password of all: `porchlight`. */
export const DEMO_PASSWORD = 'porchlight'
export const DEMO_HOMES = { owner: 'home_owner', free: 'home_free' } as const
export const DEMO_ACCOUNTS = [
  { email: 'owner@example.com', label: 'Owner', home: DEMO_HOMES.owner, sku: 'unlimited' },
  { email: 'free@example.com', label: 'Free plan', home: DEMO_HOMES.free, sku: null },
] as const
