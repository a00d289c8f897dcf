import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { send } from './http-transport.ts'

/**
 * `refreshed`: a newer token is stored. `over`: the session has ended, or the response is unexpected. `down`: no
 * response, 503 or 504; the session may still be alive (OPEN-131).
 */
export type RefreshOutcome = 'refreshed' | 'over' | 'down'

export interface RefreshEnv {
  readonly fetch: typeof fetch
  readonly xsrf: () => string
  /** Web app token, shared by all tabs, which identifies the current token generation; '' if there is none. */
  readonly token: () => string
  readonly storeToken: (token: string) => void
  /** Runs `task` while no other tab refreshes (OPEN-17). `rejectedToken`: the token to replace. */
  readonly runExclusively: (rejectedToken: string, task: () => Promise<RefreshOutcome>) => Promise<RefreshOutcome>
  readonly wait: (ms: number) => Promise<void>
}

/** Pauses between the 3 refresh attempts while requests wait (OPEN-131). */
const REQUEST_RETRY_PAUSES_MS = [3000, 6000]
const TIMER_RETRY_PAUSE_MAX_MS = 60_000

export interface Refresher {
  /** Refreshes once for all requests, in all tabs, that were rejected with the token `rejectedToken`. */
  readonly refreshForRequests: (rejectedToken: string) => Promise<RefreshOutcome>
  /** Refreshes the token for the 30-minute timer; retries as long as the server is down. */
  readonly refreshUntilReachable: () => Promise<'refreshed' | 'over'>
}

/**
 * Creates the token refresher (REFRESH-04). Simultaneous callers share one refresh, and a token that has already been
 * replaced is not refreshed again.
 */
export function createRefresher(env: RefreshEnv): Refresher {
  let activeAttempt: Promise<RefreshOutcome> | null = null
  let queuedRefresh: Promise<RefreshOutcome> | null = null

  function attempt(rejectedToken: string): Promise<RefreshOutcome> {
    activeAttempt ??= env
      .runExclusively(rejectedToken, () => refreshOnce(env, rejectedToken))
      .finally(() => (activeAttempt = null))
    return activeAttempt
  }

  async function refreshWithRetries(rejectedToken: string): Promise<RefreshOutcome> {
    for (const pause of REQUEST_RETRY_PAUSES_MS) {
      const outcome = await attempt(rejectedToken)
      if (outcome !== 'down') return outcome
      await env.wait(pause)
    }
    return attempt(rejectedToken)
  }

  return {
    refreshForRequests(rejectedToken) {
      if (env.token() !== rejectedToken) return Promise.resolve('refreshed')
      queuedRefresh ??= refreshWithRetries(rejectedToken).finally(() => (queuedRefresh = null))
      return queuedRefresh
    },
    async refreshUntilReachable() {
      for (let pause = 2000; ; pause = Math.min(pause * 2, TIMER_RETRY_PAUSE_MAX_MS)) {
        const outcome = await attempt(env.token())
        if (outcome !== 'down') return outcome
        await env.wait(pause)
      }
    },
  }
}

async function refreshOnce(env: RefreshEnv, rejectedToken: string): Promise<RefreshOutcome> {
  if (env.token() !== rejectedToken) return 'refreshed'
  const response = await send(
    '/api/auth/refresh',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', [XSRF_HEADER]: env.xsrf() },
      body: JSON.stringify({ generation: rejectedToken }),
    },
    { fetch: env.fetch, timeout: AUTH_CALL_TIMEOUT_MS },
  )
  if (!response.ok || response.status === 503 || response.status === 504) return 'down'
  const token = parseNewToken(response.status, response.body)
  if (token === null) return 'over'
  env.storeToken(token)
  return 'refreshed'
}

function parseNewToken(status: number, body: unknown): string | null {
  if (status !== 200 || typeof body !== 'object' || body === null) return null
  const { code, access_token: token } = body as { code?: unknown; access_token?: unknown }
  return code === 200 && typeof token === 'string' ? token : null
}
