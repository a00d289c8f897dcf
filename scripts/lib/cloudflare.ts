import * as v from 'valibot'
import { StopError } from './stop.ts'
import { wrangler } from './wrangler.ts'

/** Response of Cloudflare's API: HTTP status, `result`, and error text ('' if there is none). */
export interface CloudflareResponse {
  readonly status: number
  readonly result: unknown
  readonly problem: string
}

/**
 * Calls Cloudflare's API. `path` is relative to `/accounts/ACCOUNT_ID`. Throws a `StopError` if Cloudflare cannot be
 * reached.
 */
export type CallCloudflare = (method: 'GET' | 'DELETE', path: string) => Promise<CloudflareResponse>

const API_URL = 'https://api.cloudflare.com/client/v4'
const REQUEST_TIMEOUT_MS = 30_000
/**
 * Cloudflare's error code for a path that the API does not have, for example because the account id is malformed. This
 * code counts as status 400, because 404 means that a resource does not exist.
 */
const NO_ROUTE_CODE = 7003

const responseEnvelope = v.object({
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ code: v.number(), message: v.string() })), []),
})

/**
 * Returns a function that calls Cloudflare's API. Default of `CLOUDFLARE_API_TOKEN`: wrangler's login. Default of
 * `CLOUDFLARE_ACCOUNT_ID`: the only account of this token. Throws a `StopError` if a missing value has no default.
 */
export async function openCloudflare(root: string, env: NodeJS.ProcessEnv = process.env): Promise<CallCloudflare> {
  const base = env['CLOUDFLARE_API_BASE_URL'] ?? API_URL
  const token = env['CLOUDFLARE_API_TOKEN'] ?? readWranglerToken(root)
  const account = env['CLOUDFLARE_ACCOUNT_ID'] ?? (await fetchOnlyAccount(base, token))
  return (method, path) => callApi(base, token, method, `/accounts/${account}${path}`)
}

function readWranglerToken(root: string): string {
  const parsed = v.safeParse(v.object({ token: v.string() }), parseJson(wrangler(root, 'auth', 'token', '--json')))
  if (parsed.success) return parsed.output.token
  throw new StopError("You're not logged in to Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.")
}

async function fetchOnlyAccount(baseUrl: string, token: string): Promise<string> {
  const { result, problem } = await callApi(baseUrl, token, 'GET', '/accounts')
  const accounts = v.safeParse(v.array(v.object({ id: v.string() })), result)
  if (!accounts.success) throw new StopError(`Your Cloudflare accounts can't be read: ${problem}`)
  const [account, ...others] = accounts.output
  if (account === undefined || others.length > 0)
    throw new StopError(
      `Your login has access to ${accounts.output.length} Cloudflare accounts. Set CLOUDFLARE_ACCOUNT_ID to the ID of the account to use.`,
    )
  return account.id
}

async function callApi(baseUrl: string, token: string, method: string, path: string): Promise<CloudflareResponse> {
  let response: Response
  let text: string
  try {
    response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    text = await response.text()
  } catch (error) {
    throw new StopError(
      `Cloudflare can't be reached (${error instanceof Error ? error.message : String(error)}). Check your network connection, then try again.`,
    )
  }
  const parsed = v.safeParse(responseEnvelope, parseJson(text))
  const { result, errors } = parsed.success ? parsed.output : { result: undefined, errors: [] }
  const reasons = errors.map(({ code, message }) => `${message} (${code})`).join('; ')
  const status = errors.some(({ code }) => code === NO_ROUTE_CODE) ? 400 : response.status
  return {
    status,
    result,
    problem: response.ok ? '' : reasons || `Cloudflare responded with status ${response.status}`,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
