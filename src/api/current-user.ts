import type { InferOutput } from 'valibot'
import type { userResponse } from '../../contract/auth/user-calls.ts'
import { AUTH_CALL_TIMEOUT_MS, PREFER_200_IF_SIGNED_OUT } from '../../contract/wire/constants.ts'
import { send } from './http-transport.ts'

export type CurrentUser = InferOutput<typeof userResponse>

/**
 * Result of the current-user call. `unreachable`: no response, or status 408, 429 or 5xx; the session may still be
 * alive (OPEN-163). `anonymous`: any other response without a valid user.
 */
export type CurrentUserResult =
  | { readonly who: 'user'; readonly me: CurrentUser }
  | { readonly who: 'anonymous' }
  | { readonly who: 'unreachable'; readonly status: number }

/** Requests the current user from `/api/auth/me` (OPEN-09), with a timeout of 15 s. Never rejects. */
export async function fetchCurrentUser(fetcher: typeof fetch): Promise<CurrentUserResult> {
  const response = await send(
    '/api/auth/me',
    { headers: { prefer: PREFER_200_IF_SIGNED_OUT } },
    { fetch: fetcher, timeout: AUTH_CALL_TIMEOUT_MS },
  )
  if (!response.ok) return { who: 'unreachable', status: 0 }
  const { status } = response
  if (status >= 500 || status === 408 || status === 429) return { who: 'unreachable', status }
  return isCurrentUser(response.body) ? { who: 'user', me: response.body } : { who: 'anonymous' }
}

/** Checks the fields without the schema, because public pages have a script budget of 3 KiB. */
function isCurrentUser(body: unknown): body is CurrentUser {
  const user = (body ?? {}) as Record<string, unknown>
  return (
    user.code === 200 && ['user_account', 'user_id', 'web_app_token'].every((field) => typeof user[field] === 'string')
  )
}
