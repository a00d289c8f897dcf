import type { InferOutput } from 'valibot'
import type { meAnswer } from '../../contract/auth/user-calls.ts'
import { AUTH_CALL_TIMEOUT_MS, NOBODY_IS_AN_ANSWER } from '../../contract/wire/constants.ts'
import { send } from './http-transport.ts'

export type Me = InferOutput<typeof meAnswer>

/**
 * Current user. `anonymous`: the server says that no account is signed in; `unreachable`: no response, or a server
 * error, which signs no account out (OPEN-163).
 */
export type WhoAnswer =
  | { readonly who: 'user'; readonly me: Me }
  | { readonly who: 'anonymous' }
  | { readonly who: 'unreachable'; readonly status: number }

/** Calls the current-user route (OPEN-09). */
export async function fetchCurrentUser(fetcher: typeof fetch): Promise<WhoAnswer> {
  const answer = await send(
    '/api/auth/me',
    { headers: { prefer: NOBODY_IS_AN_ANSWER } },
    { fetch: fetcher, timeout: AUTH_CALL_TIMEOUT_MS },
  )
  if (!answer.ok) return { who: 'unreachable', status: 0 }
  const { status } = answer
  if (status >= 500 || status === 408 || status === 429) return { who: 'unreachable', status }
  return isMe(answer.body) ? { who: 'user', me: answer.body } : { who: 'anonymous' }
}

/** Hand-written check instead of the schema: pages that use it have a script budget of 3 KB. */
function isMe(body: unknown): body is Me {
  const me = (body ?? {}) as Record<string, unknown>
  return me.code === 200 && ['user_account', 'user_id', 'web_app_token'].every((field) => typeof me[field] === 'string')
}
