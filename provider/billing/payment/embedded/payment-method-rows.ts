import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import type { GatewayMethod } from '../gateway-interface.ts'

/** Payment method that has no token yet. Never contains a card number or security code. */
export type NewMethod = Omit<GatewayMethod, 'token'>

const methodRow = v.object({
  token: v.string(),
  type: v.picklist(['card', 'wallet']),
  brand: v.string(),
  last_four: v.string(),
  name: v.string(),
  ends_month: v.nullable(v.number()),
  ends_year: v.nullable(v.number()),
  address: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
})

export function putMethod(sql: SqlStorage, method: NewMethod, now: number): string {
  const token = `tok_${crypto.randomUUID().replaceAll('-', '')}`
  const { type, brand, last_four, name, ends, address } = method
  sql.exec(
    `INSERT INTO methods (token, type, brand, last_four, name, ends_month, ends_year, address, saved_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    token,
    type,
    brand,
    last_four,
    name,
    ends?.month ?? null,
    ends?.year ?? null,
    JSON.stringify(address),
    now,
  )
  return token
}

export function findMethod(sql: SqlStorage, token: string): GatewayMethod | null {
  const [found] = sql.exec('SELECT * FROM methods WHERE token = ?', token).toArray()
  if (found === undefined) return null
  const { ends_month, ends_year, ...method } = v.parse(methodRow, found)
  return { ...method, ends: ends_month === null || ends_year === null ? null : { month: ends_month, year: ends_year } }
}
