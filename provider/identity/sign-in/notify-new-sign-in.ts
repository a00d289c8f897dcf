import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { runInBackground } from '../../notifications/notify-in-background.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { readKnownBrowserCookie } from './known-browser.ts'

/**
 * Notifies an account of a sign-in from a browser without the account's known-browser cookie, at most once per browser
 * name, network and day. Does nothing for the first sign-in of the account. Call this function before
 * `rememberBrowser`, which sets the cookie. `now` in ms UTC.
 */
export function notifyNewSignIn(
  env: Env,
  { userId, email }: { readonly userId: string; readonly email: string },
  ctx: KoaContext,
  now: number,
): void {
  if (readKnownBrowserCookie(ctx, env, email) !== null) return
  const { device, address } = toClientInfo(ctx)
  const key = `${device} ${address} ${new Date(now).toISOString().slice(0, 10)}`
  const notification = { userId, kind: 'new_sign_in', key, facts: { device, address, at: now }, at: now } as const
  const notifyIfSignedInBefore = async () => {
    if (await hasSignedInBefore(env, userId)) await notifyAccount(env, notification)
  }
  runInBackground(env, notifyIfSignedInBefore, now)
}

async function hasSignedInBefore(env: Env, userId: string): Promise<boolean> {
  const at = await env.DB.prepare('SELECT last_sign_in_at AS at FROM accounts WHERE user_id = ?')
    .bind(userId)
    .first<number>('at')
  return at !== null
}
