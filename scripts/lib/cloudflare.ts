import * as v from 'valibot'
import { Stop } from './stop.ts'
import { wrangler } from './wrangler.ts'

/** Response of Cloudflare's API: HTTP status, `result`, and error text ('' if there is none). */
export interface Reply {
  readonly status: number
  readonly result: unknown
  readonly problem: string
}

/** Calls Cloudflare's API below `/accounts/{this account}`. Throws a `Stop` if Cloudflare cannot be reached. */
export type Cloudflare = (method: 'GET' | 'DELETE', path: string) => Promise<Reply>

const PUBLIC_API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 30_000
/** "Could not route to": the path names no resource, for example because the account id is malformed. */
const NO_ROUTE = 7003

const envelope = v.object({
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ code: v.number(), message: v.string() })), []),
})

/**
 * Opens Cloudflare's API with `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_ACCOUNT_ID`, otherwise with wrangler's login and
 * its only account. Throws a `Stop` if neither works.
 */
export async function openCloudflare(root: string, env: NodeJS.ProcessEnv = process.env): Promise<Cloudflare> {
  const base = env['CLOUDFLARE_API_BASE_URL'] ?? PUBLIC_API
  const token = env['CLOUDFLARE_API_TOKEN'] ?? loggedIn(root)
  const account = env['CLOUDFLARE_ACCOUNT_ID'] ?? (await onlyAccount(base, token))
  return (method, path) => call(base, token, method, `/accounts/${account}${path}`)
}

function loggedIn(root: string): string {
  const parsed = v.safeParse(v.object({ token: v.string() }), parse(wrangler(root, 'auth', 'token', '--json')))
  if (parsed.success) return parsed.output.token
  throw new Stop('Nobody is logged in at Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.')
}

async function onlyAccount(base: string, token: string): Promise<string> {
  const { result, problem } = await call(base, token, 'GET', '/accounts')
  const accounts = v.safeParse(v.array(v.object({ id: v.string() })), result)
  if (!accounts.success) throw new Stop(`The accounts at Cloudflare cannot be read: ${problem}`)
  const [account, ...others] = accounts.output
  if (account === undefined || others.length > 0)
    throw new Stop(`There are ${accounts.output.length} accounts at Cloudflare. Name one in CLOUDFLARE_ACCOUNT_ID.`)
  return account.id
}

async function call(base: string, token: string, method: string, path: string): Promise<Reply> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    text = await answer.text()
  } catch (error) {
    throw new Stop(`Cloudflare cannot be reached (${error instanceof Error ? error.message : String(error)}).`)
  }
  const parsed = v.safeParse(envelope, parse(text))
  const { result, errors } = parsed.success ? parsed.output : { result: undefined, errors: [] }
  const reasons = errors.map(({ code, message }) => `${message} (${code})`).join('; ')
  const status = errors.some(({ code }) => code === NO_ROUTE) ? 400 : answer.status
  return { status, result, problem: answer.ok ? '' : reasons || `Cloudflare answered ${answer.status}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
