import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import * as v from 'valibot'
import { ENROLLMENT_CODE_LIFETIME_MS, enrollRequest } from '../../contract/bridge/bridge-protocol.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { getClientAddress } from '../../contract/wire/client-address.ts'
import type { AppEnv, Env } from '../env.ts'
import { signHmacHex, sha256Hex, importTextKey } from '../platform/crypto/hmac.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { listHomes } from '../homes/members/memberships.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { readCallInput } from '../platform/http/read-call-input.ts'
import { forbidden, badRequest, ApiError, tooManyRequests } from '../platform/api-error.ts'
import { countAttempt, enrollmentLimit } from '../platform/rate-limits/attempt-limits.ts'
import { storeBridge } from './enroll-bridge.ts'

/** The 32 digits and letters that are hard to confuse. With exactly 32, `byte % 32` is unbiased. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

const hashCode = async (env: Env, code: string) =>
  signHmacHex(await importTextKey(env.TICKET_KEY), `bridge-code\n${code}`)

function normalizeCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return letters.replaceAll('O', '0').replace(/[IL]/g, '1')
}

/**
 * Creates an enrollment code for the home that the account owns, and invalidates the home's previous code. Throws 403
 * if the account owns no home.
 */
export async function createEnrollmentCode(env: Env, access: AccountAccess, now: number) {
  const home = listHomes(access).find(({ role }) => role === OWNER_ROLE)
  if (!home) throw forbidden('Only the owner of a home can add a hub.')
  const code = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('')
  const expires_at = now + ENROLLMENT_CODE_LIFETIME_MS
  await env.DB.prepare(
    `INSERT INTO bridge_codes (home_id, code_hash, expires_at) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET code_hash = ?2, expires_at = ?3`,
  )
    .bind(home.home_id, await hashCode(env, code), expires_at)
    .run()
  return { code: `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`, expires_at }
}

/** Handles `POST /bridge/v1/enrol`: exchanges a single-use code for a bridge id and key. */
export async function enrollByCode(c: Context<AppEnv>): Promise<Response> {
  const now = Date.now()
  c.header('x-provider-time', String(now))
  const parsed = v.safeParse(enrollRequest, (await readCallInput(c)).payload)
  if (!parsed.success) throw badRequest('The request is malformed.')
  const attempt = await countAttempt(c.env, [enrollmentLimit(getClientAddress(c.req.raw.headers, c.env))], now)
  if (attempt.waitMs > 0) throw tooManyRequests(attempt.waitMs)
  const home = await c.env.DB.prepare(
    'DELETE FROM bridge_codes WHERE code_hash = ? AND expires_at > ? RETURNING home_id',
  )
    .bind(await hashCode(c.env, normalizeCode(parsed.output.code)), now)
    .first<string>('home_id')
  if (home === null)
    throw new ApiError(404, 404, 'The code is wrong, was already used, or is older than 10 minutes. Get a new code.')
  await attempt.markSucceeded()
  const [bridge_id, key] = [`br_${randomBytes(6).toString('hex')}`, randomBytes(32)]
  const key_hash = await sha256Hex(Uint8Array.from(key))
  await storeBridge(c.env, bridge_id, { key_hash, name: parsed.output.name, homes: [home] }, now)
  recordHomeActivity(c.env, home, { kind: 'bridge-added', who: null, value: parsed.output.name }, now)
  return c.json({ code: 200, data: { bridge_id, key: key.toString('base64url') } })
}
