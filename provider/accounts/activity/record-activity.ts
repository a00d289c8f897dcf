import { waitUntil } from 'cloudflare:workers'
import * as v from 'valibot'
import type { SignInWay } from '../../../contract/account/activity.ts'
import { signOutNote } from '../../../contract/auth/sign-out-note.ts'
import { accountByEmail } from '../account-rows.ts'
import type { Env } from '../../env.ts'
import { reportTaskFailure } from '../../telemetry/error-reporting.ts'
import type { ActivityEvent, Origin } from './entry.ts'
import { homeLog, userLog } from './logs.ts'
import { toClientInfo, type BrowserRequest } from './client-info.ts'

/**
 * Records in the background: the caller neither waits nor fails. A failed write is reported like other failures. Times
 * are ms UTC.
 */
function inBackground(env: Env, task: Promise<void>, now: number): void {
  waitUntil(
    task.catch((error: unknown) => {
      console.error(JSON.stringify({ at: 'activity', error: String(error) }))
      reportTaskFailure(env, 'activity', error instanceof Error ? error : new Error(String(error)), now)
    }),
  )
}

/** Records an event of a home. Its owners read it, so it contains no client info. */
export function recordHomeActivity(env: Env, homeId: string, event: ActivityEvent, now: number): void {
  inBackground(env, write(env, homeLog(homeId), event, null, now), now)
}

/** Records an event of an account; `browser` if the provider has seen one. Only that account reads it. */
export function recordAccountActivity(
  env: Env,
  userId: string,
  kind: ActivityEvent['kind'],
  browser: BrowserRequest | null,
  now: number,
): void {
  const origin = browser && toClientInfo(browser)
  inBackground(env, write(env, userLog(userId), { kind, who: userId }, origin, now), now)
}

/** Records a sign-out that the edge called for; `header`: see contract/auth/sign-out-note.ts. */
export function recordSignOut(env: Env, userId: string, header: string | undefined, now: number): void {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signOutNote), header)
  const { kind, device, address, ended, mark } = parsed.success ? parsed.output : PLAIN
  const event = { kind, who: userId, value: ended, ...(mark !== undefined && { same: mark }) }
  inBackground(env, write(env, userLog(userId), event, { device, address }, now), now)
}
const PLAIN: v.InferOutput<typeof signOutNote> = { kind: 'sign-out', device: '', address: '', ended: '' }

/**
 * Records a failed sign-in with `email` by the method `way`: one entry per network, method and hour. Skips emails
 * without an account, because only an account has a log, and attempts that were not checked because of overload
 * (`isBusy`).
 */
export function recordFailedSignIn(
  env: Env,
  { email, way }: { readonly email: string; readonly way: SignInWay },
  { status, isBusy = false }: { readonly status: number; readonly isBusy?: boolean },
  browser: BrowserRequest,
  now: number,
): void {
  if (isBusy) return
  const origin = toClientInfo(browser)
  const kind = status === 429 ? 'sign-in-limited' : 'sign-in-refused'
  const noted = async () => {
    const account = await accountByEmail(env.DB, email)
    if (account === null) return
    await write(
      env,
      userLog(account.userId),
      { kind, who: null, value: way, same: `${origin.address} ${way}` },
      origin,
      now,
    )
  }
  inBackground(env, noted(), now)
}

/**
 * Records that an account that does not own the camera watched it live, or the clip of an event: one entry per viewer,
 * camera and hour.
 */
export function recordGuestView(
  env: Env,
  homeId: string,
  seen: { readonly who: string; readonly camera: string; readonly clip?: string },
  now: number,
): void {
  const { who: viewer, camera, clip } = seen
  const counts = clip === undefined ? { count: 1 } : { count: 0, clips: 1, part: clip }
  recordHomeActivity(env, homeId, { kind: 'watched', who: viewer, camera, ...counts, same: `${viewer} ${camera}` }, now)
}

async function write(env: Env, log: string, event: ActivityEvent, origin: Origin | null, now: number): Promise<void> {
  await env.ACTIVITY.getByName(log).add(event, origin, now)
}
